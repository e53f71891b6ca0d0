import { cardLeftOut, secondsInWords, type GpuKey } from '../../../model/gpu-usage.ts'
import { unmeasured, type Measured } from '../../../model/measured.ts'
import { activityKeys, type CardUse } from './card-use.ts'
import { SpanMean } from './span-mean.ts'
import { boundOf, meanOf, oddityOf, sum, together } from './told-figure.ts'
import { cardGaps } from './unread-time.ts'

/** Of the work of a card, from which on what only the whole card tells is told of the job. */
const nearlyAll = 0.8

/** Parts of a divided card do not tell how much they work. */
const standsForJob = ({ isShared, own, heldUtilization }: CardUse): boolean =>
  !isShared || (heldUtilization.seconds > 0 && own.area >= nearlyAll * heldUtilization.area)

/** Why the figures of a card would not be the job's. What nobody knows may have been the job's, too. */
function whyNotOfJob({ own, untoldSeconds, heldUtilization }: CardUse): string {
  const isKnown = own.area + 100 * untoldSeconds < nearlyAll * heldUtilization.area
  return isKnown
    ? 'shared, and less than four fifths of the work was for this job'
    : 'shared, and how much of the work was for this job is not told'
}

interface LeftOut {
  readonly use: CardUse
  readonly why: string
}

/** Cards whose figures would not be the job's. */
const sharedCards = (all: readonly CardUse[]): LeftOut[] =>
  all.filter((use) => !standsForJob(use)).map((use) => ({ use, why: whyNotOfJob(use) }))

const wordsOf = (leftOut: readonly LeftOut[]): string[] =>
  leftOut.map(({ use, why }) => cardLeftOut(use.card.number, why))

/** Of the time in which a job held cards: a mean without those that it held for less is as good as one of all. */
const hardlyHeldShare = 0.05

const heldSecondsOf = (uses: readonly CardUse[]): number =>
  sum([0, ...uses.map(({ heldSeconds }) => heldSeconds)])

/** How the basis of a mean says which cards are not in it. */
function missingIn(leftOut: readonly LeftOut[], all: readonly CardUse[]): string[] {
  const missed = heldSecondsOf(leftOut.map(({ use }) => use))
  if (missed >= hardlyHeldShare * heldSecondsOf(all)) return wordsOf(leftOut)
  return leftOut.map(({ use: { card, heldSeconds } }) => {
    const held = secondsInWords(heldSeconds)
    return `without card ${card.number}, which the job held for ${held}`
  })
}

const others = (uses: readonly CardUse[]): string =>
  uses.some(({ isShared }) => isShared) ? ', whole card: others used it too' : ''

const throttlingUntold = unmeasured('the card does not always tell what slows it down')

/** What a card does as a whole, whoever uses it. */
export function wholeCardFigures(
  all: readonly CardUse[],
  durationSeconds: number,
): Partial<Record<GpuKey, Measured>> {
  const uses = all.filter(standsForJob)
  const source = [...new Set(uses.map(({ card }) => card.identity.source))].join(', ')
  const basisOf = (how: string): string => `${source}, ${how}${others(uses)}`
  const shared = sharedCards(all)
  const [first] = shared
  const ofOthers =
    uses.length === 0 && first !== undefined ? unmeasured(`the card was ${first.why}`) : undefined
  const throttled = (of: (use: CardUse) => number): Measured => {
    if (ofOthers !== undefined) return ofOthers
    if (uses.some(({ isThrottlingUntold }) => isThrottlingUntold)) return throttlingUntold
    return boundOf(uses, cardGaps, wordsOf(shared))(sum(uses.map(of)), basisOf('looks added up'))
  }
  const clock = (mean: number): Measured =>
    ofOthers ??
    meanOf(
      uses,
      durationSeconds,
      cardGaps,
    )(mean, [basisOf('while it worked'), ...missingIn(shared, all)].join('; '))
  return {
    gpuPowerThrottledSeconds: throttled(({ powerThrottledSeconds }) => powerThrottledSeconds),
    gpuHeatThrottledSeconds: throttled(({ heatThrottledSeconds }) => heatThrottledSeconds),
    gpuClockPercentMean: clockFigure(uses, clock),
  }
}

function clockFigure(uses: readonly CardUse[], told: (mean: number) => Measured): Measured {
  const mean = together(uses.map(({ clock }) => clock))
  const odd = uses
    .map(({ card }) => oddityOf(card, 'clockMegahertz', 'mostClockMegahertz', 'utilizationPercent'))
    .find((why) => why !== undefined)
  return Number.isNaN(mean) && odd !== undefined ? unmeasured(odd) : told(mean)
}

const keyOfActivity = {
  smActivePercent: 'gpuSmActivePercentMean',
  smOccupancyPercent: 'gpuSmOccupancyPercentMean',
  tensorPercent: 'gpuTensorPercentMean',
  dramPercent: 'gpuDramPercentMean',
  fp64Percent: 'gpuFp64PercentMean',
  fp32Percent: 'gpuFp32PercentMean',
  fp16Percent: 'gpuFp16PercentMean',
  integerPercent: 'gpuIntegerPercentMean',
  pcieBytesPerSecond: 'gpuPcieBytesPerSecondMean',
  nvlinkBytesPerSecond: 'gpuNvlinkBytesPerSecondMean',
} as const satisfies Record<(typeof activityKeys)[number], GpuKey>

type ActivityKey = (typeof activityKeys)[number]

const tooShort = 'the counters were not read twice while the job held the card'

/** A card may count some things and not others: one without links tells nothing of them. */
function whyUntold({ activity, card }: CardUse): string {
  const tellsOthers = [...activity.values()].some(({ seconds }) => seconds > 0)
  return tellsOthers ? 'the card does not count this' : (card.activityLoss ?? tooShort)
}

/** Those that the job held without being told this of them. */
const untoldCards = (uses: readonly CardUse[], key: ActivityKey): LeftOut[] =>
  uses
    .filter(({ heldSeconds, activity }) => heldSeconds > 0 && activity.get(key)?.seconds === 0)
    .map((use) => ({ use, why: whyUntold(use) }))

/** What its units did while the job held it. A card does not tell whose work it was. */
export function activityFigures(
  all: readonly CardUse[],
  durationSeconds: number,
): Partial<Record<GpuKey, Measured>> {
  const uses = all.filter(standsForJob)
  const shared = sharedCards(all)
  const loss = all.find(({ card }) => card.activityLoss !== null)?.card.activityLoss
  const basis = `GPM counters of NVML while the job held the card${others(uses)}`
  const told = meanOf(uses, durationSeconds, cardGaps)
  const figures: Partial<Record<GpuKey, Measured>> = {}
  for (const key of activityKeys) {
    const mean = together(uses.map(({ activity }) => activity.get(key) ?? new SpanMean()))
    const untold = untoldCards(uses, key)
    const whyNone =
      untold[0]?.why ?? (shared[0] === undefined ? loss : `the card was ${shared[0].why}`)
    figures[keyOfActivity[key]] = Number.isNaN(mean)
      ? unmeasured(whyNone ?? tooShort)
      : told(mean, [basis, ...missingIn([...shared, ...untold], all)].join('; '))
  }
  return figures
}
