import { needsPastAtEnd } from '../../alert/evaluate/rule-needs.ts'
import { loadAlertFile } from '../../service/alerts/alert-file.ts'
import { RunAlerts } from '../../service/alerts/run-alerts.ts'
import { UserError } from '../../service/user-error.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'

interface AlertRequest {
  readonly path: string
  /** Whoever names a file wants to hear that it is wrong before anything starts; else the job comes first. */
  readonly isNamed: boolean
  readonly ledger: string
  readonly tell: (line: string) => void
}

/** Has jobs watched by the rules of a file. Loaded only where there is one. */
export async function beginAlerts(
  system: System,
  { path, isNamed, ledger, tell }: AlertRequest,
  console: Console,
): Promise<RunAlerts | undefined> {
  try {
    const file = await loadAlertFile(system, path)
    const past = file.rules.some(needsPastAtEnd)
      ? (await import('../../service/alerts/past-runs.ts')).pastRuns
      : undefined
    return new RunAlerts(system, file, {
      ledger,
      past,
      tell,
      onProblem: (problem) => console.complain(problem),
    })
  } catch (error) {
    if (isNamed || !(error instanceof UserError)) throw error
    console.complain(`no alerts: ${error.message}`)
    return undefined
  }
}
