import { isBeingRun } from '../../service/find-workflow.ts'
import { AttemptLife } from '../../service/live/attempt-life.ts'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { JobPlace } from '../../store/ledger/workflow-store.ts'
import { signalNumber } from '../../system/signals.ts'
import type { System } from '../../system/system.ts'

const pollSeconds = 0.1

/** Looks on while an attempt runs, until it ends, its runner is dead or the user has seen enough. */
export class Following {
  readonly #system: System
  readonly #reader: LedgerReader
  readonly #life: AttemptLife
  #stoppedBy: NodeJS.Signals | undefined

  constructor(system: System, reader: LedgerReader) {
    this.#system = system
    this.#reader = reader
    this.#life = new AttemptLife(system, reader)
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      system.processes.onSignal(signal, () => {
        this.#stoppedBy ??= signal
      })
  }

  /** As shells count it: 130 after Ctrl-C. */
  get exitCode(): number {
    return this.#stoppedBy === undefined ? 0 : 128 + signalNumber(this.#stoppedBy)
  }

  /** Waits for a job that has not begun, as long as somebody runs its workflow. */
  async untilStarted({ jobId, workflowId }: JobPlace, onWait: () => void): Promise<void> {
    const { workflows } = this.#reader
    let isTold = false
    for (;;) {
      const [job] = await workflows.findJobs({ jobId, workflowId })
      if (job === undefined || job.attempts > 0 || job.state !== 'waiting') return
      const workflow = await workflows.findWorkflowRow(workflowId)
      if (workflow === undefined || this.#stoppedBy !== undefined) return
      if (this.#life.isTimeToLook()) {
        const runs = await workflows.runs(workflowId)
        if (!isBeingRun(this.#system, this.#reader, workflow, runs)) return
      }
      if (!isTold) onWait()
      isTold = true
      await new Promise<void>((resolve) => this.#system.clock.after(pollSeconds, resolve))
    }
  }

  async goesOn(taskId: string): Promise<boolean> {
    if (this.#stoppedBy !== undefined) return false
    return this.#life.goesOn(taskId)
  }
}
