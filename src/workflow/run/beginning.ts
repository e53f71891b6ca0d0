import { describeJob } from '../../model/describe-job.ts'
import { waitsText } from '../../model/elsewhere.ts'
import { newAttempt } from '../../store/ledger/attempt-record.ts'
import type { StoredJob, StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import { wordsOfJob } from './attempt-order.ts'
import type { Attempt } from './attempt.ts'
import type { JobIdentity } from './job-environment.ts'
import type { Retries } from './retries.ts'
import type { RunnerTools, RunSettings } from './runner-tools.ts'
import type { Start } from './schedule.ts'
import { markInputs } from './stale-inputs.ts'

/** Writes attempts down before they start. */
export class Beginning {
  readonly #tools: RunnerTools
  readonly #stored: StoredWorkflow
  readonly #settings: RunSettings
  readonly #runId: number
  readonly #time: () => number
  readonly #attemptsMade: number[]

  constructor(
    tools: RunnerTools,
    stored: StoredWorkflow,
    settings: RunSettings,
    run: { readonly runId: number; readonly time: () => number },
  ) {
    this.#tools = tools
    this.#stored = stored
    this.#settings = settings
    this.#runId = run.runId
    this.#time = run.time
    this.#attemptsMade = stored.jobs.map(({ attempts }) => attempts)
  }

  /** The next attempt of a job, which is in the ledger from then on. */
  begin(stored: StoredJob, start: Start, retries: Retries): Attempt {
    const { system, ledger, owner, environment, workingDirectory } = this.#tools
    const place = { files: system.files, environment, workingDirectory }
    const { workflow, workflowId } = this.#stored
    const number = (this.#attemptsMade[start.position] ?? 0) + 1
    this.#attemptsMade[start.position] = number
    const record = newAttempt(system, {
      job: describeJob(wordsOfJob(workflow, stored.job, this.#tools.shell, place), {
        name: stored.job.name,
        requirements: stored.job.requirements,
        workingDirectory,
      }),
      machine: this.#settings.capacity.nodes[start.node]?.machine ?? this.#tools.machine,
      owner,
      startedAt: this.#time(),
      intervalSeconds: workflow.monitor.enabled ? workflow.monitor.sampleIntervalSeconds : null,
    })
    const identity: JobIdentity = {
      workflowId,
      runId: this.#runId,
      jobId: stored.jobId,
      attempt: number,
      outputDirectory: this.#settings.outputDirectory,
    }
    const { executorName } = this.#tools
    const waits = executorName === undefined ? undefined : waitsText(executorName)
    const ref = ledger.workflows.beginAttempt(identity, record, waits)
    const inputs = markInputs(system.files, workflow, stored.job.inputFiles)
    return { stored, start, identity, ref, record, retries, inputs, left: null }
  }
}
