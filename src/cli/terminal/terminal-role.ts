import { readStat } from '../../sensors/procfs/stat.ts'
import type { System } from '../../system/system.ts'

/** How a job stands to our terminal. */
export interface TerminalRole {
  /**
   * On a terminal the job stays in our process group, as a pipeline's members do: keys reach it, it may
   * read, and Ctrl-Z and `fg` work as in a shell. Elsewhere it leads a group of its own, so that a signal
   * reaches all of it.
   */
  readonly group: 'own' | 'shared'
  /** Whether the terminal has sent this signal to the job as well as to us. */
  delivers(signal: NodeJS.Signals): boolean
}

export function terminalOf(system: System): TerminalRole {
  const before = readStat(system.files, 'self')
  if (before === undefined || before.terminal === 0) return { group: 'own', delivers: () => false }
  return {
    group: 'shared',
    delivers(signal) {
      if (signal !== 'SIGINT' && signal !== 'SIGQUIT') return false
      // In the foreground it was the keyboard; in the background somebody used `kill`.
      const now = readStat(system.files, 'self')
      return now !== undefined && now.foregroundGroup === now.groupId
    },
  }
}
