import type { Columns, DeviceRows } from '../../model/series.ts'
import { emptyUsage } from '../../model/usage.ts'
import type { LifeSign } from '../../store/spool/life-sign.ts'
import type { Clock } from '../../system/system.ts'
import { noteOf, type Attempt } from './attempt.ts'
import type {
  Asking,
  AttemptOrder,
  AttemptResult,
  Executor,
  ExecutorListener,
  LiveFigures,
} from './executor.ts'
import { SeenSoFar } from './seen-so-far.ts'

/** How sure it is that an attempt is over: its end was told; it is over, but nobody saw how; it may still run. */
export type Certainty = 'told' | 'gone' | 'lost'

/** What becomes of attempts, each told once and in order. */
export interface Course {
  orderOf(attempt: Attempt): AttemptOrder
  /** It has not started, for this reason. */
  waits(attempt: Attempt, why: string): void
  started(attempt: Attempt, figures: LiveFigures): void
  sampled(attempt: Attempt, rows: Float64Array, count: number, columns: Columns): void
  devicesSampled(attempt: Attempt, devices: readonly DeviceRows[]): void
  over(attempt: Attempt, result: AttemptResult, certainty: Certainty): void
  /** The end of an attempt that was given up. */
  late(attempt: Attempt, result: AttemptResult): void
  note(message: string): void
  trouble(message: string): void
}

interface Circumstances {
  readonly executor: Executor
  readonly clock: Clock
  /** Seconds since 1970 that never step back. */
  readonly time: () => number
  readonly notes: Pick<LifeSign, 'note' | 'forget'>
}

/**
 * Attempts that an executor has in hand, and one story of what it tells of them. Whatever comes twice, or of an attempt that
 * is over, is passed over. Who is silent is asked; who stays silent is given up for lost, and is never started again, for
 * it may still run.
 */
export class HandedOver implements ExecutorListener {
  readonly #executor: Executor
  readonly #circumstances: Circumstances
  readonly #course: Course
  /** Only of attempts of which nobody else knows more. */
  readonly #seen: SeenSoFar | null
  readonly #underWay = new Map<string, Attempt>()
  readonly #started = new Set<string>()
  /** When the executor last told something of each; only of those that can be asked. */
  readonly #heardAt = new Map<string, number>()
  readonly #accepted = new Set<string>()
  readonly #givenUp = new Map<string, Attempt>()
  readonly #withdrawn = new Set<string>()
  #endSignal: NodeJS.Signals | null = null
  #endRequests = 0
  #stopAsking: (() => void) | undefined

  constructor(circumstances: Circumstances, course: Course) {
    this.#executor = circumstances.executor
    this.#circumstances = circumstances
    this.#course = course
    this.#seen = this.#executor.asking === null ? new SeenSoFar(circumstances.notes) : null
    this.#executor.tellTo(this)
  }

  start(attempt: Attempt): void {
    const { taskId } = attempt.record
    this.#underWay.set(taskId, attempt)
    this.#executor.start(this.#course.orderOf(attempt))
    this.#expectWord(taskId)
    // Asked for before it was handed over.
    if (this.#endSignal !== null) this.#executor.cancel(taskId, this.#endSignal, this.#endRequests)
  }

  /** Attempts that the executor has adopted. */
  takeOver(attempt: Attempt): void {
    const { taskId } = attempt.record
    this.#underWay.set(taskId, attempt)
    this.#accepted.add(taskId)
    this.#expectWord(taskId)
  }

  /** Has all of them end, and those that are still to come. */
  cancelAll(signal: NodeJS.Signals): void {
    this.#endSignal = signal
    this.#endRequests += 1
    for (const taskId of this.#underWay.keys())
      this.#executor.cancel(taskId, signal, this.#endRequests)
  }

  /** Has those end that have not begun: nothing more is to start. */
  withdrawUnstarted(): void {
    for (const taskId of this.#underWay.keys())
      if (!this.#started.has(taskId)) {
        this.#withdrawn.add(taskId)
        this.#executor.cancel(taskId, 'SIGTERM', Math.max(1, this.#endRequests))
      }
  }

  /** Whether it was to end because it had not begun when nothing more was to start. */
  wasWithdrawn(taskId: string): boolean {
    return this.#withdrawn.has(taskId)
  }

  /** Until its end is in the ledger, what was last seen of it is all that is left of it should we be killed. */
  endIsKept({ record }: Attempt): void {
    this.#seen?.forget(record.taskId)
  }

  close(): void {
    this.#stopAsking?.()
    this.#givenUp.clear()
    this.#executor.close()
  }

  accepted(taskId: string, handle: object): void {
    const attempt = this.#heardOf(taskId)
    if (attempt === undefined) return
    if (this.#asking !== null) this.#accepted.add(taskId)
    this.#circumstances.notes.note(taskId, noteOf(attempt, handle, this.#asking !== null))
  }

  waits(taskId: string, why: string): void {
    const attempt = this.#heardOf(taskId)
    if (attempt !== undefined && !this.#started.has(taskId)) this.#course.waits(attempt, why)
  }

  started(taskId: string, figures: LiveFigures): void {
    const attempt = this.#heardOf(taskId)
    if (attempt === undefined || this.#started.has(taskId)) return
    this.#started.add(taskId)
    if (this.#asking !== null) this.#accepted.add(taskId)
    this.#course.started(attempt, figures)
  }

  sampled(taskId: string, rows: Float64Array, count: number, columns: Columns): void {
    const attempt = this.#heardOf(taskId)
    if (attempt === undefined) return
    this.#seen?.note(taskId, rows, count, columns.length)
    this.#course.sampled(attempt, rows, count, columns)
  }

  devicesSampled(taskId: string, devices: readonly DeviceRows[]): void {
    const attempt = this.#heardOf(taskId)
    if (attempt !== undefined) this.#course.devicesSampled(attempt, devices)
  }

  ended(taskId: string, result: AttemptResult): void {
    const attempt = this.#underWay.get(taskId)
    if (attempt !== undefined) {
      this.#over(attempt, result, 'told')
      return
    }
    const given = this.#givenUp.get(taskId)
    if (given === undefined) return
    this.#givenUp.delete(taskId)
    this.#course.late(given, result)
  }

  gone(taskId: string, why: string): void {
    const attempt = this.#underWay.get(taskId)
    if (attempt !== undefined) this.#over(attempt, this.#untold(attempt, why), 'gone')
  }

  /**
   * It has not arrived: handed over again it is started once all the same. Of one that has arrived this is old news, or the
   * executor has forgotten it, which says nothing of whether it runs.
   */
  unknown(taskId: string): void {
    const attempt = this.#underWay.get(taskId)
    if (attempt === undefined || this.#accepted.has(taskId) || this.#endSignal !== null) return
    this.#executor.start(this.#course.orderOf(attempt))
  }

  note(message: string): void {
    this.#course.note(message)
  }

  trouble(message: string): void {
    this.#course.trouble(message)
  }

  get #asking(): Asking | null {
    return this.#executor.asking
  }

  #heardOf(taskId: string): Attempt | undefined {
    const attempt = this.#underWay.get(taskId)
    if (attempt !== undefined && this.#asking !== null)
      this.#heardAt.set(taskId, this.#circumstances.clock.monotonicSeconds())
    return attempt
  }

  #over(attempt: Attempt, result: AttemptResult, certainty: Certainty): void {
    const { taskId } = attempt.record
    this.#underWay.delete(taskId)
    this.#started.delete(taskId)
    if (this.#asking !== null) {
      this.#heardAt.delete(taskId)
      this.#accepted.delete(taskId)
    }
    // Who comes after us may still ask for one that is lost.
    if (certainty !== 'lost') this.#circumstances.notes.forget(taskId)
    this.#course.over(attempt, result, certainty)
  }

  #expectWord(taskId: string): void {
    if (this.#asking === null) return
    this.#heardOf(taskId)
    if (this.#stopAsking === undefined) this.#askLater(this.#asking)
  }

  #askLater(asking: Asking): void {
    this.#stopAsking = this.#circumstances.clock.after(asking.afterSeconds, () => {
      this.#stopAsking = undefined
      this.#askSilent(asking)
      if (this.#underWay.size > 0) this.#askLater(asking)
    })
  }

  #askSilent({ afterSeconds, giveUpSeconds, ask }: Asking): void {
    const now = this.#circumstances.clock.monotonicSeconds()
    const silent: string[] = []
    for (const [taskId, attempt] of this.#underWay) {
      const silentSeconds = now - (this.#heardAt.get(taskId) ?? now)
      if (silentSeconds >= giveUpSeconds) this.#giveUp(attempt, silentSeconds)
      else {
        if (this.#endSignal !== null)
          this.#executor.cancel(taskId, this.#endSignal, this.#endRequests)
        if (silentSeconds < afterSeconds) continue
        if (attempt.left === null) silent.push(taskId)
        else if (this.#executor.adopt([attempt.left]).length === 0) this.gone(taskId, 'it is over')
      }
    }
    if (silent.length > 0) ask(silent)
  }

  #giveUp(attempt: Attempt, silentSeconds: number): void {
    const why = `nothing was heard from it for ${Math.round(silentSeconds)} s; it may still be running`
    this.#givenUp.set(attempt.record.taskId, attempt)
    this.#over(attempt, this.#untold(attempt, why), 'lost')
  }

  #untold({ record }: Attempt, why: string): AttemptResult {
    const { startedAt, intervalSeconds } = record
    return {
      durationSeconds: Math.max(0, this.#circumstances.time() - startedAt),
      outcome: {
        status: 'interrupted',
        exitCode: null,
        signal: null,
        reason: why,
        stragglers: [],
      },
      usage: emptyUsage(why),
      samples: { collected: 0, intervalSeconds, late: 0, ownCpuSeconds: null },
      outline: [],
    }
  }
}
