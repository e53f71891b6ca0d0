import { cardsNotNamed, type GpuKey } from '../../../model/gpu-usage.ts'
import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { foreignPids } from '../../../sensors/gpu/host-pids.ts'
import { ofCard } from './card-figures.ts'
import type { CardUse } from './card-use.ts'
import { energyFigures } from './energy-figures.ts'
import {
  boundOf,
  gapsIn,
  meanOf,
  memoryFigure,
  sleepsOf,
  sum,
  untoldProcesses,
  untoldWorkOf,
} from './told-figure.ts'
import { ownGaps } from './unread-time.ts'
import { activityFigures, wholeCardFigures } from './whole-card-figures.ts'

/** What is known of the cards of a job when it is over. */
export interface CardsUsed {
  /** Those that are the job's. */
  readonly uses: readonly CardUse[]
  /** Those that it had open, and may have used while nobody looked. */
  readonly maybeUsed: readonly CardUse[]
  /** Whether its environment said which are. */
  readonly isTold: boolean
  readonly pidsAreForeign: boolean
  readonly memoryPeak: number
  readonly heldCores: number
  readonly utilizationPeak: number
  readonly durationSeconds: number
}

/** A machine with cards of which the job used none has these two figures alone. */
export function usageOfCards(used: CardsUsed): Record<string, Measured> {
  const { uses } = used
  const figures: Record<string, Measured> = {
    gpuCards: boundOf(used.maybeUsed, ownGaps)(uses.length, howGiven(used)),
    gpuCardsUntouched: untouched(used),
  }
  if (uses.length === 0) return figures
  const cards = uses.map((use) => ofCard(use, used.durationSeconds))
  const whole = [wholeCardFigures, activityFigures].map((of) => of(uses, used.durationSeconds))
  for (const more of [jobFigures(used), ...whole, ...cards]) Object.assign(figures, more)
  return figures
}

const howGiven = ({ isTold, pidsAreForeign }: CardsUsed): string => {
  if (isTold) return 'given by its environment, or used by its processes'
  return pidsAreForeign ? 'all cards that it could see' : 'used by its processes'
}

function untouched({ uses, isTold, pidsAreForeign }: CardsUsed): Measured {
  if (!isTold) return unmeasured(cardsNotNamed)
  if (pidsAreForeign) return unmeasured(foreignPids)
  const untold = untoldProcesses(uses)
  if (untold !== undefined) return untold
  const unused = uses.filter(({ isTouched, isGiven }) => isGiven && !isTouched)
  for (const { card, failedSeconds, lastFailure } of unused)
    if (failedSeconds > 0)
      return unmeasured(`card ${card.number} could not be read all the time: ${lastFailure}`)
  // A process of the job may have used it while it was left alone.
  const [gap] = gapsIn(unused, ownGaps)
  if (gap !== undefined) return unmeasured(gap)
  return measured(
    unused.length,
    'cards of its environment on which no process of it was seen at any look',
  )
}

function jobFigures(used: CardsUsed): Partial<Record<GpuKey, Measured>> {
  const { uses, pidsAreForeign, durationSeconds } = used
  const source = [
    [...new Set(uses.map(({ card }) => card.identity.source))].join(', '),
    ...sleepsOf(uses),
  ].join('; ')
  const whose = pidsAreForeign
    ? `${source}, whole cards: ${foreignPids}`
    : uses.some(({ isWholeCard }) => isWholeCard)
      ? `${source}, whole cards: whose work it was is not told`
      : uses.some(({ isShared }) => isShared)
        ? `${source}, the share of its processes`
        : source
  const told = boundOf(uses, ownGaps)
  const worked = boundOf(uses, ownGaps, untoldWorkOf(uses))
  const read = uses.filter(({ own, untoldSeconds }) => own.seconds + untoldSeconds > 0)
  const isPart = uses.some((use) => ownGaps(use).length > 0)
  return {
    // A card of which nothing was read is not one that did nothing.
    gpuUtilizationPercentMean: meanOf(
      uses,
      durationSeconds,
      ownGaps,
      untoldWorkOf(uses),
    )(
      sum(read.map(utilizationOf)) / read.length,
      `${whose}, mean over ${isPart ? 'the time in which it was read' : 'its duration'}`,
    ),
    gpuUtilizationPercentPeak: worked(used.utilizationPeak, `${whose}, highest at one look`),
    gpuMemoryPeakBytes: pidsAreForeign
      ? unmeasured(foreignPids)
      : (untoldProcesses(uses) ??
        memoryFigure(
          uses,
          used.memoryPeak,
          `${source}, memory of its processes, most at one look`,
        )),
    gpuHeldSeconds: told(sum(uses.map(({ heldSeconds }) => heldSeconds)), whose),
    gpuHeldCoresMean: Number.isNaN(used.heldCores)
      ? unmeasured('it held no card at two looks')
      : measured(used.heldCores, '/proc counters of its processes'),
    gpuBusySeconds: worked(sum(uses.map(({ own }) => own.sum / 100)), `${whose}, looks added up`),
    ...energyFigures(used, source),
  }
}

/** Where it was told for a part of the time alone, no less than this. */
const utilizationOf = ({ own, untoldSeconds }: CardUse): number =>
  own.sum / (own.seconds + untoldSeconds)
