import { throttledBy, type GpuActivity, type GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import type { JobDevice, JobDevices } from '../../job-devices.ts'
import { cardColumns, writeRow } from './card-columns.ts'
import { ownWatts, type OwnPart } from './own-part.ts'

/** A mean over time: each value speaks of the time since the last. */
export class SpanMean {
  area = 0
  seconds = 0

  add(value: number, seconds: number): void {
    if (!(value >= 0) || !(seconds > 0)) return
    this.area += value * seconds
    this.seconds += seconds
  }

  /** NaN where nothing was ever told. */
  get mean(): number {
    return this.seconds > 0 ? this.area / this.seconds : Number.NaN
  }
}

export const activityKeys = [
  'smActivePercent',
  'smOccupancyPercent',
  'tensorPercent',
  'dramPercent',
  'fp64Percent',
  'fp32Percent',
  'fp16Percent',
  'integerPercent',
  'pcieBytesPerSecond',
  'nvlinkBytesPerSecond',
] as const satisfies readonly (keyof GpuActivity)[]

/** When a look was, and how much time it speaks of. */
interface Look {
  readonly elapsedSeconds: number
  readonly seconds: number
  /** No process of the job is left. */
  readonly isOver: boolean
}

/** Below this a window of activity speaks of too little time. */
const leastWindowSeconds = 0.3
/** Of a window, for which the job must have held the card. The last look of a job comes when its processes are gone. */
const leastHeldShare = 0.4

/** One card while a job runs: what is added up of it, whether or not it turns out to be the job's. */
export class CardUse {
  readonly card: GpuCard
  /** Whether it was given to the job. */
  isGiven = false
  isTouched = false
  /** Others used it while the job did. */
  isShared = false
  /** Its work, whosever it was, counts as the job's. */
  isWholeCard = false
  readonly utilization = new SpanMean()
  readonly memoryUtilization = new SpanMean()
  readonly own = new SpanMean()
  readonly power = new SpanMean()
  /** What of it was for the job. */
  readonly ownPower = new SpanMean()
  /** What of it was the job's could not be told at some look. */
  isUndivided = false
  /** Its work for whomever, while the job held it. */
  readonly heldUtilization = new SpanMean()
  /** While the job held it and it worked; a share of the fastest that it can. */
  readonly clock = new SpanMean()
  readonly activity = new Map(activityKeys.map((key) => [key, new SpanMean()]))
  heldSeconds = 0
  /** At some look nothing told whether the card was held back. */
  isThrottlingUntold = false
  powerThrottledSeconds = 0
  heatThrottledSeconds = 0
  utilizationPeak = Number.NaN
  ownUtilizationPercent = Number.NaN
  memoryUsedPeak = Number.NaN
  ownMemoryPeak = Number.NaN
  temperaturePeak = Number.NaN
  powerPeak = Number.NaN
  /** Its counter when the job began: before the first look, it drew what it drew then. */
  energyStart = Number.NaN
  eccStart = Number.NaN
  /** When it could last be read, of one that failed. */
  failedAtSeconds = Number.NaN
  /** The last time that it was held without a break. */
  #heldSince = Number.NaN
  #heldUntil = Number.NaN
  #isHeld = false
  #ownWatts = Number.NaN
  readonly #firstReading: number
  #readings: number
  #device: JobDevice | undefined

  constructor(card: GpuCard) {
    this.card = card
    this.#firstReading = this.#readings = card.activity.readings
  }

  take(own: OwnPart, look: Look): void {
    const { card } = this
    if (card.failure !== null) {
      if (Number.isNaN(this.failedAtSeconds)) this.failedAtSeconds = look.elapsedSeconds
      return
    }
    this.failedAtSeconds = Number.NaN
    this.#takeCard(look)
    if (look.isOver) this.#takeRest(look.seconds)
    else this.#takeOwn(own, look)
    this.#takeActivity(look.elapsedSeconds)
  }

  /** Writes what was seen into a row of the card's own. */
  keep(devices: JobDevices, own: OwnPart, elapsedSeconds: number): void {
    if (this.card.failure !== null) return
    this.#device ??= devices.open({ kind: 'gpu', id: this.card.identity.id }, cardColumns)
    const { readings } = this.card.activity
    writeRow(this.#device.values, this.card, own, readings > this.#firstReading)
    this.#device.keep(elapsedSeconds)
  }

  #takeCard({ elapsedSeconds, seconds }: Look): void {
    const { card } = this
    this.utilization.add(card.utilizationPercent, seconds)
    this.memoryUtilization.add(card.memoryUtilizationPercent, seconds)
    this.power.add(card.powerWatts, seconds)
    this.utilizationPeak = higher(this.utilizationPeak, card.utilizationPercent)
    this.memoryUsedPeak = higher(this.memoryUsedPeak, card.memoryUsedBytes)
    this.temperaturePeak = higher(this.temperaturePeak, card.temperatureCelsius)
    this.powerPeak = higher(this.powerPeak, card.powerWatts)
    if (Number.isNaN(this.energyStart))
      this.energyStart =
        card.energyJoules + card.joulesSince - (card.powerWatts || 0) * elapsedSeconds
    if (Number.isNaN(this.eccStart)) this.eccStart = card.eccErrors
  }

  #takeOwn(own: OwnPart, { elapsedSeconds, seconds }: Look): void {
    const watts = ownWatts(this.card, own)
    if (Number.isNaN(watts) && this.card.powerWatts >= 0) this.isUndivided = true
    this.#ownWatts = watts
    this.ownPower.add(watts, seconds)
    this.ownUtilizationPercent = own.utilizationPercent
    this.own.add(own.utilizationPercent, seconds)
    const isInUse =
      own.isUnknown && (this.card.processes.count > 0 || this.card.processes.loss !== null)
    this.#isHeld = own.count > 0 || isInUse
    if (!this.#isHeld) return
    if (own.count > 0) this.isTouched = true
    if (own.isWholeCard) this.isWholeCard = true
    if (own.count > 0 && own.others > 0) this.isShared = true
    // It was there for as long as nobody looked, too.
    if (!(elapsedSeconds - seconds <= this.#heldUntil)) this.#heldSince = elapsedSeconds
    this.#heldUntil = elapsedSeconds
    this.ownMemoryPeak = higher(this.ownMemoryPeak, own.memoryBytes)
    this.#takeHeld(seconds)
  }

  /** Its processes are gone, and with them what the last look could tell of them: what stood before held on till the end. */
  #takeRest(seconds: number): void {
    this.ownPower.add(this.#ownWatts, seconds)
    this.own.add(this.ownUtilizationPercent, seconds)
    if (this.#isHeld) this.#takeHeld(seconds)
  }

  #takeHeld(seconds: number): void {
    const { throttle, utilizationPercent, clockMegahertz, mostClockMegahertz } = this.card
    this.heldSeconds += seconds
    this.heldUtilization.add(utilizationPercent, seconds)
    if (utilizationPercent > 0) this.clock.add((100 * clockMegahertz) / mostClockMegahertz, seconds)
    if (!(throttle >= 0)) this.isThrottlingUntold = true
    if ((throttle & throttledBy.power) !== 0) this.powerThrottledSeconds += seconds
    if ((throttle & throttledBy.heat) !== 0) this.heatThrottledSeconds += seconds
  }

  /** What units did before the job held the card, or while nobody looked, is not the job's. */
  #takeActivity(elapsedSeconds: number): void {
    const { activity } = this.card
    if (activity.readings === this.#readings) return
    this.#readings = activity.readings
    const { seconds } = activity
    const from = Math.max(this.#heldSince, elapsedSeconds - seconds)
    const heldShare = (this.#heldUntil - from) / seconds
    if (seconds < leastWindowSeconds || !(heldShare >= leastHeldShare)) return
    for (const key of activityKeys) this.activity.get(key)?.add(activity[key], seconds)
  }
}

/** Either may be NaN; the other one holds then. */
const higher = (known: number, latest: number): number =>
  Number.isNaN(known) || latest > known ? latest : known
