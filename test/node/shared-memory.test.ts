import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ProcessTable } from '../../src/agent/processes/process-table.ts'
import { SharedMemory } from '../../src/agent/processes/shared-memory.ts'
import { realSystem } from '../../src/system/real.ts'
import { workload, workloadsMissing } from '../program.ts'

const mebibyte = 2 ** 20
const system = realSystem({ ownsProcess: false })
/** Longer than everything that is waited for: it is killed at the end. */
const heldMs = '300000'

/** The processes of a group whose memory is all there. */
function grown(groupId: number): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
      const isLarge = Number(fields[21]) * system.host.pageBytes > 200 * mebibyte
      return Number(fields[2]) === groupId && isLarge ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

describe.skipIf(workloadsMissing)('memory that processes share', () => {
  it('counts once', async () => {
    const child = spawn(workload('shared-readers'), ['200', '4', heldMs, '-'], {
      detached: true,
      stdio: 'ignore',
    })
    try {
      const groupId = child.pid ?? 0
      await expect.poll(() => grown(groupId).length, { timeout: 50_000 }).toBe(5)
      const table = new ProcessTable(system)
      const shared = new SharedMemory(system)
      const sum = (): number =>
        [...table.living.values()]
          .filter((process) => process.groupId === groupId)
          .reduce((total, { residentBytes, ownPart }) => total + residentBytes * ownPart, 0)
      table.look()
      expect(sum()).toBeGreaterThan(1000 * mebibyte)
      // Of the whole family in the first round: a peak that is too high would stay.
      const group = [...table.living].filter(([, process]) => process.groupId === groupId)
      shared.refresh(new Map(group), 1)
      expect(sum()).toBeLessThan(220 * mebibyte)
      expect(sum()).toBeGreaterThan(195 * mebibyte)
      table.close()
    } finally {
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    }
  })
})
