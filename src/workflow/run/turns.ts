import { waitsText } from '../../model/elsewhere.ts'
import type { StoredWorkflow, WorkflowStore } from '../../store/ledger/workflow-store.ts'
import type { ActionRunner } from './actions.ts'
import type { Attempt } from './attempt.ts'
import type { Beginning } from './beginning.ts'
import type { Ending, Endings, Retry } from './endings.ts'
import type { RunObserver } from './events.ts'
import type { HandedOver } from './handed-over.ts'
import { LedgerQueue } from './ledger-queue.ts'
import { parseLeftNote } from './left-note.ts'
import { recover } from './recovery.ts'
import { Retries } from './retries.ts'
import type { RunOutput } from './run-output.ts'
import type { RunnerTools } from './runner-tools.ts'
import type { Schedule } from './schedule.ts'
import type { Stopping } from './stopping.ts'

/** How long a run that is to stop still tries to write down how its jobs ended. */
const lastTrySeconds = 10
/** Who took longer than this to write a few rows was stopped meanwhile. */
const longTurnSeconds = 5

interface RunParts {
  readonly tools: RunnerTools
  readonly stored: StoredWorkflow
  readonly observer: RunObserver
  readonly schedule: Schedule
  readonly beginning: Beginning
  readonly endings: Endings
  readonly handedOver: HandedOver
  readonly actions: ActionRunner
  readonly output: RunOutput
  readonly stopping: Stopping
}

/**
 * The turns of a run. Each is one transaction: it keeps what has ended, and begins what may start after that; then it
 * hands that over.
 */
export class Turns {
  readonly #parts: RunParts
  readonly #writes: LedgerQueue
  /** Those that are not in the ledger yet. */
  readonly #ended: Ending[] = []
  /** Attempts that were handed over, and recoveries, that have not come to their end. */
  #underWay = 0
  /** How attempts stand that were handed elsewhere, as far as that is not in the ledger yet. */
  #standings: ((workflows: WorkflowStore) => void)[] = []
  #hasGivenWay = false
  #fail: (error: unknown) => void = () => {}
  #over: () => void = () => {}

  constructor(parts: RunParts) {
    this.#parts = parts
    this.#writes = new LedgerQueue(parts.tools.system.clock, {
      onLong: () => parts.observer.note('waiting for another process to unlock the ledger'),
      onDone: () => this.#endIfIdle(),
      onFailure: (error) => this.#endWith(error),
    })
  }

  /** From the first start until nothing is under way and nothing more may start. */
  play(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#over = resolve
      this.#fail = reject
      this.#writes.add(() => this.#startWhatFits(() => {}))
    })
  }

  /** An attempt of a runner that died, which goes on. */
  goOnWith(attempt: Attempt): void {
    this.#underWay += 1
    const { taskId } = attempt.record
    const executor = parseLeftNote(attempt.left?.note ?? '')?.executor ?? null
    if (executor !== null)
      this.#keepStanding((workflows) =>
        workflows.takeUp(taskId, this.#parts.tools.owner, waitsText(executor)),
      )
    this.#parts.handedOver.takeOver(attempt)
  }

  /** An attempt that was handed elsewhere has not begun, for this reason. */
  waits({ record }: Attempt, why: string): void {
    this.#keepStanding((workflows) => workflows.keepWaiting(record.taskId, why))
  }

  /** The same has begun. */
  begun({ record }: Attempt, startedAt: number): void {
    this.#keepStanding((workflows) => workflows.keepBegun(record.taskId, startedAt))
  }

  /** Others that ended by now are told in this same turn of the event loop; what comes after it keeps them all at once. */
  ended(ending: Ending): void {
    if (this.#ended.push(ending) === 1)
      queueMicrotask(() => {
        const keep = (): void => this.#keepEndings()
        this.#writes.add(keep, () => void this.#takeEndings())
      })
  }

  /** An end that comes after its attempt was given up. */
  endedLate(ending: Ending): void {
    this.#writes.add(() => this.#parts.endings.keepLate(ending))
  }

  /** Something is to end the run: it goes on only until what runs has ended. */
  hurry(graceSeconds: number): void {
    this.#writes.waitNoLongerThan(graceSeconds + lastTrySeconds)
    this.#endIfIdle()
  }

  /** What is told in one turn of the event loop is one transaction. */
  #keepStanding(keep: (workflows: WorkflowStore) => void): void {
    if (this.#standings.push(keep) > 1) return
    queueMicrotask(() => {
      const { ledger } = this.#parts.tools
      const standings = this.#standings
      this.#standings = []
      this.#writes.add(() =>
        ledger.batch(() => {
          for (const keepOne of standings) keepOne(ledger.workflows)
        }),
      )
    })
  }

  #endIfIdle(): void {
    if (this.#underWay > 0 || !this.#writes.isEmpty) return
    if (this.#parts.stopping.trouble === null) this.#over()
    else this.#fail(this.#parts.stopping.trouble)
  }

  /** Does work in the ledger and, in the same transaction, begins what may start after it; then starts that. */
  #startWhatFits(work: () => void, afterwards: () => void = () => {}): void {
    const { ledger, system } = this.#parts.tools
    const { clock } = system
    const askedAt = clock.monotonicSeconds()
    const begun: Attempt[] = []
    ledger.batchAsOne(() => {
      this.#noticeReplacement()
      work()
      if (this.#isStopped || this.#parts.schedule.ready === 0 || !this.#hasOutput()) return
      for (
        let next = this.#parts.schedule.next();
        next !== undefined;
        next = this.#parts.schedule.next()
      ) {
        const stored = this.#parts.stored.jobs[next.position]
        if (stored === undefined) continue
        if (ledger.workflows.hasSucceeded(stored.jobId))
          this.#parts.endings.foundDone(stored, next.position)
        else begun.push(this.#parts.beginning.begin(stored, next, new Retries()))
      }
    })
    this.#parts.endings.tell()
    this.#parts.actions.becameReady(this.#parts.schedule.takeNewlyReady())
    const go = (): void => {
      if (this.#parts.stopping.isReplaced) this.#giveWay()
      else if (this.#isStopped) this.#parts.handedOver.withdrawUnstarted()
      else for (const attempt of begun) this.#handOver(attempt)
      afterwards()
    }
    // A write of its own, to be tried again by itself: what is committed must not be done twice.
    if (clock.monotonicSeconds() - askedAt > longTurnSeconds)
      this.#writes.add(() => {
        this.#noticeReplacement()
        go()
      })
    else go()
  }

  /** What we started is another runner's by now, and is to end; asked for a second time it would be killed. */
  #giveWay(): void {
    if (!this.#hasGivenWay) this.#parts.handedOver.cancelAll('SIGTERM')
    this.#hasGivenWay = true
  }

  get #isStopped(): boolean {
    return this.#parts.stopping.because !== null
  }

  /**
   * Who was stopped for long (a suspended machine, SIGSTOP) may have been taken for dead. To be called inside the
   * transaction that is to write: another can then take over before or after it, and not in between.
   */
  #noticeReplacement(): void {
    const { workflowId } = this.#parts.stored
    if (this.#parts.stopping.isReplaced) return
    if (!this.#parts.tools.ledger.workflows.holds(workflowId, this.#parts.tools.owner))
      this.#parts.stopping.replace(workflowId)
  }

  /** Whether there is a place for the logs of what is to start. Without one nothing more starts. */
  #hasOutput(): boolean {
    const lost = this.#parts.output.keep()
    if (lost === undefined) return true
    this.#parts.stopping.stop(
      `${lost}. Make it writable, or name another: jobmeter run --resume ${this.#parts.stored.workflowId} --output-dir DIR`,
    )
    return false
  }

  #handOver(attempt: Attempt): void {
    this.#underWay += 1
    this.#parts.handedOver.start(attempt)
  }

  /** In one transaction: a commit costs as much as all else that is written for a job. */
  #keepEndings(): void {
    const kept: Attempt[] = []
    const retries: Retry[] = []
    this.#startWhatFits(
      () => {
        for (const ending of this.#takeEndings()) {
          kept.push(ending.attempt)
          const retry = this.#parts.endings.keep(ending)
          if (retry !== undefined) retries.push(retry)
        }
      },
      () => {
        for (const attempt of kept) this.#parts.handedOver.endIsKept(attempt)
        for (const retry of retries) this.#recover(retry)
      },
    )
  }

  #takeEndings(): Ending[] {
    const endings = this.#ended.splice(0)
    this.#underWay -= endings.length
    return endings
  }

  /** Does what is to be done after a failed attempt, and then runs the job once more. */
  #recover(failed: Retry): void {
    const { actions, observer, endings } = this.#parts
    const { system, machine, environment } = this.#parts.tools
    const { workflow } = this.#parts.stored
    this.#underWay += 1
    const circumstances = {
      system,
      host: machine.host,
      actions,
      environment,
      workflow,
      hears: observer,
      isStopped: () => this.#isStopped,
    }
    void recover(circumstances, failed).then(({ retry, hasRecovered }) => {
      this.#underWay -= 1
      this.#writes.add(() => {
        if (hasRecovered && !this.#isStopped) this.#retry(retry)
        else this.#startWhatFits(() => endings.giveUp(retry))
      })
      return undefined
    })
  }

  #retry(retry: Retry): void {
    const { stored, start, retries } = retry.attempt
    const next: Attempt[] = []
    this.#startWhatFits(
      () => {
        if (this.#parts.stopping.isReplaced || !this.#hasOutput()) this.#parts.endings.giveUp(retry)
        // An adopted attempt may have run on a node that is not there any more.
        else if (start.node < 0) this.#parts.schedule.putBack(start.position)
        else next.push(this.#parts.beginning.begin(stored, start, retries))
      },
      () => {
        if (!this.#parts.stopping.isReplaced) for (const begun of next) this.#handOver(begun)
      },
    )
  }

  /**
   * Trouble that is not a job's own, such as a full disk under the ledger, ends the run once what runs has ended;
   * what is kept stays kept.
   */
  #endWith(error: unknown): void {
    if (this.#parts.stopping.stopWith(error)) this.#parts.handedOver.cancelAll('SIGTERM')
  }
}
