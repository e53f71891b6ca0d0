import { failed, ok, type Reading } from '../../model/reading.ts'
import type { HelperLine, System } from '../../system/system.ts'
import { GpuCard, type GpuSource } from './gpu-card.ts'
import {
  FrameReader,
  nvmlRequest,
  nvmlRequests,
  type GreetedCard,
  type NvmlGreeting,
} from './nvml-answers.ts'

const program = 'sensors/gpu/nvml-helper'
/** Where no other program has the driver open, starting it takes seconds. */
const longestStartSeconds = 30
const firstCheckSeconds = 0.005
const longestBetweenChecksSeconds = 0.25
/**
 * Nothing else is done meanwhile: the end of a job is not heard, nor its limit of time. A look takes less than a millisecond a
 * card, or some where energy is asked for.
 */
const longestWaitSeconds = 0.1
/** On a busy machine an answer may take that long. Until then the cards are as they were. */
const longestSilenceSeconds = 1
/** What was asked for longer ago than this is not of the look that takes it. */
const longestAheadSeconds = 0.2

/**
 * NVIDIA's cards, asked for by a process of its own: the driver of a card that fell off the bus may never answer. While an answer
 * is missing the cards have failed, and nobody waits for it; when it comes, they are back.
 */
export class NvmlProcess implements GpuSource {
  readonly name = 'NVML'
  readonly cards: readonly GpuCard[]
  readonly #clock: System['clock']
  readonly #line: HelperLine
  readonly #frames = new FrameReader()
  readonly #places: ReadonlyMap<GpuCard, number>
  /** When the request was made that is not answered yet; NaN where there is none. */
  #askedAt = Number.NaN
  /** Whether somebody has waited for that answer already. */
  #hasWaited = false
  /** The look that was asked for ahead and not taken yet, and when that was. */
  #ahead: Buffer | undefined
  #aheadAt = Number.NaN
  #hasEnded = false

  private constructor(system: System, line: HelperLine, cards: readonly GpuCard[]) {
    this.#clock = system.clock
    this.#line = line
    this.cards = cards
    this.#places = new Map(cards.map((card, place) => [card, place]))
  }

  static async open(system: System): Promise<Reading<NvmlProcess>> {
    const line = await system.startHelper(program)
    if (line.kind !== 'ok') return line
    const greeting = await greetingOf(system, line.value)
    if (greeting.kind === 'ok')
      return ok(new NvmlProcess(system, line.value, greeting.value.map(cardOf)))
    line.value.kill()
    return greeting
  }

  ask(seldom: boolean): void {
    const look = lookOf(seldom)
    if (this.#isAhead(look)) return
    this.#ahead = this.#send(look) ? look : undefined
    this.#aheadAt = this.#askedAt
  }

  look(seldom: boolean): boolean {
    const look = lookOf(seldom)
    const isAhead = this.#isAhead(look)
    this.#ahead = undefined
    if (!isAhead) return this.#ask(look)
    return !this.#isWaiting || this.#takeAnswer()
  }

  lookAtActivity(cards: readonly GpuCard[]): void {
    const places = cards.flatMap((card) => this.#places.get(card) ?? [])
    if (places.length > 0) this.#ask(nvmlRequest(nvmlRequests.activity, ...places))
  }

  lookAtShares(card: GpuCard): void {
    const place = this.#places.get(card)
    if (place !== undefined) this.#ask(nvmlRequest(nvmlRequests.shares, place))
  }

  close(): void {
    if (this.#isWaiting) this.#line.kill()
    else this.#line.close()
  }

  get #isWaiting(): boolean {
    return !Number.isNaN(this.#askedAt)
  }

  #isAhead(look: Buffer): boolean {
    if (this.#ahead !== look) return false
    return this.#clock.monotonicSeconds() - this.#aheadAt <= longestAheadSeconds
  }

  /** Whether it was answered. */
  #ask(request: Buffer): boolean {
    return this.#send(request) && this.#takeAnswer()
  }

  /** False where it could not be sent, or the answer before it is missing. */
  #send(request: Buffer): boolean {
    if (this.#hasEnded) return false
    if (this.#isWaiting && !this.#takeAnswer()) return false
    this.#askedAt = this.#clock.monotonicSeconds()
    this.#hasWaited = false
    if (this.#line.send(request)) return true
    this.#end()
    return false
  }

  /** Whether there was one. Nobody waits a second time for the same answer. */
  #takeAnswer(): boolean {
    const answer = this.#line.receive(this.#hasWaited ? 0 : longestWaitSeconds)
    this.#hasWaited = true
    if (answer === 'ended') this.#end()
    else if (answer === 'none yet') {
      const seconds = this.#clock.monotonicSeconds() - this.#askedAt
      if (seconds >= longestSilenceSeconds) this.#fail(noAnswer(seconds))
    } else {
      this.#frames.read(answer, this.cards)
      this.#askedAt = Number.NaN
      return true
    }
    return false
  }

  #end(): void {
    this.#hasEnded = true
    this.#fail('the process that asks the GPU driver ended')
  }

  #fail(why: string): void {
    for (const card of this.cards) card.fail(why)
  }
}

const plainLook = nvmlRequest(nvmlRequests.look)
const dearLook = nvmlRequest(nvmlRequests.lookSeldom)
const lookOf = (seldom: boolean): Buffer => (seldom ? dearLook : plainLook)

const noAnswer = (seconds: number): string =>
  `the GPU driver did not answer for ${seconds.toFixed(seconds < 10 ? 1 : 0)} s`

function cardOf({ identity, isDivided }: GreetedCard): GpuCard {
  const card = Object.assign(new GpuCard(identity), { isDivided })
  card.awaitAnswer()
  return card
}

async function greetingOf(system: System, line: HelperLine): Promise<NvmlGreeting> {
  const { clock } = system
  const until = clock.monotonicSeconds() + longestStartSeconds
  let seconds = firstCheckSeconds
  while (clock.monotonicSeconds() < until) {
    const bytes = line.receive(0)
    if (bytes === 'ended') return failed('the process that asks the GPU driver ended')
    if (bytes !== 'none yet') return JSON.parse(bytes.toString()) as NvmlGreeting
    await new Promise<void>((resolve) => clock.after(seconds, resolve))
    seconds = Math.min(seconds * 1.2, longestBetweenChecksSeconds)
  }
  return failed(noAnswer(longestStartSeconds))
}
