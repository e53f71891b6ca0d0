import { sampleWidth } from './sample-width.ts'
import { sampleIndex, type SampleRow } from '../../src/model/sample.ts'

/** What a made-up job does at a moment. Rates are of that moment; the rows hold running totals. */
export interface Moment {
  readonly cpuCores: number
  readonly memoryBytes: number
  readonly readBytesPerSecond?: number
  readonly writeBytesPerSecond?: number
}

export interface SeriesShape {
  readonly seconds: number
  readonly intervalSeconds?: number
  /** Moves each look by up to this share of the interval. */
  readonly jitter?: number
  readonly random?: Random
}

export const GB = 2 ** 30
export const MB = 2 ** 20

/** The samples that jobmeter would have kept of such a job: cumulative counters, instant gauges. */
export function sampledSeries(shape: SeriesShape, at: (seconds: number) => Moment): SampleRow[] {
  const { seconds, intervalSeconds = 1, jitter = 0, random = generator(1) } = shape
  // The first looks come soon after the start, as the real ones do.
  const early = [0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5].filter((time) => time < intervalSeconds)
  const times = [...early]
  for (let time = intervalSeconds; time < seconds; time += intervalSeconds)
    times.push(time + jitter * intervalSeconds * (random() - 0.5))
  times.push(seconds)
  let before = 0
  let user = 0
  let system = 0
  let read = 0
  let written = 0
  return times.map((time) => {
    const step = time - before
    const moment = at(before + step / 2)
    before = time
    user += 0.9 * moment.cpuCores * step
    system += 0.1 * moment.cpuCores * step
    read += (moment.readBytesPerSecond ?? 0) * step
    written += (moment.writeBytesPerSecond ?? 0) * step
    const row = new Float64Array(sampleWidth).fill(Number.NaN)
    row[sampleIndex.timestamp] = 1_760_000_000 + time
    row[sampleIndex.elapsed_seconds] = time
    row[sampleIndex.cpu_user_seconds] = user
    row[sampleIndex.cpu_system_seconds] = system
    row[sampleIndex.memory_bytes] = Math.round(moment.memoryBytes)
    row[sampleIndex.num_processes] = 1
    row[sampleIndex.read_bytes] = Math.round(read)
    row[sampleIndex.write_bytes] = Math.round(written)
    return row
  })
}

export type Random = () => number

/** The same numbers from 0 to 1 for the same seed, everywhere (mulberry32). */
export function generator(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Kinds of chance, each with mean 0 and standard deviation 1. */
export const noises = {
  gaussian: (random: Random) => () => gaussian(random),
  uniform: (random: Random) => () => Math.sqrt(12) * (random() - 0.5),
  /** Mostly a little below the mean, at times far above it. */
  skewed: (random: Random) => () => -Math.log(1 - random()) - 1,
  /** Each value hangs on the one before. */
  lasting: (random: Random) => {
    let last = gaussian(random)
    return () => (last = 0.6 * last + 0.8 * gaussian(random))
  },
} as const

export type NoiseKind = keyof typeof noises

export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** A job that does one thing all the time, with chance in every figure. */
export function noiseSeries(seed: number, kind: NoiseKind): SampleRow[] {
  const random = generator(seed)
  const seconds = 40 + Math.floor(random() * 400)
  const level = { cores: 0.3 + 7 * random(), memory: 0.05 + 4 * random(), io: 200 * random() }
  const strength = {
    cpu: 0.02 + 0.25 * random(),
    memory: 0.01 + 0.1 * random(),
    io: 0.4 * random(),
  }
  const draw = { cpu: noises[kind](random), memory: noises[kind](random), io: noises[kind](random) }
  const positive = (value: number) => Math.max(0, value)
  return sampledSeries({ seconds, jitter: random() < 0.5 ? 0 : 0.4, random }, () => ({
    cpuCores: positive(level.cores * (1 + strength.cpu * draw.cpu())),
    memoryBytes: positive(level.memory * GB * (1 + strength.memory * draw.memory())),
    readBytesPerSecond: positive(level.io * MB * (1 + strength.io * draw.io())),
  }))
}
