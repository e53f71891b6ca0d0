import { cardBasis, type CardKey, type GpuKey } from '../../../model/gpu-usage.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { activityKeys, SpanMean, type CardUse } from './card-use.ts'

/** What is known of the cards of a job when it is over. */
export interface CardsUsed {
  /** Those that are the job's. */
  readonly uses: readonly CardUse[]
  /** Whether its environment said which are. */
  readonly isTold: boolean
  readonly pidsAreForeign: boolean
  readonly memoryPeak: number
  readonly heldCores: number
  readonly utilizationPeak: number
}

const foreignPids =
  'processes are listed by pids of the host, which mean nothing in this container; run jobmeter on the host, or with its pids (--pid=host)'

/** A machine with cards of which the job used none has these two figures alone. */
export function usageOfCards(used: CardsUsed): Record<string, Measured> {
  const { uses } = used
  const figures: Record<string, Measured> = {
    gpuCards: measured(uses.length, howGiven(used)),
    gpuCardsUntouched: untouched(used),
  }
  if (uses.length === 0) return figures
  for (const more of [jobFigures(used), activityFigures(uses), ...uses.map(ofCard)])
    Object.assign(figures, more)
  return figures
}

const howGiven = ({ isTold, pidsAreForeign }: CardsUsed): string => {
  if (isTold) return 'given by its environment, or used by its processes'
  return pidsAreForeign ? 'all cards that it could see' : 'used by its processes'
}

function untouched({ uses, isTold, pidsAreForeign }: CardsUsed): Measured {
  if (!isTold) return unmeasured('nothing in its environment says which cards are its own')
  if (pidsAreForeign) return unmeasured(foreignPids)
  const lost = uses.find(({ card }) => card.processes.loss !== null && card.failure === null)
  if (lost !== undefined)
    return unmeasured(`processes on a card are not told: ${lost.card.processes.loss}`)
  return measured(
    uses.filter(({ isTouched, isGiven }) => isGiven && !isTouched).length,
    'cards of its environment on which no process of it was seen at any look',
  )
}

function jobFigures(used: CardsUsed): Partial<Record<GpuKey, Measured>> {
  const { uses, pidsAreForeign } = used
  const source = [...new Set(uses.map(({ card }) => card.identity.source))].join(', ')
  const whose = pidsAreForeign
    ? `${source}, whole cards: ${foreignPids}`
    : uses.some(({ isWholeCard }) => isWholeCard)
      ? `${source}, whole cards: whose work it was is not told`
      : uses.some(({ isShared }) => isShared)
        ? `${source}, the share of its processes`
        : source
  const told = figureOf(uses)
  const mean = (of: (use: CardUse) => SpanMean): number =>
    sum(uses.map((use) => of(use).mean)) / uses.length
  return {
    gpuUtilizationPercentMean: told(
      mean(({ own }) => own),
      `${whose}, mean of all looks`,
    ),
    gpuUtilizationPercentPeak: told(used.utilizationPeak, `${whose}, highest at one look`),
    gpuMemoryPeakBytes: pidsAreForeign
      ? unmeasured(foreignPids)
      : told(used.memoryPeak || 0, `${source}, memory of its processes, most at one look`),
    gpuHeldSeconds: told(sum(uses.map(({ heldSeconds }) => heldSeconds)), whose),
    gpuHeldCoresMean: Number.isNaN(used.heldCores)
      ? unmeasured('it held no card at two looks')
      : measured(used.heldCores, '/proc counters of its processes'),
    gpuBusySeconds: told(sum(uses.map(({ own }) => own.area / 100)), `${whose}, looks added up`),
    gpuEnergyJoules: told(sum(uses.map(energyOf)), `${source}, whole cards`),
    gpuPowerWattsMean: told(
      sum(uses.map(({ power }) => power.mean)),
      `${source}, whole cards, mean of all looks`,
    ),
    gpuPowerThrottledSeconds: told(
      sum(uses.map(({ powerThrottledSeconds }) => powerThrottledSeconds)),
      `${source}, looks added up`,
    ),
    gpuHeatThrottledSeconds: told(
      sum(uses.map(({ heatThrottledSeconds }) => heatThrottledSeconds)),
      `${source}, looks added up`,
    ),
    gpuClockPercentMean: told(
      together(uses.map(({ clock }) => clock)),
      `${source}, while it worked`,
    ),
  }
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

/** What its units did while the job held it. A card does not tell whose work it was. */
function activityFigures(uses: readonly CardUse[]): Partial<Record<GpuKey, Measured>> {
  const loss = uses.find(({ card }) => card.activityLoss !== null)?.card.activityLoss
  const others = uses.some(({ isShared }) => isShared) ? ', the work of others included' : ''
  const basis = `GPM counters of NVML while the job held the card${others}`
  const figures: Partial<Record<GpuKey, Measured>> = {}
  for (const key of activityKeys) {
    const spans = uses.map(({ activity }) => activity.get(key) ?? new SpanMean())
    const mean = together(spans)
    figures[keyOfActivity[key]] = Number.isNaN(mean)
      ? unmeasured(loss ?? 'it was over before the counters of the card were read twice')
      : measured(mean, basis)
  }
  return figures
}

/** The figures of one card, each with the card's name in its basis. */
function ofCard(use: CardUse): Record<string, Measured> {
  const { card } = use
  const { identity, failure } = card
  const basis = cardBasis({ ...identity, index: card.number }, identity.source)
  const told = (value: number): Measured =>
    failure === null
      ? measured(value, basis)
      : atLeast(value, `${basis}; ${failure} after ${use.failedAtSeconds.toFixed(0)} s`)
  const figures: Record<CardKey, Measured> = {
    UtilizationPercentMean: told(use.utilization.mean),
    UtilizationPercentPeak: told(use.utilizationPeak),
    MemoryUtilizationPercentMean: told(use.memoryUtilization.mean),
    MemoryUsedPeakBytes: told(use.memoryUsedPeak),
    MemoryTotalBytes: told(card.memoryTotalBytes),
    OwnMemoryPeakBytes: told(use.isTouched ? use.ownMemoryPeak : use.isGiven ? 0 : Number.NaN),
    BusySeconds: told(use.own.area / 100),
    TemperaturePeakCelsius: told(use.temperaturePeak),
    PowerWattsMean: told(use.power.mean),
    PowerWattsPeak: told(use.powerPeak),
    EnergyJoules: told(energyOf(use)),
    EccErrors: told(card.eccErrors - use.eccStart),
  }
  return Object.fromEntries(
    Object.entries(figures).map(([key, figure]) => [`gpu${card.number}${key}`, figure]),
  )
}

/** By its own counter; else by the power at all looks. */
function energyOf({ card, energyStart, power }: CardUse): number {
  const counted = card.energyJoules - energyStart
  return counted >= 0 ? counted : power.seconds > 0 ? power.area : Number.NaN
}

/** A figure; a lower bound where a card failed meanwhile. */
function figureOf(uses: readonly CardUse[]): (value: number, basis: string) => Measured {
  const failed = uses.filter(({ card }) => card.failure !== null)
  if (failed.length === 0) return measured
  const words = failed.map(
    ({ card, failedAtSeconds }) =>
      `card ${card.number} could not be read after ${failedAtSeconds.toFixed(0)} s: ${card.failure}`,
  )
  return (value, basis) => atLeast(value, `${basis}; ${words.join('; ')}`)
}

/** Of those that are told; NaN where none is. */
function sum(values: readonly number[]): number {
  const told = values.filter((value) => !Number.isNaN(value))
  return told.length === 0 ? Number.NaN : told.reduce((total, value) => total + value, 0)
}

/** One mean of all cards, by how long each speaks. */
function together(spans: readonly SpanMean[]): number {
  const all = new SpanMean()
  for (const { mean, seconds } of spans) all.add(mean, seconds)
  return all.mean
}
