import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts CPU time in hundredths of a second for everybody who asks. */
const ticksPerSecond = 100

interface Counted {
  readonly parent: number
  /** Its own, and that of children it has waited for. */
  readonly seconds: number
}

/** CPU seconds of a process and of those under it, with what of these has ended. */
export function cpuSecondsOf(pid: number): number {
  const all = new Map(
    readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map((name) => [Number(name), counted(Number(name))]),
  )
  const under = (parent: number): number => {
    let seconds = all.get(parent)?.seconds ?? 0
    for (const [child, each] of all) if (each?.parent === parent) seconds += under(child)
    return seconds
  }
  return under(pid)
}

function counted(pid: number): Counted | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
    return { parent: Number(fields[1]), seconds: ticks / ticksPerSecond }
  } catch {
    // It has just ended.
    return undefined
  }
}
