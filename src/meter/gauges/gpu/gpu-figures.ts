import { cardBasis, type CardKey, type GpuKey } from '../../../model/gpu-usage.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { mostJoulesIn } from '../../../sensors/gpu/plausible-card.ts'
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
  readonly durationSeconds: number
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
  const cards = uses.map((use) => ofCard(use, used.durationSeconds))
  for (const more of [jobFigures(used), wholeCardFigures(uses), activityFigures(uses), ...cards])
    Object.assign(figures, more)
  return figures
}

const howGiven = ({ isTold, pidsAreForeign }: CardsUsed): string => {
  if (isTold) return 'given by its environment, or used by its processes'
  return pidsAreForeign ? 'all cards that it could see' : 'used by its processes'
}

/** Why nobody knows what the processes on one of them do; undefined where that is told. */
function untoldProcesses(uses: readonly CardUse[]): Measured | undefined {
  const lost = uses.find(({ card }) => card.processes.loss !== null && card.failure === null)
  return lost && unmeasured(`processes on a card are not told: ${lost.card.processes.loss}`)
}

function untouched({ uses, isTold, pidsAreForeign }: CardsUsed): Measured {
  if (!isTold) return unmeasured('nothing in its environment says which cards are its own')
  if (pidsAreForeign) return unmeasured(foreignPids)
  const untold = untoldProcesses(uses)
  if (untold !== undefined) return untold
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
      `${whose}, mean over its duration`,
    ),
    gpuUtilizationPercentPeak: told(used.utilizationPeak, `${whose}, highest at one look`),
    gpuMemoryPeakBytes: pidsAreForeign
      ? unmeasured(foreignPids)
      : (untoldProcesses(uses) ??
        told(used.memoryPeak || 0, `${source}, memory of its processes, most at one look`)),
    gpuHeldSeconds: told(sum(uses.map(({ heldSeconds }) => heldSeconds)), whose),
    gpuHeldCoresMean: Number.isNaN(used.heldCores)
      ? unmeasured('it held no card at two looks')
      : measured(used.heldCores, '/proc counters of its processes'),
    gpuBusySeconds: told(sum(uses.map(({ own }) => own.area / 100)), `${whose}, looks added up`),
    ...energyFigures(used, source),
  }
}

/** Of a card that others use too, the job's part. */
function energyFigures(
  { uses, durationSeconds }: CardsUsed,
  source: string,
): Partial<Record<GpuKey, Measured>> {
  if (uses.some(({ isUndivided }) => isUndivided)) {
    const why = unmeasured('the card was shared, and its driver does not tell the shares of work')
    return { gpuEnergyJoules: why, gpuPowerWattsMean: why }
  }
  const isShared = uses.some((use) => use.isShared)
  const basis = isShared
    ? `${source}, of a shared card its part while it held it: what work took by the shares of work, idle draw by processes`
    : `${source}, whole cards`
  const told = figureOf(uses)
  return {
    gpuEnergyJoules: told(sum(uses.map((use) => ownEnergyOf(use, durationSeconds))), basis),
    gpuPowerWattsMean: told(
      sum(
        uses.map((use) => ownEnergyOf(use, durationSeconds) / knownSeconds(use, durationSeconds)),
      ),
      `${basis}; energy over its duration`,
    ),
  }
}

/** Of the work of a card, from which on what only the whole card tells is told of the job. */
const nearlyAll = 0.8

const standsForJob = ({ isShared, own, heldUtilization }: CardUse): boolean =>
  !isShared || own.area >= nearlyAll * heldUtilization.area

const workOfOthers = unmeasured('the card was shared, and most of its work was not for this job')
const others = (uses: readonly CardUse[]): string =>
  uses.some(({ isShared }) => isShared) ? ', whole card: others used it too' : ''

/** What a card does as a whole, whoever uses it. */
function wholeCardFigures(all: readonly CardUse[]): Partial<Record<GpuKey, Measured>> {
  const uses = all.filter(standsForJob)
  const source = [...new Set(uses.map(({ card }) => card.identity.source))].join(', ')
  const told = (value: number, how: string): Measured =>
    uses.length === 0 ? workOfOthers : figureOf(uses)(value, `${source}, ${how}${others(uses)}`)
  const throttled = (of: (use: CardUse) => number): number =>
    uses.some(({ isThrottlingUntold }) => isThrottlingUntold) ? Number.NaN : sum(uses.map(of))
  return {
    gpuPowerThrottledSeconds: told(
      throttled(({ powerThrottledSeconds }) => powerThrottledSeconds),
      'looks added up',
    ),
    gpuHeatThrottledSeconds: told(
      throttled(({ heatThrottledSeconds }) => heatThrottledSeconds),
      'looks added up',
    ),
    gpuClockPercentMean: told(together(uses.map(({ clock }) => clock)), 'while it worked'),
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
function activityFigures(all: readonly CardUse[]): Partial<Record<GpuKey, Measured>> {
  const uses = all.filter(standsForJob)
  const loss = all.find(({ card }) => card.activityLoss !== null)?.card.activityLoss
  const basis = `GPM counters of NVML while the job held the card${others(uses)}`
  const figures: Partial<Record<GpuKey, Measured>> = {}
  for (const key of activityKeys) {
    const mean = together(uses.map(({ activity }) => activity.get(key) ?? new SpanMean()))
    figures[keyOfActivity[key]] = Number.isNaN(mean)
      ? uses.length === 0
        ? workOfOthers
        : unmeasured(loss ?? 'it was over before the counters of the card were read twice')
      : measured(mean, basis)
  }
  return figures
}

/** The figures of one card, each with the card's name in its basis. */
function ofCard(use: CardUse, durationSeconds: number): Record<string, Measured> {
  const { card } = use
  const { identity, failure } = card
  const basis = cardBasis({ ...identity, index: card.number }, identity.source)
  const told = (value: number): Measured =>
    Number.isNaN(value) && card.oddity !== null
      ? unmeasured(card.oddity)
      : failure === null
        ? measured(value, basis)
        : atLeast(value, `${basis}; ${failure} after ${use.failedAtSeconds.toFixed(0)} s`)
  const figures: Record<CardKey, Measured> = {
    UtilizationPercentMean: told(use.utilization.mean),
    UtilizationPercentPeak: told(use.utilizationPeak),
    MemoryUtilizationPercentMean: told(use.memoryUtilization.mean),
    MemoryUsedPeakBytes: told(use.memoryUsedPeak),
    MemoryTotalBytes: told(card.memoryTotalBytes),
    OwnMemoryPeakBytes:
      untoldProcesses([use]) ??
      told(use.isTouched ? use.ownMemoryPeak : use.isGiven ? 0 : Number.NaN),
    BusySeconds: told(use.own.area / 100),
    TemperaturePeakCelsius: told(use.temperaturePeak),
    PowerWattsMean: told(energyOf(use, durationSeconds) / knownSeconds(use, durationSeconds)),
    PowerWattsPeak: told(use.powerPeak),
    EnergyJoules: told(energyOf(use, durationSeconds)),
    EccErrors: told(card.eccErrors - use.eccStart),
  }
  return Object.fromEntries(
    Object.entries(figures).map(([key, figure]) => [`gpu${card.number}${key}`, figure]),
  )
}

/** For how long it could be read. */
const knownSeconds = ({ card, power }: CardUse, durationSeconds: number): number =>
  card.failure === null ? durationSeconds : power.seconds

/** What it drew for the job. The counter is the whole card's, and read seldom: power at the looks says how it is divided. */
function ownEnergyOf(use: CardUse, durationSeconds: number): number {
  const { power, ownPower, isShared } = use
  const energy = energyOf(use, durationSeconds)
  return isShared && power.area > 0 ? (energy * ownPower.area) / power.area : energy
}

/** By its own counter; else by the power at all looks. */
function energyOf({ card, energyStart, power }: CardUse, durationSeconds: number): number {
  const counted = card.energyJoules + card.joulesSince - energyStart
  return counted >= 0 && counted <= mostJoulesIn(durationSeconds)
    ? counted
    : power.seconds > 0
      ? power.area
      : Number.NaN
}

/** A figure; a lower bound where a card failed meanwhile. */
function figureOf(uses: readonly CardUse[]): (value: number, basis: string) => Measured {
  const figure = ofReadable(uses)
  const odd = uses.find(({ card }) => card.oddity !== null)?.card.oddity ?? null
  return odd === null
    ? figure
    : (value, basis) => (Number.isNaN(value) ? unmeasured(odd) : figure(value, basis))
}

function ofReadable(uses: readonly CardUse[]): (value: number, basis: string) => Measured {
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
