import { readStat } from '../../sensors/procfs/stat.ts'
import { parentPid } from '../../system/line-input.ts'
import type { System } from '../../system/system.ts'

const lookSeconds = 0.25
const zombie = 'Z'.charCodeAt(0)
const dead = 'X'.charCodeAt(0)

/** A process by which we live: its pid may be another's one day, its start is not. */
interface Watched {
  readonly pid: number
  readonly startTicks: number
}

/** Calls back when the process has ended, or whoever started us: one of them may hold our input open for ever. */
export function tether(
  system: System,
  { pid, startTicks }: Watched,
  end: (reason: string) => void,
): void {
  const parent = parentPid()
  const look = (): void => {
    if (aliveSince(system, pid) !== startTicks) end(`process ${pid} has ended`)
    else if (parentPid() !== parent) end('whoever started the sidecar has ended')
    else system.clock.after(lookSeconds, look)
  }
  look()
}

/** When a process started; undefined where it has ended, though its parent may not have noticed yet. */
export function aliveSince(system: System, pid: number): number | undefined {
  const stat = readStat(system.files, pid)
  return stat === undefined || stat.state === zombie || stat.state === dead
    ? undefined
    : stat.startTicks
}
