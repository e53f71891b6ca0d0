import { ok, unavailable, whyNot, type Reading } from '../../../model/reading.ts'
import type { GpuCard, GpuSource } from '../../../sensors/gpu/gpu-card.ts'
import { findSources } from '../../../sensors/gpu/sources.ts'
import type { System } from '../../../system/system.ts'
import type { MeteredJob } from '../gauge.ts'
import { JobGpus } from './job-gpus.ts'

/** Cards tell means over a sixth of a second or more: nothing new is seen sooner. */
const closestLooksSeconds = 0.2
/** Energy takes 4 ms to read on a large card. */
const seldomSeconds = 10
/** What the units of a card did takes a millisecond or more to read, and is a mean over the time since. */
const activitySeconds = 2

/** The cards of a machine that has some, looked at once for all jobs. */
export class OpenGpus {
  readonly cards: readonly GpuCard[]
  /** Counts the looks. */
  looks = 0
  readonly #system: System
  readonly #sources: readonly GpuSource[]
  readonly #wanted = new Map<GpuCard, number>()
  #lookedAt = -Infinity
  #lookedSeldomAt = -Infinity
  #activityAt = -Infinity

  constructor(system: System, sources: readonly GpuSource[]) {
    this.#system = system
    this.#sources = sources
    this.cards = sources.flatMap(({ cards }) => cards)
  }

  follow(job: MeteredJob): JobGpus {
    return new JobGpus(job, this)
  }

  /** Brings the cards up to date if that is due. `thorough` asks for what is dear as well, and waits for no turn. */
  look(thorough = false): void {
    const now = this.#system.clock.monotonicSeconds()
    if (!thorough && now - this.#lookedAt < closestLooksSeconds) return
    const seldom = thorough || now - this.#lookedSeldomAt >= seldomSeconds
    if (seldom) this.#lookedSeldomAt = now
    for (const source of this.#sources) source.look(seldom)
    this.#lookedAt = now
    this.looks += 1
    if (this.#wanted.size > 0 && (thorough || now - this.#activityAt >= activitySeconds))
      this.#readActivity(now)
  }

  /** From now on what the units of a card do is read, for as long as somebody wants it. */
  want(card: GpuCard): void {
    const wanted = this.#wanted.get(card) ?? 0
    this.#wanted.set(card, wanted + 1)
    // From here on: what it did before was for others.
    if (wanted === 0) for (const source of this.#sources) source.lookAtActivity([card])
    if (this.#wanted.size === 1) this.#activityAt = this.#system.clock.monotonicSeconds()
  }

  unwant(card: GpuCard): void {
    const left = (this.#wanted.get(card) ?? 1) - 1
    if (left > 0) this.#wanted.set(card, left)
    else this.#wanted.delete(card)
  }

  close(): void {
    for (const source of this.#sources) source.close()
  }

  #readActivity(now: number): void {
    this.#activityAt = now
    const cards = [...this.#wanted.keys()]
    for (const source of this.#sources) source.lookAtActivity(cards)
  }
}

/** Opens all that tells of cards; the answer says what was tried where nothing does. */
export async function openGpus(system: System): Promise<Reading<OpenGpus>> {
  const found = await findSources(system)
  const sources = found.flatMap(({ reading }) => (reading.kind === 'ok' ? [reading.value] : []))
  if (sources.length > 0) return ok(new OpenGpus(system, sources))
  const reasons = found.flatMap(({ reading }) => (reading.kind === 'ok' ? [] : [whyNot(reading)]))
  return unavailable(`no GPU can be read: ${reasons.join('; ') || 'there is none'}`)
}
