import type { SampleRow } from '../../model/sample.ts'
import { percentile } from '../statistics/statistics.ts'
import { counterTrack, cpuTrack, gaugeTrack, interpolator, type Track } from './track.ts'

/**
 * A job's samples on a grid of equal steps, for arithmetic that needs one: the first second of a job holds
 * seven looks and the next ones one each. What was not sampled is null as a whole.
 */
export interface EvenSeries {
  readonly fromSeconds: number
  readonly stepSeconds: number
  readonly length: number
  /** Cores busy, mean of each step. */
  readonly cpuCores: Float64Array | null
  readonly memoryBytes: Float64Array | null
  readonly readBytesPerSecond: Float64Array | null
  readonly writeBytesPerSecond: Float64Array | null
}

/** Finer than this shows nothing more to the eye, and the search for phases takes the square of it. */
const mostSteps = 200

/** Undefined where there is no time between samples to speak of. */
export function evenSeries(rows: readonly SampleRow[]): EvenSeries | undefined {
  const cpu = cpuTrack(rows)
  const memory = gaugeTrack(rows, 'memory_bytes')
  const read = counterTrack(rows, 'read_bytes')
  const write = counterTrack(rows, 'write_bytes')
  const tracks = [cpu, memory, read, write].filter(({ seconds }) => seconds.length > 1)
  const fromSeconds = Math.min(...tracks.map(({ seconds }) => seconds[0] ?? 0))
  const toSeconds = Math.max(...tracks.map(({ seconds }) => seconds.at(-1) ?? 0))
  const span = toSeconds - fromSeconds
  if (tracks.length === 0 || !(span > 0)) return undefined
  // A step shorter than the time between looks would only repeat what was seen, and repeats look like order. I/O is
  // looked at more rarely than the rest: its repeats are `noiseOf`'s to see through.
  const often = [cpu, memory].filter(({ seconds }) => seconds.length > 1)
  const usual = Math.max(...(often.length > 0 ? often : tracks).map(usualStep))
  const length = Math.max(1, Math.min(mostSteps, Math.floor(span / usual + 1e-6)))
  const stepSeconds = span / length
  const grid = { fromSeconds, stepSeconds, length }
  const rateOf = (known: Track) => (known.seconds.length > 1 ? rates(known, grid) : null)
  return {
    ...grid,
    cpuCores: rateOf(cpu),
    memoryBytes: memory.seconds.length > 1 ? means(memory, grid) : null,
    readBytesPerSecond: rateOf(read),
    writeBytesPerSecond: rateOf(write),
  }
}

type Grid = Pick<EvenSeries, 'fromSeconds' | 'stepSeconds' | 'length'>

/** The middle of the times between looks, the crowded first second left out where there is more. */
function usualStep({ seconds }: Track): number {
  const first = seconds[0] ?? 0
  const steps = seconds.slice(1).map((at, index) => at - (seconds[index] ?? at))
  const later = steps.filter((_, index) => (seconds[index] ?? 0) - first >= 1)
  return percentile(later.length >= 5 ? later : steps, 50) ?? 1
}

/** Growth of a counter within each step, by the second; between looks it is taken to grow evenly. */
function rates(known: Track, { fromSeconds, stepSeconds, length }: Grid): Float64Array {
  const walk = interpolator(known)
  const edges = Float64Array.from({ length: length + 1 }, (_, index) =>
    walk(fromSeconds + index * stepSeconds),
  )
  const found = Float64Array.from({ length }, (_, index) =>
    Math.max(0, ((edges[index + 1] ?? 0) - (edges[index] ?? 0)) / stepSeconds),
  )
  return fillOutside(found, known, { fromSeconds, stepSeconds, length })
}

/** A gauge is taken to move evenly between looks; each step shows the mean of its ends and middle. */
function means(known: Track, { fromSeconds, stepSeconds, length }: Grid): Float64Array {
  const walk = interpolator(known)
  return Float64Array.from({ length }, (_, index) => {
    const from = fromSeconds + index * stepSeconds
    return (walk(from) + 4 * walk(from + stepSeconds / 2) + walk(from + stepSeconds)) / 6
  })
}

/** Steps before the first look at a counter and after its last are as their nearest neighbour. */
function fillOutside(found: Float64Array, known: Track, grid: Grid): Float64Array {
  const stepOf = (seconds: number) => (seconds - grid.fromSeconds) / grid.stepSeconds
  const first = Math.min(found.length - 1, Math.ceil(stepOf(known.seconds[0] ?? 0) - 1e-6))
  const last = Math.max(0, Math.floor(stepOf(known.seconds.at(-1) ?? 0) + 1e-6) - 1)
  if (last < first) return found
  found.fill(found[first] ?? 0, 0, first)
  found.fill(found[last] ?? 0, last + 1)
  return found
}
