import { mkdirSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startPostgres, whyNoPostgres, type Postgres } from '../postgres.ts'
import { sandbox } from '../program.ts'
import { repository } from '../workloads/compile.ts'
import { teamDatabase } from './team.ts'
import { startWorker } from './worker.ts'

const guide = readFileSync(join(repository, 'docs/queue.md'), 'utf8')
const blocks = Array.from(guide.matchAll(/^```sh\n(.*?)^```$/gms), ([, script = '']) => script)

/** What each block must print, in their order. */
const printed = [
  ['hello from the queue', 'working', 'it exited with 3', 'The queue is open.'],
  ['queued'],
  [],
  ['it was cancelled'],
  ['a mesh of 64'],
  [],
]

describe.skipIf(whyNoPostgres() !== undefined)('the guide to the queue', () => {
  let postgres: Postgres
  beforeAll(async () => {
    postgres = await startPostgres('fsync=off')
  })
  afterAll(() => postgres.stop())

  it('shows commands that do what it says', async () => {
    expect(blocks).toHaveLength(printed.length)
    using box = sandbox()
    const address = await teamDatabase(postgres, 'guide')
    const worker = startWorker(address, box.directory)
    mkdirSync(box.path('bin'))
    symlinkSync(join(repository, 'bin/jobmeter.cjs'), box.path('bin/jobmeter'))
    const path = `${box.path('bin')}:${box.env['PATH']}`
    const env = { ...box.env, PATH: path, JOBMETER_TEAM: address }
    try {
      for (const [index, block] of blocks.entries()) {
        const ended = await box.shell(`set -e\n${block}`, { env })
        expect(ended, block).toMatchObject({ code: 0 })
        for (const text of printed[index] ?? []) expect(ended.stdout).toContain(text)
      }
    } finally {
      worker.kill('SIGTERM')
    }
    expect(await worker.hasEnded).toBe(0)
  })
})
