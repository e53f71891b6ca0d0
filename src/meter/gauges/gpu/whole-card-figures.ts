import { cardLeftOut, type GpuKey } from '../../../model/gpu-usage.ts'
import { unmeasured, type Measured } from '../../../model/measured.ts'
import { activityKeys, SpanMean, type CardUse } from './card-use.ts'
import { boundOf, meanOf, oddityOf, sum, together } from './told-figure.ts'
import { cardGaps } from './unread-time.ts'

/** Of the work of a card, from which on what only the whole card tells is told of the job. */
const nearlyAll = 0.8

const standsForJob = ({ isShared, own, heldUtilization }: CardUse): boolean =>
  !isShared || own.area >= nearlyAll * heldUtilization.area

/** Why the figures of a card would not be the job's. What nobody knows may have been the job's, too. */
function whyNotOfJob({ own, untoldSeconds, heldUtilization }: CardUse): string {
  const isKnown = own.area + 100 * untoldSeconds < nearlyAll * heldUtilization.area
  return isKnown
    ? 'shared, and less than four fifths of the work was for this job'
    : 'shared, and how much of the work was for this job is not told'
}

/** Of cards whose figures would not be the job's. */
const sharedCards = (all: readonly CardUse[]): string[] =>
  all
    .filter((use) => !standsForJob(use))
    .map((use) => cardLeftOut(use.card.number, whyNotOfJob(use)))

/** Where there is no other card: the reason of the first. */
const workOfOthers = ([first]: readonly CardUse[]): Measured =>
  unmeasured(`the card was ${first === undefined ? 'not there' : whyNotOfJob(first)}`)

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
  const leftOut = sharedCards(all)
  const throttled = (of: (use: CardUse) => number): Measured => {
    if (uses.length === 0) return workOfOthers(all)
    if (uses.some(({ isThrottlingUntold }) => isThrottlingUntold)) return throttlingUntold
    return boundOf(uses, cardGaps, leftOut)(sum(uses.map(of)), basisOf('looks added up'))
  }
  const clock = (mean: number): Measured =>
    uses.length === 0
      ? workOfOthers(all)
      : meanOf(
          uses,
          durationSeconds,
          cardGaps,
        )(mean, [basisOf('while it worked'), ...leftOut].join('; '))
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

const tooShort = 'it was over before the counters of the card were read twice'

/** What its units did while the job held it. A card does not tell whose work it was. */
export function activityFigures(
  all: readonly CardUse[],
  durationSeconds: number,
): Partial<Record<GpuKey, Measured>> {
  const uses = all.filter(standsForJob)
  const loss = all.find(({ card }) => card.activityLoss !== null)?.card.activityLoss
  const basis = `GPM counters of NVML while the job held the card${others(uses)}`
  const figures: Partial<Record<GpuKey, Measured>> = {}
  for (const key of activityKeys) {
    const mean = together(uses.map(({ activity }) => activity.get(key) ?? new SpanMean()))
    const untold = uses
      .filter(({ heldSeconds, activity }) => heldSeconds > 0 && activity.get(key)?.seconds === 0)
      .map(({ card }) => cardLeftOut(card.number, card.activityLoss ?? tooShort))
    const words = [basis, ...sharedCards(all), ...untold].join('; ')
    figures[keyOfActivity[key]] = Number.isNaN(mean)
      ? uses.length === 0
        ? workOfOthers(all)
        : unmeasured(loss ?? tooShort)
      : meanOf(uses, durationSeconds, cardGaps)(mean, words)
  }
  return figures
}
