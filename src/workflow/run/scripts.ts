import type { LaunchRequest } from '../../launch/request.ts'

/** A command of an action or of a recovery, which is no attempt: it is not measured, and the ledger does not know it. */
export type Script = Pick<
  LaunchRequest,
  'command' | 'environment' | 'workingDirectory' | 'graceSeconds' | 'onLogTrouble'
> &
  ScriptLogs

export interface ScriptLogs {
  readonly stdout: string
  readonly stderr: string
}

/** Where scripts run: beside the runner, wherever its jobs do. */
export interface Scripts {
  /** Answers the exit code. */
  run(script: Script): Promise<number>
  /** Has those end that run. */
  stop(signal: NodeJS.Signals): void
}
