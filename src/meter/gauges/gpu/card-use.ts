import { throttledBy, type GpuActivity, type GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import type { JobDevice, JobDevices } from '../../job-devices.ts'
import { cardColumns, writeRow } from './card-columns.ts'
import type { OwnPart } from './own-part.ts'

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
  /** While it worked; a share of the fastest that it can. */
  readonly clock = new SpanMean()
  readonly activity = new Map(activityKeys.map((key) => [key, new SpanMean()]))
  heldSeconds = 0
  powerThrottledSeconds = 0
  heatThrottledSeconds = 0
  utilizationPeak = Number.NaN
  ownUtilizationPercent = Number.NaN
  memoryUsedPeak = Number.NaN
  ownMemoryPeak = Number.NaN
  temperaturePeak = Number.NaN
  powerPeak = Number.NaN
  energyStart = Number.NaN
  eccStart = Number.NaN
  /** When it could last be read, of one that failed. */
  failedAtSeconds = Number.NaN
  /** The last time that it was held without a break. */
  #heldSince = Number.NaN
  #heldUntil = Number.NaN
  readonly #firstReading: number
  #readings: number
  #device: JobDevice | undefined

  constructor(card: GpuCard) {
    this.card = card
    this.#firstReading = this.#readings = card.activity.readings
  }

  take(own: OwnPart, elapsedSeconds: number, seconds: number): void {
    const { card } = this
    if (card.failure !== null) {
      if (Number.isNaN(this.failedAtSeconds)) this.failedAtSeconds = elapsedSeconds
      return
    }
    this.failedAtSeconds = Number.NaN
    this.#takeCard(seconds)
    this.#takeOwn(own, elapsedSeconds, seconds)
    this.#takeActivity(elapsedSeconds)
  }

  /** Writes what was seen into a row of the card's own. */
  keep(devices: JobDevices, own: OwnPart, elapsedSeconds: number): void {
    if (this.card.failure !== null) return
    this.#device ??= devices.open({ kind: 'gpu', id: this.card.identity.id }, cardColumns)
    const { readings } = this.card.activity
    writeRow(this.#device.values, this.card, own, readings > this.#firstReading)
    this.#device.keep(elapsedSeconds)
  }

  #takeCard(seconds: number): void {
    const { card } = this
    this.utilization.add(card.utilizationPercent, seconds)
    this.memoryUtilization.add(card.memoryUtilizationPercent, seconds)
    this.power.add(card.powerWatts, seconds)
    if (card.utilizationPercent > 0)
      this.clock.add((100 * card.clockMegahertz) / card.mostClockMegahertz, seconds)
    this.utilizationPeak = higher(this.utilizationPeak, card.utilizationPercent)
    this.memoryUsedPeak = higher(this.memoryUsedPeak, card.memoryUsedBytes)
    this.temperaturePeak = higher(this.temperaturePeak, card.temperatureCelsius)
    this.powerPeak = higher(this.powerPeak, card.powerWatts)
    if (Number.isNaN(this.energyStart)) this.energyStart = card.energyJoules
    if (Number.isNaN(this.eccStart)) this.eccStart = card.eccErrors
  }

  #takeOwn(own: OwnPart, elapsedSeconds: number, seconds: number): void {
    this.ownUtilizationPercent = own.utilizationPercent
    this.own.add(own.utilizationPercent, seconds)
    const isInUse =
      own.isUnknown && (this.card.processes.count > 0 || this.card.processes.loss !== null)
    if (own.count === 0 && !isInUse) return
    if (own.count > 0) this.isTouched = true
    if (own.isWholeCard) this.isWholeCard = true
    if (own.count > 0 && this.card.processes.count > own.count) this.isShared = true
    // It was there for as long as nobody looked, too.
    if (!(elapsedSeconds - seconds <= this.#heldUntil)) this.#heldSince = elapsedSeconds
    this.#heldUntil = elapsedSeconds
    this.ownMemoryPeak = higher(this.ownMemoryPeak, own.memoryBytes)
    this.heldSeconds += seconds
    const { throttle } = this.card
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
