import type { Reading } from '../../model/reading.ts'
import { framed, lineHead } from '../../system/helper-end.ts'
import { GpuActivity, type GpuCard, type GpuIdentity, type GpuOddities } from './gpu-card.ts'

/** What the process that asks NVML says first: its cards, or why there are none. */
export type NvmlGreeting = Reading<readonly GreetedCard[]>

export interface GreetedCard {
  readonly identity: GpuIdentity
  readonly isDivided: boolean
}

/** What it can be asked for; a request is one of these, and numbers. */
export const nvmlRequests = { look: 1, lookSeldom: 2, activity: 3, shares: 4 } as const

export const nvmlRequest = (wanted: number, ...places: readonly number[]): Buffer =>
  framed(new Uint8Array(Uint32Array.of(wanted, ...places).buffer))

const gauges = [
  'utilizationPercent',
  'memoryUtilizationPercent',
  'memoryUsedBytes',
  'memoryTotalBytes',
  'temperatureCelsius',
  'powerWatts',
  'powerLimitWatts',
  'clockMegahertz',
  'mostClockMegahertz',
  'throttle',
  'energyJoules',
  'eccErrors',
] as const satisfies readonly (keyof GpuCard)[]
const activityKeys = Object.keys(new GpuActivity()) as (keyof GpuActivity)[]
/** Of each process: its pid, its memory and its share. */
const processFields = 3

/** Cards as the last look left them, as numbers; after them, as JSON, why something is not told. */
export class CardFrames {
  #bytes = Buffer.alloc(0)
  #numbers = new Float64Array()
  #at = 0
  #reasons = ''
  #text = Buffer.alloc(0)

  /** With room for its head before it. */
  write(cards: readonly GpuCard[]): Buffer {
    const text = this.#textOf(cards)
    const count = cards.reduce((sum, card) => sum + numbersOf(card), 1)
    const textAt = lineHead + count * 8
    if (this.#bytes.length < textAt + text.length) this.#grow(textAt + text.length)
    this.#at = lineHead / 8
    this.#put(count)
    for (const card of cards) this.#writeCard(card)
    text.copy(this.#bytes, textAt)
    return this.#bytes.subarray(0, textAt + text.length)
  }

  #textOf(cards: readonly GpuCard[]): Buffer {
    const reasons = JSON.stringify(cards.map(reasonsOf))
    if (reasons !== this.#reasons) this.#text = Buffer.from(reasons)
    this.#reasons = reasons
    return this.#text
  }

  #grow(bytes: number): void {
    const room = new ArrayBuffer(Math.ceil(bytes / 4096) * 4096)
    this.#bytes = Buffer.from(room)
    this.#numbers = new Float64Array(room)
  }

  #put(value: number): void {
    this.#numbers[this.#at++] = value
  }

  #writeCard(card: GpuCard): void {
    for (const key of gauges) this.#put(card[key])
    for (const key of activityKeys) this.#put(card.activity[key])
    const { processes } = card
    this.#put(processes.tellsUtilization ? 1 : 0)
    this.#put(processes.sharesAnswers)
    this.#put(processes.count)
    for (let at = 0; at < processes.count; at++) {
      this.#put(processes.pids[at] ?? 0)
      this.#put(processes.memoryBytes[at] ?? Number.NaN)
      this.#put(processes.utilizationPercent[at] ?? Number.NaN)
    }
  }
}

const numbersOf = ({ processes }: GpuCard): number =>
  gauges.length + activityKeys.length + 3 + processes.count * processFields

type Reason = string | null
type Reasons = readonly [
  failure: Reason,
  activity: Reason,
  processes: Reason,
  oddities: GpuOddities,
]

const reasonsOf = ({ failure, activityLoss, processes, oddities }: GpuCard): Reasons => [
  failure,
  activityLoss,
  processes.loss,
  oddities,
]

/** Takes over what a frame says of the same cards. */
export class FrameReader {
  /** Reasons seldom change: they are read again when they do. */
  #text: Buffer = Buffer.alloc(0)
  #reasons: readonly Reasons[] = []
  #numbers: Float64Array = new Float64Array()
  #at = 0

  /** The frame begins at a multiple of 8 bytes, as it was written. */
  read(frame: Buffer, cards: readonly GpuCard[]): void {
    this.#numbers = new Float64Array(frame.buffer, frame.byteOffset, Math.floor(frame.length / 8))
    this.#at = 0
    const text = frame.subarray(this.#take() * 8)
    if (!text.equals(this.#text)) {
      this.#text = Buffer.from(text)
      this.#reasons = JSON.parse(text.toString()) as readonly Reasons[]
    }
    for (const [index, card] of cards.entries()) {
      this.#readCard(card)
      const [failure = null, activity = null, processes = null, oddities = {}] =
        this.#reasons[index] ?? []
      card.failure = failure
      card.isUnread = false
      card.activityLoss = activity
      card.processes.loss = processes
      card.oddities = oddities
    }
  }

  #take(): number {
    return this.#numbers[this.#at++] ?? Number.NaN
  }

  #readCard(card: GpuCard): void {
    for (const key of gauges) card[key] = this.#take()
    for (const key of activityKeys) card.activity[key] = this.#take()
    const { processes } = card
    processes.tellsUtilization = this.#take() === 1
    processes.sharesAnswers = this.#take()
    processes.count = this.#take()
    for (let at = 0; at < processes.count; at++) {
      processes.pids[at] = this.#take()
      processes.memoryBytes[at] = this.#take()
      processes.utilizationPercent[at] = this.#take()
    }
  }
}
