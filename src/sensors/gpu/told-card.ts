import type { GpuCard } from './gpu-card.ts'
import { dropImplausible } from './plausible-card.ts'

/** What a tool tells of one card. NaN is "not told". */
export interface ToldCard {
  /** Unique on the machine. */
  readonly id: string
  readonly name: string
  readonly utilizationPercent: number
  readonly memoryUtilizationPercent: number
  readonly memoryUsedBytes: number
  readonly memoryTotalBytes: number
  readonly temperatureCelsius: number
  readonly powerWatts: number
  readonly powerLimitWatts: number
  readonly clockMegahertz: number
  /** Where the tool tells that. */
  readonly isInCpuPackage: boolean
}

/** A card of which nothing is told yet. */
export const untold = {
  utilizationPercent: Number.NaN,
  memoryUtilizationPercent: Number.NaN,
  memoryUsedBytes: Number.NaN,
  memoryTotalBytes: Number.NaN,
  temperatureCelsius: Number.NaN,
  powerWatts: Number.NaN,
  powerLimitWatts: Number.NaN,
  clockMegahertz: Number.NaN,
  isInCpuPackage: false,
} as const

/** Takes over what was told. */
export function takeTold(card: GpuCard, told: ToldCard): void {
  card.utilizationPercent = told.utilizationPercent
  card.memoryUtilizationPercent = told.memoryUtilizationPercent
  card.memoryUsedBytes = told.memoryUsedBytes
  card.memoryTotalBytes = told.memoryTotalBytes
  card.temperatureCelsius = told.temperatureCelsius
  card.powerWatts = told.powerWatts
  card.powerLimitWatts = told.powerLimitWatts
  card.clockMegahertz = told.clockMegahertz
  card.isInCpuPackage = told.isInCpuPackage
  card.failure = null
  dropImplausible(card)
}

/** `12.5`, `12.5 W`, `45 %`; NaN for `[N/A]`, `Not Supported` and whatever else is no number. */
export function numberTold(text: string | undefined): number {
  const [, number] = /^\s*(-?\d+(?:\.\d+)?)\s*(?:[%A-Za-z°/]*)\s*$/.exec(text ?? '') ?? []
  return number === undefined || Number(number) < 0 ? Number.NaN : Number(number)
}
