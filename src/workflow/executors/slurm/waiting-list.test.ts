import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { realSystem } from '../../../system/real.ts'
import { WaitingList } from './waiting-list.ts'

it('has the jobs that wait, in the order in which they came, until they are taken', () => {
  const { files } = realSystem({ ownsProcess: false })
  const job = fc.record({
    cpus: fc.double({ min: 0.1, max: 512, noNaN: true }),
    memoryBytes: fc.integer({ min: 0, max: 2 ** 45 }),
    gpus: fc.nat(16),
    runtimeSeconds: fc.option(fc.nat(1_000_000)),
    scheduler: fc.option(fc.stringMatching(/^[^\uD800-\uDFFF]{1,20}$/u)),
  })
  fc.assert(
    fc.property(fc.array(job, { maxLength: 12 }), (jobs) => {
      const directory = mkdtempSync(join(tmpdir(), 'jobmeter-waiting-'))
      try {
        const list = new WaitingList(files, directory)
        const named = jobs.map((each, at) => ({ ...each, taskId: `${at}`.padStart(32, '0') }))
        for (const [at, each] of named.entries()) list.add(each, 1.8e9 + at / 1e4)
        const read = list.read()
        expect(read.map(({ fileName: _, ...each }) => each)).toEqual(named)
        for (const { fileName } of read.slice(1)) list.remove(fileName)
        expect(list.read()).toHaveLength(Math.min(1, jobs.length))
      } finally {
        rmSync(directory, { recursive: true })
      }
    }),
    { numRuns: 40 },
  )
})
