import { megabyte } from '../../model/bytes.ts'
import { cardsOf, cardFigures, type CardKey, type CardUsage } from '../../model/gpu-usage.ts'
import type { Usage } from '../../model/usage.ts'
import { usageName } from '../../model/usage-names.ts'
import { roundKeeping } from '../units/figures.ts'
import { figureValue } from '../units/usage-figure.ts'

type Cards = 'nvidia' | 'amd'

/** The documented figures of the cards of each vendor; empty where the job had none. */
export type GpuStatsJson = {
  readonly [Vendor in Cards]?: CardStatsJson
} & { readonly intel?: IntelStatsJson }

/** Means over time and over the job's cards of a vendor; memory is of all of them together, at its highest. */
export interface CardStatsJson {
  readonly gpu_utilization_percent: number | null
  readonly memory_utilization_percent: number | null
  readonly memory_used_mb: number | null
  readonly memory_total_mb: number | null
  readonly temperature_celsius: number | null
}

export interface IntelStatsJson {
  readonly render_busy_percent: number | null
  readonly available: true
}

/** One card of a job, with all that was measured of it. */
export type CardJson = Readonly<Record<string, number | string | null>>

export function gpuStatsJson(usage: Usage): GpuStatsJson {
  const cards = cardsOf(usage)
  const of = (vendor: CardUsage['vendor']): readonly CardUsage[] =>
    cards.filter((card) => card.vendor === vendor)
  const intel = of('intel')
  return {
    ...statsOf('nvidia', of('nvidia')),
    ...statsOf('amd', of('amd')),
    ...(intel.length === 0
      ? {}
      : {
          intel: {
            render_busy_percent: mean(intel, 'UtilizationPercentMean'),
            available: true as const,
          },
        }),
  }
}

function statsOf(
  vendor: Cards,
  cards: readonly CardUsage[],
): Readonly<Partial<Record<Cards, CardStatsJson>>> {
  if (cards.length === 0) return {}
  return {
    [vendor]: {
      gpu_utilization_percent: mean(cards, 'UtilizationPercentMean'),
      memory_utilization_percent: mean(cards, 'MemoryUtilizationPercentMean'),
      memory_used_mb: megabytes(cards, 'MemoryUsedPeakBytes'),
      memory_total_mb: megabytes(cards, 'MemoryTotalBytes'),
      temperature_celsius: highest(cards, 'TemperaturePeakCelsius'),
    },
  }
}

/** Each card with its figures, by the names that the usage has for them. */
export const cardsJson = (usage: Usage): CardJson[] =>
  cardsOf(usage).map(({ vendor, index, name, id, figures }) => ({
    index,
    vendor,
    name,
    id,
    ...Object.fromEntries(
      (Object.keys(cardFigures) as CardKey[]).map((key) => {
        const figure = figures[key]
        const lower = `${key[0]?.toLowerCase()}${key.slice(1)}`
        return [usageName(lower), figure === undefined ? null : figureValue(figure, key)]
      }),
    ),
  }))

const valuesOf = (cards: readonly CardUsage[], key: CardKey): number[] =>
  cards.flatMap(({ figures }) => figures[key]?.value ?? [])

function mean(cards: readonly CardUsage[], key: CardKey): number | null {
  const values = valuesOf(cards, key)
  if (values.length === 0) return null
  return roundKeeping(values.reduce((sum, value) => sum + value, 0) / values.length, 3)
}

function megabytes(cards: readonly CardUsage[], key: CardKey): number | null {
  const values = valuesOf(cards, key)
  if (values.length === 0) return null
  return roundKeeping(values.reduce((sum, value) => sum + value, 0) / megabyte, 3)
}

function highest(cards: readonly CardUsage[], key: CardKey): number | null {
  const values = valuesOf(cards, key)
  return values.length === 0 ? null : Math.max(...values)
}
