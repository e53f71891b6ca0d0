import { nobodyListed } from '../../../model/gpu-usage.ts'
import { throttledBy, type GpuActivity, type GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import type { JobDevice, JobDevices } from '../../job-devices.ts'
import { cardColumns, writeRow } from './card-columns.ts'
import type { CardShares } from './card-shares.ts'
import { DividedWork } from './divided-work.ts'
import { ownWatts, type OwnPart } from './own-part.ts'
import { SpanMean } from './span-mean.ts'
import { UnlistedWork } from './unlisted-work.ts'

/** Time in which nobody looked. It counts only where what came after tells what was done in it. */
class Rest {
  #unknown = 0
  #latest = 0

  get seconds(): number {
    return this.#unknown + this.#latest
  }

  add(seconds: number): void {
    this.#latest += seconds
  }

  /** Somebody looks again. The answer is how much of it is known now. */
  end(isTold: boolean): number {
    const latest = this.#latest
    this.#latest = 0
    if (isTold) return latest
    this.#unknown += latest
    return 0
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
  /** How the card was divided when that was last told. */
  readonly shares: CardShares | undefined
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
  /** Whether its work counts as the job's where its driver lists nobody who does it. */
  takesUnlisted = false
  readonly unlistedWork = new UnlistedWork()
  isTouched = false
  /** Others used it while the job did, and for how long. */
  isShared = false
  sharedSeconds = 0
  /** Others used it while the job did not. */
  wasOfOthers = false
  /** Its work, whosever it was, counts as the job's. */
  isWholeCard = false
  readonly utilization = new SpanMean()
  /** For so long it was read, and did not tell how busy it was. */
  workUntoldSeconds = 0
  readonly memoryUtilization = new SpanMean()
  readonly own = new SpanMean()
  readonly divided = new DividedWork()
  /** For so long nothing told what it did for the job. */
  untoldSeconds = 0
  /** Some of that because a process had worked before it was first asked. */
  wasUncounted = false
  readonly power = new SpanMean()
  /** For so long it was read, and did not tell its power. */
  powerlessSeconds = 0
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
  /** Why the memory of the job's processes was not told at some look; null where it always was. */
  ownMemoryLoss: string | null = null
  temperaturePeak = Number.NaN
  powerPeak = Number.NaN
  /** Its counter when the job began, or when it was first read after that: before that was first told, it drew what its power at the looks says. */
  energyStart = Number.NaN
  /** Of the time before that, for so long nobody read it. */
  uncountedSeconds = 0
  /** What the counter itself said when it was first told, and the most that it said since. */
  energyCounterStart = Number.NaN
  energyCounterMost = Number.NaN
  /** It was set back: what it counts is not what was drawn. */
  energyFellBack = false
  eccStart = Number.NaN
  /** When it was last told: read seldom, and not at all once the card has failed. */
  eccEnd = Number.NaN
  /** It was not read meanwhile. */
  asleepSeconds = 0
  /** For so long it could not be read, and why it last could not. */
  failedSeconds = 0
  lastFailure: string | null = null
  /** Until then it was read: what its counters say is of that time. */
  readUntilSeconds = 0
  /** While it was left alone: whether it worked is known only where it fell asleep after that, for it was idle then. */
  readonly #alone = new Rest()
  /** The same of its processes: those that were not asked may also tell afterwards what they did. */
  readonly #unseen = new Rest()
  readonly #unseenPids = new Set<number>()
  /** At some look it worked for somebody whom its driver does not list. */
  #wasUnlisted = false
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

  /** For so long it was left alone, and may have worked. */
  get aloneSeconds(): number {
    return this.#alone.seconds
  }

  /** For so long a process of the job may have worked on it unseen. */
  get unseenSeconds(): number {
    return this.#unseen.seconds
  }

  /** Why nobody knows whether the job used it; null where that is known. */
  get unlisted(): string | null {
    return this.#wasUnlisted || this.doubtedSeconds > 0 ? nobodyListed : null
  }

  /** For so long it worked for nobody who was listed, and nothing tells for whom. */
  get doubtedSeconds(): number {
    return this.unlistedWork.doubtedSeconds
  }

  take(own: OwnPart, look: Look): void {
    const { card } = this
    if (card.failure !== null) {
      this.failedSeconds += look.seconds
      this.lastFailure = card.failure
      return
    }
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
    if (card.isLeftAlone) return this.#alone.add(seconds)
    this.readUntilSeconds = elapsedSeconds
    const idleSeconds = this.#alone.end(card.isAsleep)
    if (card.isAsleep) this.asleepSeconds += seconds
    this.utilization.add(card.utilizationPercent, seconds + idleSeconds)
    if (Number.isNaN(card.utilizationPercent)) this.workUntoldSeconds += seconds
    this.memoryUtilization.add(card.memoryUtilizationPercent, seconds + idleSeconds)
    this.power.add(card.powerWatts, seconds)
    if (!card.isAsleep && Number.isNaN(card.powerWatts)) this.powerlessSeconds += seconds
    this.utilizationPeak = higher(this.utilizationPeak, card.utilizationPercent)
    this.memoryUsedPeak = higher(this.memoryUsedPeak, card.memoryUsedBytes)
    this.temperaturePeak = higher(this.temperaturePeak, card.temperatureCelsius)
    this.powerPeak = higher(this.powerPeak, card.powerWatts)
    // The counter of a card that sleeps is as it was before that, maybe long before the job.
    if (Number.isNaN(this.energyStart) && !card.isAsleep) {
      this.energyStart = card.energyJoules + card.joulesSince - this.power.area
      this.energyCounterStart = card.energyJoules
      this.uncountedSeconds = this.failedSeconds + this.aloneSeconds
    }
    if (card.energyJoules < this.energyCounterMost) this.energyFellBack = true
    this.energyCounterMost = higher(this.energyCounterMost, card.energyJoules)
    if (Number.isNaN(this.eccStart)) this.eccStart = card.eccErrors
    if (card.eccErrors >= 0) this.eccEnd = card.eccErrors
  }

  #takeOwn(own: OwnPart, { elapsedSeconds, seconds, shares }: Look): void {
    this.ownUtilizationPercent = own.utilizationPercent
    if (own.isUncounted && seconds > 0) this.wasUncounted = true
    if (own.isUnseen) {
      this.#isHeld = false
      this.#unseen.add(seconds)
      for (const pid of own.unseenPids) this.#unseenPids.add(pid)
      return
    }
    const { caughtUpPids } = this.card.processes
    const isTold = this.card.isAsleep || [...this.#unseenPids].every((pid) => caughtUpPids.has(pid))
    this.#unseenPids.clear()
    this.own.add(0, this.#unseen.end(isTold))
    this.own.addLate(100 * own.lateBusySeconds)
    const watts = ownWatts(this.card, own)
    if (Number.isNaN(watts) && this.card.powerWatts >= 0) this.isUndivided = true
    this.#ownWatts = watts
    this.ownPower.add(watts, seconds)
    this.#takeWork(seconds)
    const correction = this.divided.take(this.card, own, seconds, shares)
    if (correction !== undefined) {
      this.own.addLate(correction.percentSeconds)
      this.ownPower.addLate(correction.workJoules)
    }
    if (this.unlistedWork.isSure) this.#takeUnlisted()
    const { processes } = this.card
    const isLost = processes.loss !== null || this.unlistedWork.isSure
    const isInUse = own.isUnknown && (processes.count > 0 || isLost)
    this.#isHeld = own.count > 0 || isInUse
    if (!this.#isHeld) {
      // Where not all processes are listed, the work of the card shows them.
      const isUsed = !processes.listsAll && this.card.utilizationPercent > 0
      if (own.others > 0 || isUsed) this.wasOfOthers = true
      return
    }
    if (own.count > 0) this.isTouched = true
    if (own.isWholeCard) this.isWholeCard = true
    if (own.count > 0 && own.others > 0) {
      this.isShared = true
      this.sharedSeconds += seconds
    }
    // It was there for as long as nobody looked, too.
    if (!(elapsedSeconds - seconds <= this.#heldUntil)) this.#heldSince = elapsedSeconds
    this.#heldUntil = elapsedSeconds
    this.ownMemoryPeak = higher(this.ownMemoryPeak, own.memoryBytes)
    // While it sleeps nobody can take more of it.
    if (own.count > 0 && Number.isNaN(own.memoryBytes) && !this.card.isAsleep)
      this.ownMemoryLoss ??=
        processes.memoryLoss ??
        this.card.oddities.processMemoryBytes ??
        'the driver does not tell the memory of its processes'
    this.#takeHeld(seconds)
  }

  /** Then what it did before for nobody who was listed was the job's, too. */
  #takeUnlisted(): void {
    this.#wasUnlisted = true
    this.ownMemoryLoss ??= nobodyListed
    const earlier = this.unlistedWork.takeEarlier()
    this.own.addLate(earlier.area)
    this.heldSeconds += earlier.seconds
    this.heldUtilization.add(earlier.mean, earlier.seconds)
  }

  /** Its processes are gone, and with them what the last look could tell of them: what stood before held on till the end. */
  #takeRest(seconds: number): void {
    this.ownPower.add(this.#ownWatts, seconds)
    this.#takeWork(seconds)
    if (this.#isHeld) this.#takeHeld(seconds)
  }

  #takeWork(seconds: number): void {
    this.own.add(this.ownUtilizationPercent, seconds)
    if (Number.isNaN(this.ownUtilizationPercent)) this.untoldSeconds += seconds
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
export const higher = (known: number, latest: number): number =>
  Number.isNaN(known) || latest > known ? latest : known
