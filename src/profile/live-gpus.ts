import type { GpuCard } from '../sensors/gpu/gpu-card.ts'
import type { Figures } from './live-figures.ts'
import { megabyte } from '../model/bytes.ts'

interface CardMetric {
  /** Follows `gpu_<number>_`. */
  readonly suffix: string
  readonly says: string
  value(card: GpuCard): number
}

/** The metrics of each card, in their order. */
export const cardMetrics: readonly CardMetric[] = [
  {
    suffix: 'util',
    says: 'share of the last moment in which it worked, in percent',
    value: ({ utilizationPercent }) => utilizationPercent,
  },
  {
    suffix: 'memory_used_mb',
    says: 'memory in use on it, by whomever',
    value: ({ memoryUsedBytes }) => memoryUsedBytes / megabyte,
  },
  {
    suffix: 'memory_total_mb',
    says: 'memory that it has',
    value: ({ memoryTotalBytes }) => memoryTotalBytes / megabyte,
  },
  {
    suffix: 'memory_pct',
    says: 'share of its memory in use',
    value: ({ memoryUsedBytes, memoryTotalBytes }) => (100 * memoryUsedBytes) / memoryTotalBytes,
  },
  {
    suffix: 'temp_c',
    says: 'its temperature',
    value: ({ temperatureCelsius }) => temperatureCelsius,
  },
  { suffix: 'power_w', says: 'its power', value: ({ powerWatts }) => powerWatts },
]

function whyUntold({ failure, isAsleep, isLeftAlone, identity }: GpuCard): string {
  if (failure !== null) return failure
  if (isLeftAlone)
    return `${identity.name} is left alone for some seconds, so that it can fall asleep`
  return isAsleep
    ? `${identity.name} is asleep, and is not woken to be read`
    : `${identity.name} does not tell it`
}

/** Adds what the cards of the machine do; `wanted` says which metrics somebody asked for. */
export function addCards(
  { metrics, unavailable }: Figures,
  cards: readonly GpuCard[] | string,
  wanted: (name: string) => boolean,
): void {
  if (typeof cards === 'string') {
    unavailable['gpu'] = cards
    return
  }
  for (const card of cards) {
    // Jobs use the instances that it is divided into, which are cards of their own here.
    if (card.isDivided) continue
    for (const { suffix, value } of cardMetrics) {
      const name = `gpu_${card.number}_${suffix}`
      if (!wanted(name)) continue
      const told = value(card)
      if (told >= 0 && told < Infinity) metrics[name] = told
      else unavailable[name] = whyUntold(card)
    }
  }
}
