import type { LiveEvent, ToldEvent } from '../../model/live.ts'
import type { System } from '../../system/system.ts'
import { EventRing, type RingRoom } from './event-ring.ts'
import { LiveReading } from './live-reading.ts'
import type { Reading } from './reading.ts'
import { SourceLost } from './source-lost.ts'

/** Between two readings: what was written is told before the next is, and a listener has it within a second. */
const busySeconds = 0.2
const idleSeconds = 0.5
/** Until it is tried again after something went wrong that nobody has thought of. */
const failedSeconds = 5
/** After the last listener has left, it is waited so long for one to come back. */
const lingerSeconds = 60

const usualRoom: RingRoom = { mostEvents: 8_000, mostCharacters: 4_000_000 }

/** Hears events, in their order, some at a time. */
export type LiveListener = (events: readonly ToldEvent[]) => void

export interface LiveFeedSettings {
  /** Makes one line of text of an event, once for all listeners; without it, JSON. */
  readonly textOf?: (event: LiveEvent) => string
  /** How much is held for those who were away. */
  readonly room?: RingRoom
  /** Hears, once, of each thing that cannot be read. */
  readonly onProblem?: (problem: string) => void
  /** Reads what changes; without it, the file of a ledger is read. */
  readonly newReading?: () => Reading
}

/**
 * What happens in a ledger while somebody listens: one reading for any number of listeners. It reads what jobs write anyway
 * (ledger, spool, series files and alerts), and neither writes nor waits: no job ever notices.
 *
 * A listener first calls `listen`, then reads what it wants to show, and then goes by the events: what it has read may be
 * told again, but nothing is missing. One that was away comes back with the last id that it has seen.
 *
 * @example
 * ```ts
 * const feed = new LiveFeed(system, ledgerPath)
 * const stop = feed.listen((events) => events.forEach(({ id, text }) => write(id, text)), lastEventId)
 * ```
 */
export class LiveFeed {
  readonly #system: System
  readonly #ledger: string
  readonly #settings: LiveFeedSettings
  readonly #listeners = new Set<LiveListener>()
  readonly #problems = new Set<string>()
  #ring: EventRing
  #reading: Reading | undefined
  #cancel: (() => void) | undefined
  #lonelySince: number | undefined
  #isStopped = false

  constructor(system: System, ledger: string, settings: LiveFeedSettings = {}) {
    this.#system = system
    this.#ledger = ledger
    this.#settings = settings
    this.#ring = this.#newRing()
  }

  /** The id of the last event that was told. */
  get newestId(): string {
    return this.#ring.newestId
  }

  get listenerCount(): number {
    return this.#listeners.size
  }

  /**
   * Tells a listener all that happens from now on; with an id, also what happened after that event, or `reset`, before this
   * returns. The first listener is told what runs before this returns: what begins later is told to have begun. The answer
   * ends it.
   */
  listen(listener: LiveListener, after?: string): () => void {
    if (this.#isStopped) return () => {}
    const missed = after === undefined ? [] : (this.#ring.after(after) ?? [this.#reset()])
    if (missed.length > 0) this.#tell(listener, missed)
    this.#listeners.add(listener)
    this.#lonelySince = undefined
    if (this.#cancel === undefined) this.#round()
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size === 0) this.#lonelySince = this.#system.clock.monotonicSeconds()
    }
  }

  /** Reads no more, and forgets its listeners. */
  stop(): void {
    this.#isStopped = true
    this.#listeners.clear()
    this.#sleep()
  }

  #newRing(): EventRing {
    const { room = usualRoom, textOf = JSON.stringify } = this.#settings
    return new EventRing(this.#system.randomId().slice(0, 12), room, textOf)
  }

  #reset(): ToldEvent {
    return this.#ring.aside({ kind: 'reset' })
  }

  /** Who comes back after that has missed everything. */
  #sleep(): void {
    this.#cancel?.()
    this.#cancel = undefined
    this.#reading?.close()
    this.#reading = undefined
    this.#ring = this.#newRing()
  }

  #round(): void {
    const since = this.#lonelySince
    if (since !== undefined && this.#system.clock.monotonicSeconds() - since > lingerSeconds) {
      this.#sleep()
      return
    }
    const hasFailed = !this.#readAndTell()
    const seconds = this.#reading?.isBusy === true ? busySeconds : idleSeconds
    this.#cancel = this.#system.clock.after(hasFailed ? failedSeconds : seconds, () =>
      this.#round(),
    )
  }

  /** False where something went wrong that nobody has thought of. */
  #readAndTell(): boolean {
    this.#reading ??= this.#newReading()
    try {
      this.#tellAll(this.#read(this.#reading))
      return true
    } catch (error) {
      return this.#beginAnew(error)
    }
  }

  #newReading(): Reading {
    return this.#settings.newReading?.() ?? new LiveReading(this.#system, this.#ledger)
  }

  #read(reading: Reading): LiveEvent[] {
    return reading.read((problem) => this.#complain(problem))
  }

  /** First all is read again, then listeners are told: what happens while they read anew is told to them as well. */
  #beginAnew(because: unknown): boolean {
    this.#reading?.close()
    this.#reading = this.#newReading()
    if (!(because instanceof SourceLost)) this.#complain(messageOf(because))
    try {
      const found = this.#read(this.#reading)
      this.#tellAll([{ kind: 'reset' }, ...found])
      return because instanceof SourceLost
    } catch (error) {
      this.#complain(messageOf(error))
      this.#reading.close()
      this.#reading = undefined
      this.#tellAll([{ kind: 'reset' }])
      return false
    }
  }

  #tellAll(events: readonly LiveEvent[]): void {
    if (events.length === 0) return
    const told = events.map((event) => this.#ring.add(event))
    for (const listener of this.#listeners) this.#tell(listener, told)
  }

  /** One listener that fails must not keep the others from hearing. */
  #tell(listener: LiveListener, events: readonly ToldEvent[]): void {
    try {
      listener(events)
    } catch (error) {
      this.#complain(messageOf(error))
    }
  }

  #complain(problem: string): void {
    if (this.#problems.has(problem) || this.#problems.size >= mostProblems) return
    this.#problems.add(problem)
    this.#settings.onProblem?.(problem)
  }
}

/** Nobody reads more. */
const mostProblems = 100

const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error)
