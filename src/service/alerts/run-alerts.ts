import { consoleLine } from '../../alert/channels/console.ts'
import type { AlertNotice } from '../../model/alert.ts'
import { ourselves } from '../../record/owner.ts'
import type { System } from '../../system/system.ts'
import type { AlertFile } from './alert-file.ts'
import { AlertLog } from './alert-log.ts'
import { alertsDatabase } from './alerts-path.ts'
import { Companion } from './companion.ts'
import { JobAlerts, type AlertTools, type PastRuns } from './job-alerts.ts'
import { watchedJob, type KnownJob, type KnownMachine } from './known-job.ts'
import { channelsFor } from './route.ts'
import { WorkflowAlerts } from './workflow-alerts.ts'

export interface RunAlertsSettings {
  readonly ledger: string
  readonly past: PastRuns | undefined
  /** Shows people what fires, if a channel asks for that. */
  readonly tell: (line: string) => void
  readonly onProblem: (problem: string) => void
}

/** The alerts of all jobs that this process runs or watches. */
export class RunAlerts {
  readonly #tools: AlertTools
  readonly #log: AlertLog
  readonly #companion: Companion

  constructor(system: System, file: AlertFile, settings: RunAlertsSettings) {
    const { ledger, past, tell, onProblem } = settings
    const companion = new Companion(system, ledger)
    const toConsole = (notice: AlertNotice): boolean => {
      const rule = file.rules.find(({ name }) => name === notice.rule)
      return (
        rule !== undefined &&
        channelsFor(rule, file.channels).some(({ way }) => way.type === 'console')
      )
    }
    const hasOthers = file.channels.some(({ way }) => way.type !== 'console')
    this.#companion = companion
    this.#log = new AlertLog(system, alertsDatabase(ledger), {
      onKept(news) {
        for (const notice of news) if (toConsole(notice)) tell(consoleLine(notice))
        if (hasOthers && news.length > 0) companion.wake()
      },
      onProblem,
    })
    const owner = ourselves(system)
    this.#tools = { system, file, ledger, log: this.#log, owner, past, onProblem }
  }

  watch(job: KnownJob, machine: KnownMachine): JobAlerts {
    return new JobAlerts(this.#tools, job, watchedJob(job, machine))
  }

  /** The same for the attempts of a workflow. */
  get ofWorkflow(): WorkflowAlerts {
    return new WorkflowAlerts((job, machine) => this.watch(job, machine))
  }

  /** Nothing more comes. What is still to be delivered goes on without us. */
  end(): void {
    this.#log.end()
    this.#companion.leave()
  }
}
