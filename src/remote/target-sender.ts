import { retrySeconds } from '../alert/delivery/pace.ts'
import type { RemoteState } from '../model/remote-state.ts'
import type { RemoteTarget } from '../model/remote-target.ts'
import type { MetricFamily } from '../render/metrics/family.ts'
import type { BatchFolder } from '../store/outgoing/batch-folder.ts'
import type { WaitingBatch } from '../store/outgoing/batch-name.ts'
import type { System } from '../system/system.ts'
import { batchOf, batchText, countSeries, inParts, measuredFamilies } from './batch-content.ts'
import { GoneSeries } from './gone-series.ts'
import type { SendOutcome } from './judge-reply.ts'
import type { BatchPost } from './send-batch.ts'
import { SendCounts } from './send-counts.ts'

/** As many as others send at once, a few times over. */
const mostSeriesPerBatch = 5000
const pace = { firstRetrySeconds: 1, longestRetrySeconds: 300 }

export interface SenderParts {
  readonly folder: BatchFolder
  readonly post: Pick<BatchPost, 'send'>
  /** Hears what is new: that it does not work, why, and that it works again. */
  readonly tell: (words: string) => void
  /** Hears of every change that others might ask for. */
  readonly changed: () => void
}

/** Sends to one target what waits for it, the oldest first, one request at a time. */
export class TargetSender {
  readonly #system: System
  readonly #target: RemoteTarget
  readonly #parts: SenderParts
  readonly #counts: SendCounts
  readonly #gone = new GoneSeries()
  /** What does not work now. */
  #problem: string | null = null
  readonly #told = new Set<string>()
  #adding: Promise<void> | undefined
  #isStopped = false
  /** How often the oldest batch was tried in vain. */
  #attempts = 0
  #settled: (() => void)[] = []
  #wake: (() => void) | undefined
  #ended: Promise<void> | undefined

  constructor(system: System, target: RemoteTarget, parts: SenderParts) {
    this.#system = system
    this.#target = target
    this.#parts = parts
    this.#counts = new SendCounts(system.clock.wallSeconds())
  }

  get problem(): string | null {
    return this.#problem
  }

  start(): void {
    this.#ended = this.#run()
  }

  /** Has families wait to be sent, as they are now. While the disk is still busy with the last ones, these are left out. */
  async add(families: readonly MetricFamily[]): Promise<void> {
    if (this.#adding !== undefined || this.#isStopped) return
    this.#adding = this.#added(families).finally(() => (this.#adding = undefined))
    await this.#adding
  }

  async #added(families: readonly MetricFamily[]): Promise<void> {
    const atMilliseconds = Math.round(this.#system.clock.wallSeconds() * 1000)
    let samples = 0
    try {
      for (const part of inParts(this.#gone.mark(measuredFamilies(families)), mostSeriesPerBatch)) {
        samples = countSeries(part)
        const content = batchText({ atMilliseconds, families: part })
        const dropped = await this.#parts.folder.add(atMilliseconds, samples, content)
        this.#counts.dropped('buffer_full', dropped.samples)
        if (dropped.batches > 0) this.#tellOnce('too much waits: the oldest are dropped')
        this.#wake?.()
      }
    } catch (error) {
      this.#counts.dropped('unwritable', samples)
      const code = (error as NodeJS.ErrnoException).code ?? String(error)
      this.#trouble(`what is to be sent cannot be written (${code})`)
    }
  }

  state(): RemoteState {
    const { folder } = this.#parts
    const oldest = folder.oldestMilliseconds
    const now = this.#system.clock.wallSeconds()
    return {
      target: this.#target.name,
      ...this.#counts.taken(),
      waitingBatches: folder.batches,
      waitingBytes: folder.bytes,
      lagSeconds: oldest === undefined ? 0 : Math.max(0, now - oldest / 1000),
    }
  }

  /** What waits stays. Whoever closes the connection ends the request that is under way. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.#wake?.()
    await this.#ended
    await this.#adding
  }

  /** Waits until nothing waits, or a request has failed: what waits then is tried again, by us or by the next who starts. */
  settled(): Promise<void> {
    return new Promise((resolve) => {
      const { batches } = this.#parts.folder
      if (this.#isStopped || batches === 0 || this.#attempts > 0) resolve()
      else this.#settled.push(resolve)
    })
  }

  #tellSettled(): void {
    for (const resolve of this.#settled.splice(0)) resolve()
  }

  async #run(): Promise<void> {
    while (!this.#isStopped) {
      const first = await this.#parts.folder.first()
      if (first === undefined) {
        this.#tellSettled()
        await this.#pause(undefined)
        continue
      }
      const { batch, content } = first
      const outcome = content === undefined ? 'broken' : await this.#send(content)
      if (this.#isStopped) return
      const wait = await this.#settle(batch, outcome, this.#attempts)
      this.#attempts = wait === undefined ? 0 : this.#attempts + 1
      this.#parts.changed()
      if (wait === undefined) continue
      this.#tellSettled()
      await this.#pause(wait)
    }
  }

  async #send(content: string): Promise<SendOutcome> {
    const { outcome, bodyBytes } = await this.#parts.post.send(batchOf(content))
    this.#counts.requested(bodyBytes)
    return outcome
  }

  /** Answers how long to wait before the same batch is tried again; undefined: it is done with. */
  async #settle(
    batch: WaitingBatch,
    outcome: SendOutcome | 'broken',
    attempts: number,
  ): Promise<number | undefined> {
    if (outcome !== 'broken' && outcome.kind === 'again') {
      this.#counts.failed(outcome.reason)
      this.#trouble(outcome.why)
      const backOff = retrySeconds(pace, attempts + 1, this.#system.randomId())
      return Math.max(outcome.afterSeconds ?? 0, backOff)
    }
    this.#drop(batch, outcome)
    await this.#parts.folder.remove(batch).catch(() => undefined)
    return undefined
  }

  #drop({ samples }: WaitingBatch, outcome: SendOutcome | 'broken'): void {
    if (outcome === 'broken') {
      this.#counts.dropped('broken', samples)
      this.#trouble('a file with what was to be sent is broken, and dropped')
    } else if (outcome.kind === 'sent') {
      this.#counts.sent(samples - outcome.refusedSamples, this.#system.clock.wallSeconds())
      this.#counts.dropped('refused', outcome.refusedSamples)
      if (outcome.why === null) this.#well()
      else this.#trouble(outcome.why)
    } else {
      this.#counts.failed('refused')
      this.#counts.dropped('refused', samples)
      this.#trouble(`${outcome.why}; what it refuses is dropped`)
    }
  }

  #trouble(why: string): void {
    this.#problem = why
    this.#tellOnce(why)
  }

  /** Each is told once, until all is well again. */
  #tellOnce(words: string): void {
    if (this.#told.has(words)) return
    this.#told.add(words)
    this.#parts.tell(`metrics for ${this.#target.name}: ${words}`)
  }

  #well(): void {
    this.#problem = null
    if (this.#told.size === 0) return
    this.#told.clear()
    this.#parts.tell(`metrics for ${this.#target.name}: sent again`)
  }

  /** Until something new waits (undefined), or so long; it ends at once when the sender is stopped. */
  #pause(seconds: number | undefined): Promise<void> {
    return new Promise((resolve) => {
      const isDue = seconds === undefined && this.#parts.folder.batches > 0
      if (this.#isStopped || isDue) return resolve()
      const cancel =
        seconds === undefined ? undefined : this.#system.clock.after(seconds, () => resolve())
      this.#wake = () => {
        // What is new does not shorten the wait after a failure.
        if (seconds !== undefined && !this.#isStopped) return
        cancel?.()
        resolve()
      }
    })
  }
}
