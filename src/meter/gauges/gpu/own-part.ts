import type { GpuCard } from '../../../sensors/gpu/gpu-card.ts'

/** What the job's own processes do on a card, as of the last look. */
export interface OwnPart {
  /** Of the processes on it, how many are the job's. */
  count: number
  /** And how many are not; of a card that does not list all, how many are seen. */
  others: number
  /** Which processes are the job's cannot be told: then the card's figures stand for the job's. */
  isUnknown: boolean
  /** The card is left alone, and nobody asks what the processes of the job do that have it open: these. */
  isUnseen: boolean
  unseenPids: readonly number[]
  /** A process of it had worked before it was first asked: what it did since the last look is not told. */
  isUncounted: boolean
  /** The card's work stands for the job's, because whose it was is not told. */
  isWholeCard: boolean
  memoryBytes: number
  /** Of the whole card; NaN where it cannot be told from what others do. */
  utilizationPercent: number
  /** Seconds of work before the last look that are told only now. */
  lateBusySeconds: number
  /** Of the work that all processes on it did; where none did any, an equal part. 0 of nobody; NaN where it is not told. */
  workShare: number
  /** What the driver told of its processes when it was last asked, and of all that are on the card. */
  toldPercent: number
  allToldPercent: number
}

/** What a card does for the job, of all that it can; NaN where that is not told. `areAsked`: shares are told on demand alone. */
export function percentFor(card: GpuCard, own: OwnPart, areAsked: boolean): number {
  const { processes, utilizationPercent } = card
  const isUnseen = own.isUnseen || own.isUncounted
  const isWhole = own.isUnknown || own.isWholeCard
  const isAlone = own.others === 0 && processes.listsAll
  if (isUnseen) return Number.NaN
  if (isWhole) return utilizationPercent
  if (own.count === 0) return 0
  if (isAlone) return utilizationPercent
  if (!processes.tellsUtilization) return Number.NaN
  // Shares are means over a second or more, and asked for seldom: where all are told, they say how the work of now divides.
  if (areAsked || (processes.listsAll && own.allToldPercent > 0))
    return utilizationPercent * own.workShare
  // Two processes may keep two engines busy. The card's own figure is of one moment and of some engines alone.
  return Math.min(100, own.toldPercent)
}

/**
 * Of the power of a card that is used by several, what is for the job: nothing while it does not hold it, so that the parts of
 * all add up to no more than the whole. NaN where shares are not told.
 */
export function ownWatts(card: GpuCard, own: OwnPart): number {
  const { powerWatts, processes } = card
  if (own.isUnknown) return powerWatts
  if (own.count === 0) return 0
  if (own.others === 0) return powerWatts
  if (!processes.tellsUtilization) return Number.NaN
  const workWatts = workWattsOf(card)
  const idle = powerWatts - workWatts
  return idle * (own.count / processes.count) + workWatts * own.workShare
}

/** Of the power of a card, what its work takes: all above its draw at rest, where that is known. */
export const workWattsOf = ({ powerWatts, idlePowerWatts }: GpuCard): number =>
  idlePowerWatts <= powerWatts ? powerWatts - idlePowerWatts : powerWatts
