import { join } from 'node:path'
import type { WorkflowAction } from '../../model/workflow.ts'
import type { StoredWorkflow } from '../../store/ledger/workflow-store.ts'
import type { System } from '../../system/system.ts'
import type { RunObserver } from './events.ts'
import type { ScriptLogs, Scripts } from './scripts.ts'
import { commandWords } from './shell-command.ts'

interface ActionTools {
  readonly system: System
  readonly scripts: Scripts
  readonly scheduleNodes?: (action: WorkflowAction) => void
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly workingDirectory: string
  readonly shell: string
}

interface ActionSettings {
  readonly runId: number
  readonly outputDirectory: string
  readonly graceSeconds: number
  readonly hears: Pick<RunObserver, 'note' | 'trouble'>
}

interface CommandFiles extends ScriptLogs {
  readonly environment: Readonly<Record<string, string | undefined>>
}

interface Waiting {
  readonly action: WorkflowAction
  readonly index: number
  /** Positions of its jobs that have not come so far. */
  readonly left: Set<number>
}

/** Runs a workflow's actions when their time has come. They are no jobs: nothing waits for them but the run's end. */
export class ActionRunner {
  readonly #tools: ActionTools
  readonly #stored: StoredWorkflow
  readonly #settings: ActionSettings
  readonly #onReady: Waiting[]
  readonly #onComplete: Waiting[]
  #chain: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(tools: ActionTools, stored: StoredWorkflow, settings: ActionSettings) {
    this.#tools = tools
    this.#stored = stored
    this.#settings = settings
    this.#onReady = this.#waitingFor('on_jobs_ready')
    this.#onComplete = this.#waitingFor('on_jobs_complete')
  }

  /** Runs the actions of a trigger that concerns no jobs, to their end. */
  trigger(trigger: WorkflowAction['trigger']): Promise<void> {
    this.#stored.workflow.actions.forEach((action, index) => {
      if (action.trigger === trigger) this.#start(action, index)
    })
    return this.#chain
  }

  becameReady(positions: readonly number[]): void {
    this.#came(this.#onReady, positions)
  }

  completed(positions: readonly number[]): void {
    this.#came(this.#onComplete, positions)
  }

  /** `complete`: nothing of the workflow is left to run. */
  async finish(complete: boolean): Promise<void> {
    await this.trigger('on_worker_complete')
    if (complete) await this.trigger('on_workflow_complete')
  }

  /** Has what runs end, recovery scripts too; what would have come next does not, but for the worker's own end. */
  stop(signal: NodeJS.Signals): void {
    this.#stopped = true
    this.#tools.scripts.stop(signal)
  }

  /** Runs one line of shell, not measured; answers its exit code. */
  runCommand(line: string, files: CommandFiles): Promise<number> {
    const { scripts, workingDirectory, shell } = this.#tools
    return scripts.run({
      command: commandWords(line, shell),
      workingDirectory,
      ...files,
      onLogTrouble: (message) => this.#settings.hears.trouble(message),
      graceSeconds: this.#settings.graceSeconds,
    })
  }

  #waitingFor(trigger: WorkflowAction['trigger']): Waiting[] {
    const positions = new Map(
      this.#stored.workflow.jobs.map((job, position) => [job.name, position]),
    )
    return this.#stored.workflow.actions.flatMap((action, index) => {
      if (action.trigger !== trigger) return []
      const left = new Set(action.jobs.flatMap((name) => positions.get(name) ?? []))
      for (const position of left)
        if (this.#stored.jobs[position]?.state === 'success') left.delete(position)
      return left.size === 0 ? [] : [{ action, index, left }]
    })
  }

  #came(waiting: Waiting[], positions: readonly number[]): void {
    if (waiting.length === 0) return
    for (const { action, index, left } of waiting) {
      if (left.size === 0) continue
      for (const position of positions) left.delete(position)
      if (left.size === 0) this.#start(action, index)
    }
  }

  #start(action: WorkflowAction, index: number): void {
    if (action.type === 'schedule_nodes' && this.#tools.scheduleNodes !== undefined) {
      this.#tools.scheduleNodes(action)
      return
    }
    if (action.type === 'schedule_nodes') {
      this.#settings.hears.note(
        `the action schedule_nodes (${action.trigger}) is for a cluster's scheduler; this runner uses its own machine`,
      )
      return
    }
    this.#chain = this.#chain.then(() => this.#run(action, index))
  }

  async #run(action: WorkflowAction, index: number): Promise<void> {
    const { outputDirectory, runId, hears } = this.#settings
    const file = join(
      outputDirectory,
      'job_stdio',
      `action_${this.#stored.workflowId}_${runId}_${index}`,
    )
    const environment = {
      ...this.#tools.environment,
      ...this.#stored.workflow.environment,
      JOBMETER_WORKFLOW_ID: String(this.#stored.workflowId),
      JOBMETER_RUN_ID: String(runId),
      JOBMETER_OUTPUT_DIR: outputDirectory,
    }
    for (const line of action.commands) {
      if (this.#stopped && action.trigger !== 'on_worker_complete') return
      const exitCode = await this.runCommand(line, {
        environment,
        stdout: `${file}.o`,
        stderr: `${file}.e`,
      })
      const said = this.#tools.system.files.isWritable(`${file}.e`) ? `; see ${file}.e` : ''
      if (exitCode !== 0)
        hears.trouble(`an action (${action.trigger}) exited with code ${exitCode}: ${line}${said}`)
    }
  }
}
