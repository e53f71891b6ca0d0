import { megabyte } from '../../model/bytes.ts'
import { roughSeconds } from '../../model/rough-figures.ts'
import { serialCores } from '../policy.ts'
import { changePoints, type Channel } from './change-points.ts'
import type { EvenSeries } from './even-series.ts'
import type { MemoryTrend } from './leak.ts'
import { noiseOf, withoutBursts } from './noise.ts'
import { cutsWithRests, restStretches } from './rests.ts'

/** A stretch of a job's time in which it did one thing. Null is "not sampled". */
export interface Phase {
  readonly kind: PhaseKind
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly cpuCores: number | null
  readonly memoryStartBytes: number | null
  readonly memoryEndBytes: number | null
  readonly memoryPeakBytes: number | null
  readonly readBytesPerSecond: number | null
  readonly writeBytesPerSecond: number | null
}

export type PhaseKind = 'idle' | 'io' | 'light' | 'one-core' | 'parallel' | 'unknown'

/** In fewer steps than this only rests can be told from work. */
export const fewestPhaseSteps = 12

/** Where the lines are drawn. Shares are of the figure's highest level. */
const phasePolicy = {
  /** A phase is at least this long, in steps and as a share of the time. */
  shortestSteps: 4,
  /** Of a series that is too short for other phases. */
  shortestStepsAtRest: 2,
  shortestShare: 0.04,
  /** More than this is rhythm, not phases: the most alike neighbours are put together. */
  mostPhases: 8,
  /** A change smaller than this is nothing that anybody would call a phase. */
  changeShare: 0.15,
  changeCores: 0.15,
  changeMemoryBytes: 16 * megabyte,
  changeIoBytesPerSecond: 2 * megabyte,
  /** Below this a job does nothing to speak of. */
  idleCores: 0.05,
  busyIoBytesPerSecond: megabyte,
} as const

export interface Phases {
  readonly phases: readonly Phase[]
  /** Whether there were more changes than are worth showing. */
  readonly more: boolean
  /** Why there is but one, where there may have been more; null elsewhere. */
  readonly whyOne: string | null
}

/** The job's phases in order; one where nothing changed for certain. */
export function findPhases(series: EvenSeries, trend: MemoryTrend): Phases {
  const tracks = tracksOf(series, trend)
  const isShort = series.length < fewestPhaseSteps
  const shortest = shortestPhase(series.length)
  const found =
    isShort || tracks.length === 0
      ? []
      : changePoints(
          tracks.map((track) => channelOf(track, shortest)),
          shortest,
        )
  const isAtRest = stepsAtRest(series)
  const rests = isTold(series.cpuCores, isAtRest) ? restStretches(isAtRest, shortest) : []
  const cuts = cutsWithRests(found, rests, series.length, shortest)
  const edges = [0, ...cuts, series.length]
  mergeAlike(edges, tracks, 1, 1)
  const more = edges.length - 1 > phasePolicy.mostPhases
  mergeAlike(edges, tracks, Infinity, phasePolicy.mostPhases)
  const phases = edges.slice(1).map((end, index) => phaseOf(series, edges[index] ?? 0, end))
  const whyOne = isShort && phases.length === 1 ? tooShort(series) : null
  return { phases, more, whyOne }
}

function shortestPhase(length: number): number {
  const { shortestSteps, shortestStepsAtRest, shortestShare } = phasePolicy
  const least = length < fewestPhaseSteps ? shortestStepsAtRest : shortestSteps
  return Math.max(least, Math.ceil(shortestShare * length))
}

const tooShort = ({ length, stepSeconds }: EvenSeries): string =>
  `phases other than rests take at least ${fewestPhaseSteps} steps of the timeline; ` +
  `it has ${length}, each of ${roughSeconds(stepSeconds)}`

/** Whether its work is so much more than rest that neighbours of both kinds are not put together again. */
function isTold(cpuCores: Float64Array | null, isAtRest: readonly boolean[]): boolean {
  const work = cpuCores?.filter((_, step) => isAtRest[step] !== true) ?? none
  const { changeCores, changeShare } = phasePolicy
  return mean(work) >= Math.max(changeCores, changeShare * high(cpuCores ?? none))
}

const none = new Float64Array()

function stepsAtRest({ length, ...series }: EvenSeries): boolean[] {
  const { cpuCores, readBytesPerSecond: read, writeBytesPerSecond: written } = series
  const { idleCores, busyIoBytesPerSecond } = phasePolicy
  const isBelow = (step: number, cores: number): boolean =>
    (cpuCores?.[step] ?? Infinity) < cores &&
    (read?.[step] ?? 0) + (written?.[step] ?? 0) < busyIoBytesPerSecond
  return Array.from({ length }, (_, step) => {
    if (isBelow(step, idleCores)) return true
    // Work began or ended in it, hardly within it.
    const isBeside = isBelow(step - 1, idleCores) || isBelow(step + 1, idleCores)
    return isBeside && isBelow(step, 2 * idleCores)
  })
}

/** A figure with the change in it that would be worth a phase. */
interface Track {
  readonly values: Float64Array
  readonly shape: Channel['shape']
  readonly change: number
}

function tracksOf(series: EvenSeries, trend: MemoryTrend): Track[] {
  const { changeShare, changeCores, changeMemoryBytes, changeIoBytesPerSecond } = phasePolicy
  const { cpuCores, memoryBytes, readBytesPerSecond: read, writeBytesPerSecond: write } = series
  const tracks: Track[] = []
  const add = (values: Float64Array | null, shape: Channel['shape'], least: number) => {
    if (values === null) return
    tracks.push({ values, shape, change: Math.max(least, changeShare * high(values)) })
  }
  add(cpuCores, 'level', changeCores)
  // Every tooth of a saw would be two phases: a rhythm is none.
  if (trend.kind !== 'sawtooth') add(memoryBytes, 'line', changeMemoryBytes)
  add(read, 'level', changeIoBytesPerSecond)
  add(write, 'level', changeIoBytesPerSecond)
  return tracks
}

/** The level that all but a twentieth of the time stays below: a burst is no level. */
function high(values: Float64Array): number {
  const sorted = values.toSorted()
  return sorted[Math.floor(0.95 * (sorted.length - 1))] ?? 0
}

/** Noise below a fifth of a change that matters is taken as that much: nothing smaller is looked for. */
function channelOf({ values, shape, change }: Track, shortest: number): Channel {
  const noise = Math.max(noiseOf(values), change / 5)
  return { values: withoutBursts(values, shortest, 3 * noise), noise, shape }
}

/** Puts the most alike neighbours together while they differ by less than `least` or are more than `most`. */
function mergeAlike(edges: number[], tracks: readonly Track[], least: number, most: number): void {
  while (edges.length - 1 > most) {
    let alike = { edge: 0, difference: Infinity }
    for (let edge = 1; edge < edges.length - 1; edge += 1) {
      const difference = Math.max(0, ...tracks.map((track) => changeAt(track, edges, edge)))
      if (difference < alike.difference) alike = { edge, difference }
    }
    if (alike.edge === 0 || alike.difference >= least) return
    edges.splice(alike.edge, 1)
  }
}

/** How much a figure changes from one stretch to the next, in changes that matter. */
function changeAt(
  { values, shape, change }: Track,
  edges: readonly number[],
  edge: number,
): number {
  const before = inner(values, edges[edge - 1] ?? 0, edges[edge] ?? 0)
  const after = inner(values, edges[edge] ?? 0, edges[edge + 1] ?? 0)
  const levels = Math.abs(mean(before) - mean(after)) / change
  if (shape === 'level') return levels
  // Of lines the bend counts: how far the first would have missed the end of the second.
  const bend = Math.abs(slope(before) - slope(after)) * Math.min(before.length, after.length)
  const gap = Math.abs((after[0] ?? 0) - (before.at(-1) ?? 0))
  return Math.max(bend, gap) / change
}

/** The steps of time in which something changes are half the one and half the other. */
const inner = (values: Float64Array, from: number, end: number): Float64Array =>
  end - from > 2 ? values.subarray(from + 1, end - 1) : values.subarray(from, end)

const slope = (values: Float64Array): number => {
  const third = Math.max(1, Math.floor(values.length / 3))
  return (
    (mean(values.subarray(-third)) - mean(values.subarray(0, third))) / (values.length - third || 1)
  )
}

function mean(values: Float64Array): number {
  let sum = 0
  for (const value of values) sum += value
  return sum / values.length
}

function phaseOf(series: EvenSeries, from: number, end: number): Phase {
  const meanOf = (values: Float64Array | null) =>
    values === null ? null : mean(values.subarray(from, end))
  const memory = series.memoryBytes?.subarray(from, end)
  const cpuCores = meanOf(series.cpuCores)
  const readBytesPerSecond = meanOf(series.readBytesPerSecond)
  const writeBytesPerSecond = meanOf(series.writeBytesPerSecond)
  const ioBytesPerSecond = (readBytesPerSecond ?? 0) + (writeBytesPerSecond ?? 0)
  return {
    kind: kindOf(cpuCores, ioBytesPerSecond),
    fromSeconds: series.fromSeconds + from * series.stepSeconds,
    toSeconds: series.fromSeconds + end * series.stepSeconds,
    cpuCores,
    memoryStartBytes: memory?.[0] ?? null,
    // In its last step a job that exits has given back a part already.
    memoryEndBytes: memory?.at(-2) ?? memory?.at(-1) ?? null,
    memoryPeakBytes: memory === undefined ? null : Math.max(...memory),
    readBytesPerSecond,
    writeBytesPerSecond,
  }
}

function kindOf(cpuCores: number | null, ioBytesPerSecond: number): PhaseKind {
  const { idleCores, busyIoBytesPerSecond } = phasePolicy
  if (cpuCores === null) return 'unknown'
  if (cpuCores < serialCores.least / 2 && ioBytesPerSecond >= busyIoBytesPerSecond) return 'io'
  if (cpuCores < idleCores) return 'idle'
  if (cpuCores < serialCores.least) return 'light'
  return cpuCores <= serialCores.most ? 'one-core' : 'parallel'
}
