import type { Measured } from './measured.ts'
import { notAskedFor } from './metrics.ts'
import { furtherFigures, type FigureDefinition, type Usage } from './usage.ts'

/**
 * What a usage says of GPUs, for a job that was long enough on a machine that has some: figures of the job, `gpu…`, and
 * of each of its cards, `gpu0…`. They stand among the further figures of a usage; a machine without a card has none of
 * them but `gpuUtilizationPercentMean`, with the reason.
 */
export const gpuFigures = [
  { key: 'gpuCards', says: 'GPUs that were given to the job or that its processes used' },
  {
    key: 'gpuCardsUntouched',
    says: 'GPUs that were given to the job and that no process of it ever used',
  },
  {
    key: 'gpuUtilizationPercentMean',
    says: 'share of the time in which its cards worked for the job, mean over its cards; 100 is all of them, always',
  },
  { key: 'gpuUtilizationPercentPeak', says: 'the highest share at one look, mean over its cards' },
  { key: 'gpuMemoryPeakBytes', says: "the most that the job's own processes held on all cards" },
  { key: 'gpuHeldSeconds', says: 'time that its processes held a card, added up over cards' },
  {
    key: 'gpuSharedSeconds',
    says: 'of that time, how long processes of others were on the cards',
  },
  {
    key: 'gpuHeldUtilizationPercentMean',
    says: 'share of the time in which its cards worked, for whomever, while the job held them',
  },
  { key: 'gpuHeldCoresMean', says: 'cores that the job kept busy while it held a card' },
  { key: 'gpuBusySeconds', says: 'time that cards worked for the job, added up over cards' },
  {
    key: 'gpuEnergyJoules',
    says: 'what its cards drew while the job ran; of a card that others used too, its part',
  },
  {
    key: 'gpuPackageEnergyJoules',
    says: 'what CPU packages drew that its cards are part of, CPUs included; in none of the other sums, and absent where a job has no such card',
  },
  {
    key: 'gpuPowerWattsMean',
    says: 'mean power of its cards together: that energy over the duration',
  },
  {
    key: 'gpuPowerThrottledSeconds',
    says: 'time that cards ran slower to stay within their power limit, while the job held them',
  },
  {
    key: 'gpuHeatThrottledSeconds',
    says: 'time that cards ran slower because they were hot, while the job held them',
  },
  {
    key: 'gpuClockPercentMean',
    says: 'clock of the cards while the job held them and they worked; 100 is the fastest that they can',
  },
  {
    key: 'gpuSmActivePercentMean',
    says: 'share of the multiprocessors that had work, while the job held the cards',
  },
  { key: 'gpuSmOccupancyPercentMean', says: 'share of the threads that they could hold' },
  { key: 'gpuTensorPercentMean', says: 'share of the time that tensor units worked' },
  { key: 'gpuDramPercentMean', says: "share of the memory's bandwidth that was used" },
  { key: 'gpuFp64PercentMean', says: 'share of the time that units for 64-bit floats worked' },
  { key: 'gpuFp32PercentMean', says: 'the same for 32-bit floats' },
  { key: 'gpuFp16PercentMean', says: 'the same for 16-bit floats' },
  { key: 'gpuIntegerPercentMean', says: 'the same for integers' },
  { key: 'gpuPcieBytesPerSecondMean', says: 'moved over PCIe, both ways' },
  { key: 'gpuNvlinkBytesPerSecondMean', says: 'moved over NVLink, both ways' },
] as const satisfies readonly FigureDefinition[]

/** Why cards have no energy of their own. */
export const energyIsOfPackage =
  'the card is part of the CPU package and tells the power of that, which is energy of the CPUs (--metrics energy)'

export type GpuKey = (typeof gpuFigures)[number]['key']

/** What is told of each card, after `gpu` and its number. */
export const cardFigures = {
  UtilizationPercentMean: 'share of the time in which the card worked, for whomever',
  UtilizationPercentPeak: 'the highest share at one look',
  MemoryUtilizationPercentMean: 'share of the time in which its memory was read or written',
  MemoryUsedPeakBytes: 'the most memory in use, by whomever',
  MemoryTotalBytes: 'the memory that it has',
  OwnMemoryPeakBytes: "the most that the job's own processes held",
  BusySeconds: 'time that it worked for the job',
  TemperaturePeakCelsius: 'the hottest that it was',
  PowerWattsMean: 'mean power, for whomever',
  PowerWattsPeak: 'the most power at one look',
  EnergyJoules: 'what it drew while the job ran, for whomever',
  EccErrors: 'errors in its memory that could not be corrected, while the job ran',
} as const

export type CardKey = keyof typeof cardFigures

export const gpuVendors = ['nvidia', 'amd', 'intel'] as const
export type GpuVendor = (typeof gpuVendors)[number]

/** A card as the bases of its figures name it. */
export interface NamedCard {
  readonly vendor: GpuVendor
  readonly index: number
  readonly name: string
  readonly id: string
}

/** A card of a job with its figures. */
export interface CardUsage extends NamedCard {
  readonly figures: Readonly<Partial<Record<CardKey, Measured>>>
}

/** `nvidia card 0: NVIDIA H200 (GPU-8f2c…), NVML`. */
export const cardBasis = (card: NamedCard, source: string): string =>
  `${card.vendor} card ${card.index}: ${card.name} (${card.id}), ${source}`

// Made when first asked for: a short job would pay for all of them.
const basisOfCard = (): RegExp =>
  /^(?:at least: )?(nvidia|amd|intel) card (\d+): (.*) \(([^()]*)\), /
const keyOfCard = (): RegExp => /^gpu(\d+)([A-Z][A-Za-z0-9]*)$/

/** The cards of a usage, in the order of their numbers. */
export function cardsOf(usage: Usage): CardUsage[] {
  const cards = new Map<
    number,
    NamedCard & { readonly figures: Partial<Record<CardKey, Measured>> }
  >()
  for (const [key, figure] of furtherFigures(usage)) {
    const [, place, what = ''] = keyOfCard().exec(key) ?? []
    if (place === undefined || !(what in cardFigures)) continue
    const named = figure.value === null ? undefined : cardNamedIn(figure.basis)
    const known = cards.get(Number(place))
    const card = known ?? (named === undefined ? undefined : { ...named, figures: {} })
    if (card === undefined) continue
    cards.set(Number(place), card)
    card.figures[what as CardKey] = figure
  }
  return [...cards.values()].toSorted((one, other) => one.index - other.index)
}

function cardNamedIn(basis: string): NamedCard | undefined {
  const [, vendor, index, name = '', id = ''] = basisOfCard().exec(basis) ?? []
  const known = gpuVendors.find((each) => each === vendor)
  return known === undefined ? undefined : { vendor: known, index: Number(index), name, id }
}

/** `12 s`, `3.4 s`. */
export const secondsInWords = (seconds: number): string => `${rounded(seconds)} s`
const rounded = (seconds: number): string => seconds.toFixed(seconds < 10 ? 1 : 0)

/** How the basis of a mean says that a card was read for a part of the job alone. */
export const readFor = (seconds: number, durationSeconds: number): string =>
  `was read for ${rounded(Math.max(0, seconds))} of ${secondsInWords(durationSeconds)}`

/** `read for 12 of 20 s` where a mean is of a part of the job alone; null where it is of all of it. */
export function partRead(figure: Measured | undefined): string | null {
  if (figure === undefined || figure.value === null) return null
  const parts = [...figure.basis.matchAll(/; card \d+ was (read for [\d.]+ of [\d.]+ s): /g)]
  return parts.length > 1 ? 'read for a part of the time' : (parts[0]?.[1] ?? null)
}

/** How the basis of a figure says that a card of the job is not in it. More may follow in the basis: brackets end the reason. */
export const cardLeftOut = (card: number, why: string): string =>
  `card ${card} is left out (${why})`

export interface CardLeftOut {
  readonly card: number
  readonly why: string
}

/** The cards of the job that are not in a figure. */
export function cardsLeftOut(figure: Measured | undefined): CardLeftOut[] {
  if (figure === undefined || figure.value === null) return []
  const words = figure.basis.matchAll(/; card (\d+) is left out \(((?:[^()]|\([^()]*\))*)\)/g)
  return [...words].map(([, card, why = '']) => ({ card: Number(card), why }))
}

/** A figure of the job with how it is known; undefined where the build that measured it knew it not. */
export const gpuMeasured = (usage: Usage, key: GpuKey): Measured | undefined =>
  (usage as Readonly<Record<string, Measured | undefined>>)[key]

/** The figure alone; null where it was not measured. What may be more is to be asked for by `gpuMeasured`. */
export const gpuFigure = (usage: Usage, key: GpuKey): number | null =>
  gpuMeasured(usage, key)?.value ?? null

/** Why it is not known who used a card, nor who rested on it. */
export const nobodyListed = 'the card works, but its driver lists no process on it'

/** Why nothing is known of cards that were given to a job: then its cards are those on which it was seen. */
export const cardsNotNamed = 'nothing in its environment says which cards are its own'

/** Cards on which a process of the job was seen; null where that is not known. */
export function usedCards(usage: Usage): number | null {
  const cards = gpuFigure(usage, 'gpuCards')
  if (!cards) return cards
  if (whyUsedUnknown(usage) !== null) return null
  return cards - (gpuFigure(usage, 'gpuCardsUntouched') ?? 0)
}

function whyUsedUnknown(usage: Usage): string | null {
  const untouched = gpuMeasured(usage, 'gpuCardsUntouched')
  if (untouched === undefined || untouched.value !== null) return null
  return untouched.why === cardsNotNamed ? null : untouched.why
}

/** Of a job for which GPUs were asked for, and that has no figures of them. */
export const overBeforeGpus = 'it was over before GPUs were looked at'

/** Where nothing was looked at, for one reason, that is why GPUs were not; null where something was. */
function whyUnwatched({ memoryPeakBytes: memory, processesPeak: processes }: Usage): string | null {
  if (memory.value !== null || processes.value !== null || memory.why !== processes.why) return null
  return memory.why === notAskedFor ? null : memory.why
}

/** Why nothing is known of the cards of a job. */
export function gpuReason(usage: Usage): string {
  const figure =
    gpuMeasured(usage, 'gpuBusySeconds') ?? gpuMeasured(usage, 'gpuUtilizationPercentMean')
  if (figure === undefined) return whyUnwatched(usage) ?? overBeforeGpus
  return figure.value === null ? figure.why : (whyUsedUnknown(usage) ?? '')
}
