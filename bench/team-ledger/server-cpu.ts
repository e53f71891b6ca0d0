import { readdirSync, readFileSync } from 'node:fs'

const ticksPerSecond = 100

/**
 * CPU time of PostgreSQL so far, in seconds: of its first process, of those that it has started, and of those of them that have
 * ended. What it took by the clock says little on a machine that others use.
 */
export function serverCpuSeconds(pid: number): number {
  let ticks = 0
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const fields = statOf(name)
    if (fields === undefined) continue
    const [parent = 0, own = 0, ended = 0] = fields
    if (Number(name) === pid) ticks += own + ended
    else if (parent === pid) ticks += own
  }
  return ticks / ticksPerSecond
}

/** The parent, and the ticks of a process and of its children that have ended. */
function statOf(pid: string): readonly number[] | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const fields = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    const sum = (from: number) => (fields[from] ?? 0) + (fields[from + 1] ?? 0)
    return [parent, sum(11), sum(13)]
  } catch {
    // It has just ended.
    return undefined
  }
}
