import type { GpuCard, GpuFigure } from './gpu-card.ts'

/** Far beyond any card there is: what is more was garbled. */
const most = {
  memoryBytes: 2 ** 45,
  celsius: 250,
  watts: 20_000,
  megahertz: 20_000,
  eccErrors: 1e12,
  /** What a card draws in a thousand years. */
  joules: 6e14,
} as const

/** Of its memory. */
const memorySlack = 0.1

/**
 * Takes away what a card cannot be: a driver that is in trouble answers with all bits set, or with what was in memory. The card
 * keeps the first of each figure, as the reason why that is missing.
 */
export function dropImplausible(card: GpuCard): void {
  within(card, 'utilizationPercent', 100, '% of use')
  within(card, 'memoryUtilizationPercent', 100, '% of its memory bandwidth')
  // No card is without memory.
  within(card, 'memoryTotalBytes', most.memoryBytes, 'bytes of memory', 1)
  const room = card.memoryTotalBytes > 0 ? card.memoryTotalBytes : most.memoryBytes
  within(card, 'memoryUsedBytes', room, 'bytes of memory in use')
  within(card, 'temperatureCelsius', most.celsius, '°C')
  within(card, 'powerWatts', most.watts, 'W')
  within(card, 'powerLimitWatts', most.watts, 'W as its limit')
  within(card, 'clockMegahertz', most.megahertz, 'MHz')
  within(card, 'mostClockMegahertz', most.megahertz, 'MHz as its highest clock')
  within(card, 'energyJoules', most.joules, 'J')
  within(card, 'eccErrors', most.eccErrors, 'memory errors')
  const { processes } = card
  // More may have been taken since the card was asked what is in use.
  const inUse = Math.min(room, card.memoryUsedBytes + memorySlack * room || room)
  for (let at = 0; at < processes.count; at++) {
    const bytes = processes.memoryBytes[at] ?? Number.NaN
    if (bytes > inUse) {
      processes.memoryBytes[at] = Number.NaN
      note(card, 'processMemoryBytes', bytes, 'bytes of memory of one process')
    }
  }
}

function within(
  card: GpuCard,
  figure: Exclude<GpuFigure, 'processMemoryBytes'>,
  highest: number,
  unit: string,
  least = 0,
): void {
  const value = card[figure]
  if (Number.isNaN(value) || (value >= least && value <= highest)) return
  card[figure] = Number.NaN
  note(card, figure, value, unit)
}

function note({ oddities }: GpuCard, figure: GpuFigure, value: number, unit: string): void {
  oddities[figure] ??= `the driver told what cannot be: ${value} ${unit}`
}

/** A job cannot have drawn more than this from one card. */
export const mostJoulesIn = (seconds: number): number => (seconds + 1) * most.watts
