import type { LiveAlert, LiveNews } from '../../model/live.ts'
import { StoreError } from '../../store/errors.ts'
import { interruptedEnd, remainsOf } from '../../store/ledger/interrupted.ts'
import { SeenByOwners } from '../../store/spool/seen-by-owners.ts'
import { LedgerWatch } from '../../store/ledger/ledger-watch.ts'
import type { System } from '../../system/system.ts'
import { AlertSource } from './alert-source.ts'
import { interrupted } from './attempt-facts.ts'
import { DeadOwners } from './dead-owners.ts'
import type { FollowedAttempt } from './followed-attempt.ts'
import { LedgerSource } from './ledger-source.ts'
import { LiveAttempts } from './live-attempts.ts'
import type { Reading } from './reading.ts'
import { RunSamples } from './run-samples.ts'
import { SourceLost } from './source-lost.ts'
import { SpoolSource } from './spool-source.ts'
import { WorkflowSource } from './workflow-source.ts'

/** A ledger that appears with more attempts than this is one that was put there. */
const mostOfNewLedger = 1_000

/**
 * Reads what changed in a ledger, its spool, its series files and its alerts since the last time. Nothing is opened for
 * writing, and nothing is taken in: other processes never notice.
 */
export class LiveReading implements Reading {
  readonly #system: System
  readonly #path: string
  readonly #attempts = new LiveAttempts()
  readonly #spool: SpoolSource
  readonly #runs: RunSamples
  readonly #dead: DeadOwners
  readonly #workflows: WorkflowSource
  readonly #alerts: AlertSource
  /** Until the ledger was read once, or was not there: what it holds then is nothing new. */
  #isLedgerFirst = true
  #ledger: { readonly watch: LedgerWatch; readonly source: LedgerSource } | undefined

  constructor(system: System, path: string) {
    this.#system = system
    this.#path = path
    this.#spool = new SpoolSource(path, this.#attempts)
    this.#runs = new RunSamples(path)
    this.#dead = new DeadOwners(system, path)
    this.#workflows = new WorkflowSource(system, path)
    this.#alerts = new AlertSource(path, (alert) => this.#userOf(alert))
  }

  get isBusy(): boolean {
    return this.#attempts.isAnyRunning
  }

  read(onProblem: (problem: string) => void): LiveNews[] {
    const guarded = <T>(otherwise: T, work: () => T): T => {
      try {
        return work()
      } catch (error) {
        if (!(error instanceof StoreError)) throw error
        if (error.code !== 'locked') onProblem(error.message)
        return otherwise
      }
    }
    // In this order: what leaves the spool is in the ledger, and samples are written before the end is.
    guarded(undefined, () => this.#spool.read())
    guarded(undefined, () => {
      this.#readLedger()
      this.#isLedgerFirst = false
    })
    const now = this.#system.clock.monotonicSeconds()
    guarded(undefined, () => this.#readRuns(now))
    guarded(undefined, () => this.#endDead(now))
    const news = this.#attempts.news()
    this.#touchWorkflows(news)
    const ledger = this.#ledger?.watch
    if (ledger !== undefined) news.push(...guarded([], () => this.#workflows.read(ledger)))
    news.push(...guarded([], () => this.#alerts.read()))
    return news
  }

  close(): void {
    this.#ledger?.watch.close()
    this.#ledger = undefined
    this.#runs.close()
    this.#alerts.close()
  }

  #readLedger(): void {
    if (this.#ledger?.watch.isReplaced === true) throw new SourceLost('the ledger was replaced')
    this.#ledger ??= this.#openLedger()
    if (this.#ledger === undefined) return
    const { watch, source } = this.#ledger
    if (!watch.hasChanged()) return
    try {
      source.read()
      this.#workflows.touchAll()
    } catch (error) {
      watch.readAgain()
      throw error
    }
  }

  #openLedger(): { readonly watch: LedgerWatch; readonly source: LedgerSource } | undefined {
    const watch = LedgerWatch.open(this.#path)
    if (watch === undefined) return undefined
    if (!this.#isLedgerFirst && watch.newestAttemptId() > mostOfNewLedger) {
      watch.close()
      throw new SourceLost('a ledger was put in its place')
    }
    const source = new LedgerSource(watch, this.#attempts, this.#spool, this.#isLedgerFirst)
    return { watch, source }
  }

  #readRuns(now: number): void {
    if (this.#ledger === undefined) return
    const ofWorkflows = this.#attempts.untold().filter(({ facts }) => facts.workflowId !== null)
    this.#runs.read(this.#ledger.watch, ofWorkflows, now)
  }

  #endDead(now: number): void {
    // For all of them: a runner that was killed has noted each of its attempts in one file.
    const seen = new SeenByOwners(this.#path)
    for (const attempt of this.#dead.among(this.#attempts.running(), now))
      if (this.#ledger?.watch.isElsewhere(attempt.taskId) !== true)
        attempt.learn(interrupted(attempt.facts, this.#endOf(attempt, seen)))
  }

  /** From the samples where the next command that reads the ledger will find them. */
  #endOf(attempt: FollowedAttempt, seen: SeenByOwners): ReturnType<typeof interruptedEnd> {
    const { startedAt } = attempt.facts
    const tail = this.#spool.tailOf(attempt.taskId)
    const attemptId = this.#ledger?.source.idOf(attempt)
    return tail === undefined && this.#ledger !== undefined && attemptId !== undefined
      ? this.#ledger.watch.interruptedEnd(
          attemptId,
          startedAt,
          seen.of(attempt.taskId, attempt.owner),
        )
      : interruptedEnd(remainsOf(startedAt, tail?.wholeSeries() ?? []))
  }

  #touchWorkflows(news: readonly LiveNews[]): void {
    for (const event of news)
      if (event.kind === 'attempt' && event.attempt.workflowId !== null)
        this.#workflows.touch(event.attempt.workflowId)
  }

  /** An alert names the attempt that it was seen at; one that the ledger does not know is of whoever has the ledger. */
  #userOf({ subject: { taskId } }: LiveAlert): string {
    return (
      this.#attempts.find(taskId)?.facts.user ??
      this.#ledger?.watch.userOf(taskId) ??
      this.#system.host.user
    )
  }
}
