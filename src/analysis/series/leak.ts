import { megabyte } from '../../model/bytes.ts'
import { roughSeconds } from '../../model/rough-figures.ts'
import { hourSeconds } from '../../model/time-parts.ts'
import type { EvenSeries } from './even-series.ts'
import { fitLine } from '../statistics/line-fit.ts'
import { median } from '../statistics/median.ts'
import { noiseOf } from './noise.ts'
import { countTeeth } from './sawtooth.ts'

/** What a job's memory did over its time. */
export type MemoryTrend =
  | { readonly kind: 'leak'; readonly leak: Leak }
  /** One jump, level before and after. */
  | { readonly kind: 'step'; readonly atSeconds: number; readonly bytes: number }
  /** Fills and empties again and again, as a garbage collector does. */
  | { readonly kind: 'sawtooth'; readonly teeth: number }
  /** Grew and then held. */
  | { readonly kind: 'levels-off' }
  | { readonly kind: 'steady' }
  /** None of these. */
  | { readonly kind: 'varies' }
  | { readonly kind: 'unknown'; readonly why: string }

/** A steady slope with its fit. */
export interface Leak {
  readonly bytesPerHour: number
  readonly rSquared: number
  /** The share of the tenths of the time at whose end it held more than at their start. */
  readonly risingShare: number
  readonly fromSeconds: number
  readonly toSeconds: number
  /** Where the line stands at the end. */
  readonly endBytes: number
}

/** Where the lines are drawn. */
const leakPolicy = {
  /** Fewer steps than this show no trend. */
  fewestSteps: 20,
  shortestSeconds: 10,
  /** Parts of the job's end that are looked at: what it loads at first is no leak. */
  windows: [0.9, 0.75, 0.5],
  /** Growth that counts, of the peak and in bytes: allocators wobble by some MB. */
  leastGrowthShare: 0.05,
  leastGrowthBytes: 8 * megabyte,
  leastRSquared: 0.7,
  leastRisingShare: 0.85,
  /** How many times what noise alone would do. */
  leastSignificance: 6,
  /** No tenth may bring more than this of the whole growth: that would be a step. */
  mostAtOnce: 0.35,
  /** The later half must still grow at this share of the pace of the earlier: else it levels off. */
  leastLatePace: 0.5,
} as const

const tenths = 10

export function memoryTrend(series: EvenSeries): MemoryTrend {
  const { memoryBytes: memory, length, stepSeconds } = series
  if (memory === null) return { kind: 'unknown', why: 'memory was not sampled' }
  if (length < leakPolicy.fewestSteps || length * stepSeconds < leakPolicy.shortestSeconds)
    return { kind: 'unknown', why: tooLittleText(series) }
  const leak = findLeak(series, memory)
  if (leak !== undefined) return { kind: 'leak', leak }
  // A job begins with nothing in memory: what it takes at once when it starts is no jump.
  const settled = memory.subarray(Math.ceil(length / 20))
  const peak = Math.max(...memory)
  const range = Math.max(...settled) - Math.min(...settled)
  if (range < leastGrowth(peak)) return { kind: 'steady' }
  const teeth = countTeeth(settled, range)
  if (teeth >= 3) return { kind: 'sawtooth', teeth }
  const step = findStep(settled)
  if (step !== undefined && Math.abs(step.bytes) >= leastGrowth(peak)) {
    const atSeconds = series.fromSeconds + (length - settled.length + step.at) * stepSeconds
    return { kind: 'step', atSeconds, bytes: step.bytes }
  }
  if (levelsOff(memory)) return { kind: 'levels-off' }
  return range < 6 * noiseOf(settled) ? { kind: 'steady' } : { kind: 'varies' }
}

/** Not in samples, which are listed above it: those of the first second are many, and count as one. */
const tooLittleText = ({ length, stepSeconds }: EvenSeries): string =>
  `a trend takes at least ${leakPolicy.shortestSeconds} s and ${leakPolicy.fewestSteps} steps of the timeline; ` +
  `this one has ${length} of ${roughSeconds(stepSeconds)}`

const leastGrowth = (peak: number): number =>
  Math.max(leakPolicy.leastGrowthShare * peak, leakPolicy.leastGrowthBytes)

function findLeak(series: EvenSeries, memory: Float64Array): Leak | undefined {
  for (const share of leakPolicy.windows) {
    const from = Math.round(memory.length * (1 - share))
    const leak = leakIn(memory.subarray(from), series)
    if (leak === undefined) continue
    const { fromSeconds: start, stepSeconds, length } = series
    const fromSeconds = start + from * stepSeconds
    return { ...leak, fromSeconds, toSeconds: start + length * stepSeconds }
  }
  return undefined
}

function leakIn(
  memory: Float64Array,
  { stepSeconds }: EvenSeries,
): Omit<Leak, 'fromSeconds' | 'toSeconds'> | undefined {
  const count = memory.length
  const line = fitLine(memory)
  const growth = line.slopePerStep * count
  if (growth < leastGrowth(Math.max(...memory))) return undefined
  if (line.rSquared < leakPolicy.leastRSquared) return undefined
  // The slope of noise alone strays by σ √12 / n^1.5 a step.
  const significance = growth / (noiseOf(memory) * Math.sqrt(12 / count))
  if (significance < leakPolicy.leastSignificance) return undefined
  // What is held after cleaning up, not what is held for a moment.
  const lows = blockLows(memory)
  const rises = lows.slice(1).map((low, index) => low - (lows[index] ?? low))
  const risingShare = rises.filter((rise) => rise > 0).length / rises.length
  if (risingShare < leakPolicy.leastRisingShare) return undefined
  const total = (lows.at(-1) ?? 0) - (lows[0] ?? 0)
  if (Math.max(...rises) > leakPolicy.mostAtOnce * total) return undefined
  const half = tenths / 2
  const early = fitLine(lows.slice(0, half)).slopePerStep
  const late = fitLine(lows.slice(half)).slopePerStep
  if (late < leakPolicy.leastLatePace * early) return undefined
  return {
    bytesPerHour: (line.slopePerStep / stepSeconds) * hourSeconds,
    rSquared: line.rSquared,
    risingShare,
    endBytes: line.start + line.slopePerStep * (count - 0.5),
  }
}

/** The lower quarter of each tenth. */
function blockLows(memory: Float64Array): number[] {
  return Array.from({ length: tenths }, (_, block) => {
    const from = Math.floor((block * memory.length) / tenths)
    const end = Math.floor(((block + 1) * memory.length) / tenths)
    const sorted = memory.slice(from, end).sort()
    return sorted[Math.floor(sorted.length / 4)] ?? 0
  })
}

/** The one jump that explains nearly all of the variation; a slope leaves a quarter of it unexplained. */
function findStep(memory: Float64Array): { at: number; bytes: number } | undefined {
  const count = memory.length
  const mean = memory.reduce((sum, value) => sum + value / count, 0)
  const variation = memory.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  let best = { at: 0, explained: 0 }
  let sum = 0
  const fewest = Math.ceil(count / 20)
  memory.forEach((value, index) => {
    sum += value - mean
    const before = index + 1
    if (before < fewest || count - before < fewest) return
    const explained = (sum * sum * count) / (before * (count - before))
    if (explained > best.explained) best = { at: before, explained }
  })
  if (best.explained < 0.85 * variation) return undefined
  const bytes = median(memory.subarray(best.at)) - median(memory.subarray(0, best.at))
  // It comes at once: a climb that takes its time is no step.
  const near = Math.ceil(count / 100)
  const after = memory[Math.min(count - 1, best.at + near)] ?? 0
  const before = memory[Math.max(0, best.at - 1 - near)] ?? 0
  return (after - before) / bytes >= 0.7 ? { at: best.at, bytes } : undefined
}

/** Nearly all of the growth was over after two thirds of the time, and nothing was given back. */
function levelsOff(memory: Float64Array): boolean {
  const lows = blockLows(memory)
  const first = lows[0] ?? 0
  const last = lows.at(-1) ?? 0
  const growth = last - first
  if (growth < leastGrowth(Math.max(...memory))) return false
  const backwards = lows.some((low, index) => low < (lows[index - 1] ?? low) - 0.1 * growth)
  return !backwards && (lows[6] ?? 0) - first >= 0.85 * growth
}
