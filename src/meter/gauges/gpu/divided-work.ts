import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import type { CardShares, Division } from './card-shares.ts'
import { workWattsOf, type OwnPart } from './own-part.ts'

/**
 * The driver makes ten notes in this time. In a minute of shorter ones some would name one process alone by chance, though it
 * had half of the card. Looks may come a little early.
 */
const leastPeakSeconds = 1.95

/** What must be added to what was counted before. */
type Correction = Pick<Division, 'percentSeconds' | 'workJoules'>

/**
 * What a job did on a card that it shares. The driver says so of the time since it was last asked; until then the shares of the
 * time before stand in. What they were wrong by is made good when the next ones come, unless a process ended meanwhile.
 */
export class DividedWork {
  /** Of so much time it is known how the card was divided. */
  seconds = 0
  /** The job's use in the last two seconds or more of which that is known; NaN before. */
  certainPercent = Number.NaN
  #divisions = 0
  #hasLooked = false
  /** Since then: how long the card was shared, and what counts as the job's. */
  #sharedSeconds = 0
  #percentSeconds = 0
  #workJoules = 0
  #presumedSeconds = 0
  /** Of the time of which it is known: what is not told as a peak yet. */
  readonly #untold = { seconds: 0, percentSeconds: 0 }

  /** For so long the card was shared, and what the job did is presumed by how it was divided before. */
  get presumedSeconds(): number {
    return this.#presumedSeconds + this.#sharedSeconds
  }

  take(
    card: GpuCard,
    own: OwnPart,
    seconds: number,
    shares: CardShares | undefined,
  ): Correction | undefined {
    if (own.count > 0 && own.others > 0) this.#sharedSeconds += seconds
    if (own.utilizationPercent >= 0) this.#percentSeconds += own.utilizationPercent * seconds
    if (own.count > 0) this.#workJoules += (workWattsOf(card) * own.workShare || 0) * seconds
    const isFirst = !this.#hasLooked
    this.#hasLooked = true
    // What was divided before the first look is nothing of this job.
    const divisions = (shares?.divisions ?? 0) - this.#divisions
    const isNew = isFirst ? shares?.since.seconds === 0 : divisions > 0
    this.#divisions += divisions
    if (!isNew || shares === undefined) return undefined
    // Of several since the last look of the job only the last one is known, which is of a part of the time.
    const isAll = !isFirst && divisions === 1
    const correction = isAll ? this.#correction(card, own, shares.division) : undefined
    if (correction === undefined) this.#presumedSeconds += this.#sharedSeconds
    this.#sharedSeconds = this.#percentSeconds = this.#workJoules = 0
    return correction
  }

  #correction(
    { processes }: GpuCard,
    own: OwnPart,
    { isWhole, seconds, percentSeconds, workJoules }: Division,
  ): Correction | undefined {
    if (!isWhole || own.isUnknown || !processes.tellsUtilization) return undefined
    // The driver may have noted nothing in a short time.
    const share = own.toldPercent / own.allToldPercent
    if (!(share >= 0) || !(seconds > 0)) return undefined
    this.seconds += seconds
    this.#noteCertain(seconds, share * percentSeconds)
    return {
      percentSeconds: share * percentSeconds - this.#percentSeconds,
      workJoules: share * workJoules - this.#workJoules,
    }
  }

  #noteCertain(seconds: number, percentSeconds: number): void {
    const untold = this.#untold
    untold.seconds += seconds
    untold.percentSeconds += percentSeconds
    if (untold.seconds < leastPeakSeconds) return
    this.certainPercent = untold.percentSeconds / untold.seconds
    untold.seconds = untold.percentSeconds = 0
  }
}
