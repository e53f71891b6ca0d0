import type { System } from '../../system/system.ts'
import { readStat } from '../../sensors/procfs/stat.ts'

/** How and where a server starts jobs. All of it is set up by who runs the server, nothing by who asks. */
export interface StartPlace {
  /** The same installation: Node and the program that it runs. */
  readonly program: readonly string[]
  readonly ledger: string
  readonly workingDirectory: string
  readonly environment: Readonly<Record<string, string | undefined>>
  /** Where the output of what is started goes; it must be there. */
  readonly logDirectory: string
}

export interface StartedProgram {
  readonly pid: number
  /** With the pid, this tells it from any later process of that number; null if it is over already. */
  readonly startTicks: number | null
  readonly stdout: string
  readonly stderr: string
}

/** The message names files of whoever runs the server. */
export class NotStarted extends Error {
  override readonly name = 'NotStarted'
}

/** As this process was started. */
export const sameProgram = (): readonly string[] =>
  process.argv[1] === undefined ? [] : [process.execPath, process.argv[1]]

/** Starts jobmeter itself, in a process group of its own: it goes on when the server ends. No shell is involved. */
export function startProgram(
  system: System,
  place: StartPlace,
  name: string,
  argv: readonly string[],
): StartedProgram {
  const logs = {
    stdout: `${place.logDirectory}/${name}.out`,
    stderr: `${place.logDirectory}/${name}.err`,
  }
  const started = system.processes.spawn(
    {
      command: [...place.program, ...argv],
      environment: place.environment,
      workingDirectory: place.workingDirectory,
      group: 'own',
      stdin: '/dev/null',
      ...logs,
      isCompanion: true,
    },
    { reaped: () => {} },
  )
  if (started.kind !== 'started')
    throw new NotStarted(`jobmeter could not be started: ${started.message}`)
  const startTicks = readStat(system.files, started.pid)?.startTicks ?? null
  return { pid: started.pid, startTicks, ...logs }
}

/** Whether it is over. */
export const isOver = (
  { files }: System,
  { pid, startTicks }: Pick<StartedProgram, 'pid' | 'startTicks'>,
): boolean => startTicks === null || readStat(files, pid)?.startTicks !== startTicks
