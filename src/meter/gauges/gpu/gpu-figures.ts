import {
  cardsNotNamed,
  nobodyListed,
  secondsInWords,
  type GpuKey,
} from '../../../model/gpu-usage.ts'
import { measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { foreignPids } from '../../../sensors/gpu/host-pids.ts'
import { ofCard } from './card-figures.ts'
import type { CardUse } from './card-use.ts'
import { energyFigures } from './energy-figures.ts'
import type { PeakWork } from './peak-work.ts'
import {
  boundOf,
  gapsIn,
  meanOf,
  memoryFigure,
  sleepsOf,
  sum,
  together,
  untoldProcesses,
  untoldWorkOf,
} from './told-figure.ts'
import { ownGaps, workGaps } from './unread-time.ts'
import { activityFigures, wholeCardFigures } from './whole-card-figures.ts'

/** As seen of driver 580 on an H200. */
const samplesPerSecond = 5
/** Before the first answer and after the last one it is always presumed. */
const mostPresumed = 0.1

/** What is known of the cards of a job when it is over. */
export interface CardsUsed {
  /** Those that are the job's. */
  readonly uses: readonly CardUse[]
  /** Those that it may have used while nobody looked, or nothing told of them. */
  readonly maybeUsed: readonly CardUse[]
  /** Whether its environment said which are. */
  readonly isTold: boolean
  readonly pidsAreForeign: boolean
  readonly memoryPeak: number
  readonly heldCores: number
  readonly peak: PeakWork
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
  const isShared = uses.some((use) => use.isShared)
  const whose = pidsAreForeign
    ? `${source}, whole cards: ${foreignPids}`
    : uses.some(({ isWholeCard }) => isWholeCard)
      ? `${source}, whole cards: whose work it was is not told`
      : isShared
        ? `${source}, the share of its processes`
        : source
  const work = `${whose}${sampled(uses)}`
  // Who rests on a card is not listed either.
  const isUnlisted = uses.some(({ unlisted }) => unlisted !== null)
  const held = boundOf(uses, ownGaps, isUnlisted ? [nobodyListed] : [])
  const worked = boundOf(uses, ownGaps, untoldWorkOf(uses))
  const read = uses.filter(({ own, untoldSeconds }) => own.seconds + untoldSeconds > 0)
  const isPart = uses.some((use) => ownGaps(use).length > 0)
  const mean = sum(read.map(utilizationOf)) / read.length
  return {
    // A card of which nothing was read is not one that did nothing.
    gpuUtilizationPercentMean: meanOf(
      uses,
      durationSeconds,
      ownGaps,
      untoldWorkOf(uses),
    )(mean, `${work}, mean over ${isPart ? 'the time in which it was read' : 'its duration'}`),
    gpuUtilizationPercentPeak: peakOf(
      used,
      mean,
      `${work}, highest at one look${isShared ? ', or over 2 s of sharing' : ''}`,
    ),
    gpuMemoryPeakBytes: pidsAreForeign
      ? unmeasured(foreignPids)
      : (untoldProcesses(uses) ??
        memoryFigure(
          uses,
          used.memoryPeak,
          `${source}, memory of its processes, most at one look`,
        )),
    gpuHeldSeconds: held(sum(uses.map(({ heldSeconds }) => heldSeconds)), whose),
    gpuHeldUtilizationPercentMean: heldUtilization(used, source),
    gpuSharedSeconds: shared(used),
    gpuHeldCoresMean: Number.isNaN(used.heldCores)
      ? unmeasured('it held no card at two looks')
      : measured(used.heldCores, '/proc counters of its processes'),
    gpuBusySeconds: worked(sum(uses.map(({ own }) => own.sum / 100)), `${work}, looks added up`),
    ...energyFigures(used, source),
  }
}

/** What was not known yet at a look may be in the mean: then that is the least that the peak was. */
function peakOf({ uses, peak: { percent } }: CardsUsed, mean: number, basis: string): Measured {
  const isMore = mean > percent
  const missing = isMore ? ['the peak is at least the mean; no single look showed as much'] : []
  return boundOf(uses, ownGaps, [...untoldWorkOf(uses), ...missing])(isMore ? mean : percent, basis)
}

/**
 * The driver of a card that several use tells only whose turn it was at some moments, and nothing of the time in which one of
 * them ended.
 */
function sampled(uses: readonly CardUse[]): string {
  const seconds = sum(uses.map(({ divided }) => divided.seconds))
  const presumed = sum(uses.map(({ divided }) => divided.presumedSeconds))
  const samples =
    seconds > 0
      ? `, estimated from about ${Math.round(seconds * samplesPerSecond)} samples of the driver`
      : ''
  const isMuch = presumed > mostPresumed * (seconds + presumed)
  return isMuch ? `${samples} (for ${secondsInWords(presumed)} its share is assumed)` : samples
}

/** Others were on a card of the job: of one whose driver does not list all, those that were seen. */
function shared({ uses, pidsAreForeign }: CardsUsed): Measured {
  if (pidsAreForeign) return unmeasured(foreignPids)
  const untold = untoldProcesses(uses)
  if (untold !== undefined) return untold
  const seconds = sum(uses.map(({ sharedSeconds }) => sharedSeconds))
  const listsAll = uses.every(({ card }) => card.processes.listsAll)
  const missing = listsAll ? [] : ['the driver does not list the processes of others']
  for (const { unlisted } of uses)
    if (unlisted !== null && !missing.includes(unlisted)) missing.push(unlisted)
  return boundOf(uses, ownGaps, missing)(seconds, 'looks at which processes of others were on them')
}

function heldUtilization({ uses, durationSeconds }: CardsUsed, source: string): Measured {
  const mean = together(uses.map((use) => use.heldUtilization))
  const odd = uses.map(({ card }) => card.oddities.utilizationPercent).find((why) => why)
  if (Number.isNaN(mean)) return unmeasured(odd ?? 'it held no card that told its use')
  return meanOf(uses, durationSeconds, workGaps)(mean, `${source}, whole cards while it held them`)
}

/** Where it was told for a part of the time alone, no less than this. */
const utilizationOf = ({ own, untoldSeconds }: CardUse): number =>
  own.sum / (own.seconds + untoldSeconds)
