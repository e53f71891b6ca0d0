import fc from 'fast-check'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { fakeSystem } from '../../system/fake.ts'
import { realSystem } from '../../system/real.ts'
import { ProcessTable } from './process-table.ts'

/** What one process is said to have written in each look after the first, by the counters at all looks. */
function written(counters: readonly (readonly [written: number, cancelled: number])[]): number[] {
  const system = fakeSystem({ files: { '/proc/7/status': 'Uid:\t1000\t1000\t1000\t1000\n' } })
  let [bytes, cancelled, ticks] = [0, 0, 0]
  system.tree.set(
    '/proc/7/stat',
    () =>
      `7 (work) S 1 7 7 0 -1 0 9 0 0 0 ${ticks} 0 0 0 20 0 1 0 100 0 200000 ${'0 '.repeat(28)}\n`,
  )
  system.tree.set(
    '/proc/7/io',
    () =>
      `rchar: 0\nwchar: 0\nsyscr: 0\nsyscw: 0\nread_bytes: 0\nwrite_bytes: ${bytes}\ncancelled_write_bytes: ${cancelled}\n`,
  )
  const table = new ProcessTable(system)
  return counters.map((counter) => {
    ;[bytes, cancelled] = counter
    ticks += 1
    table.look()
    const seen = table.living.get(7)
    return (seen?.now.writeBytes ?? Number.NaN) - (seen?.before.writeBytes ?? Number.NaN)
  })
}

describe('bytes that a process wrote', () => {
  it('are not taken back if it truncates the file before they get to storage', () => {
    const mega = 1_000_000
    expect(
      written([
        [0, 0],
        [30 * mega, 0],
        [30 * mega, 30 * mega],
        [50 * mega, 30 * mega],
        [70 * mega, 30 * mega],
      ]),
    ).toEqual([0, 30 * mega, 0, 0, 10 * mega])
  })

  it('are never below 0, and in the end what its counters say at most', () => {
    const growth = fc.tuple(fc.nat(1000), fc.nat(1000))
    fc.assert(
      fc.property(fc.array(growth, { minLength: 1, maxLength: 20 }), (growths) => {
        let [bytes, cancelled, most] = [0, 0, 0]
        const counters = growths.map(([more, dropped]) => {
          bytes += more
          cancelled += dropped
          most = Math.max(most, bytes - cancelled)
          return [bytes, cancelled] as const
        })
        const all = written([[0, 0], ...counters])
        expect(Math.min(...all)).toBeGreaterThanOrEqual(0)
        expect(all.reduce((sum, each) => sum + each, 0)).toBe(most)
      }),
      { seed: 7, numRuns: 100 },
    )
  })
})

describe('the name of a process', () => {
  it('is that of its program where the kernel has the name of a thread', async () => {
    const script = 'console.log("here"); setInterval(() => {}, 1e6)'
    const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'ignore'] })
    try {
      await once(child.stdout, 'data')
      const table = new ProcessTable(realSystem({ ownsProcess: false }))
      table.look()
      table.look()
      expect(table.living.get(child.pid ?? 0)?.command).toBe('node')
      table.close()
    } finally {
      child.kill('SIGKILL')
    }
  })
})
