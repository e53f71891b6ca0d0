import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'
import type { CardShares, Division } from './card-shares.ts'
import { workWattsOf, type OwnPart } from './own-part.ts'

/** What must be added to what was counted before. */
type Correction = Pick<Division, 'percentSeconds' | 'workJoules'>

/**
 * What a job did on a card that it shares. The driver says so of the time since it was last asked; until then the shares of the
 * time before stand in. What they were wrong by is made good when the next ones come, unless a process ended meanwhile.
 */
export class DividedWork {
  /** Of so much time it is known how the card was divided. */
  seconds = 0
  /** The job's use since the driver was asked before; undefined where the last look brought no answer. */
  answer: { readonly percent: number; readonly seconds: number } | 'uncertain' | undefined
  #divisions = 0
  #hasLooked = false
  /** Since then: how long the card was shared, and what counts as the job's. */
  #sharedSeconds = 0
  #percentSeconds = 0
  #workJoules = 0
  #presumedSeconds = 0

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
    this.answer = undefined
    if (!isNew || shares === undefined) return undefined
    this.answer = 'uncertain'
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
    this.answer = { percent: (share * percentSeconds) / seconds, seconds }
    return {
      percentSeconds: share * percentSeconds - this.#percentSeconds,
      workJoules: share * workJoules - this.#workJoules,
    }
  }
}
