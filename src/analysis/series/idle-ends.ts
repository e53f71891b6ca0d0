import { megabyte } from '../../model/bytes.ts'
import { measured, unmeasured, type Measured } from '../../model/measured.ts'
import { roughSeconds } from '../../model/rough-figures.ts'
import type { SampleRow } from '../../model/sample.ts'
import { percentile } from '../statistics/statistics.ts'
import type { Phase } from './phases.ts'
import { counterTrack, cpuTrack, interpolator, type Track } from './track.ts'

/** How long a job did nothing at its beginning and at its end, to the time between two looks. */
export interface IdleEnds {
  /** Until its CPU use first rose to half of what it is when busy. */
  readonly startUpSeconds: Measured
  /** Since it last computed or moved data. */
  readonly idleTailSeconds: Measured
}

const idlePolicy = {
  /** Of one core: a job that hardly ever passes this waits all the time, and its ends are not special. */
  busyCores: 0.1,
  leastBusyShare: 0.05,
  /** Of one core: less than this is nothing. */
  idleCores: 0.05,
  idleIoBytesPerSecond: megabyte,
  /** Shorter ends are nothing to speak of. */
  shortestShare: 0.05,
  shortestSeconds: 0.5,
  /** Of its cores before: a step with less may have ended at rest. */
  halfBusy: 0.5,
  /** The first looks are milliseconds apart, and clock ticks are 10 ms. */
  shortestStepSeconds: 0.2,
  /** Usual steps that must be busy together at the start: loading a program is no work yet. */
  sustainedSteps: 1.5,
  /** A process that exits is busy for a moment with giving back its memory, nearly all of it in the kernel. */
  exitKernelShare: 0.8,
  exitSteps: 2,
} as const

interface Step {
  readonly fromSeconds: number
  readonly toSeconds: number
  readonly cores: number
  readonly kernelShare: number
  readonly ioBytesPerSecond: number
}

/** What is said of its ends must not contradict the phases that are shown above it. */
export function idleEnds(rows: readonly SampleRow[], phases: readonly Phase[]): IdleEnds {
  const ends = endsBySamples(rows)
  if (phases.length > 0 && phases.every(({ kind }) => kind === 'idle'))
    return nothing(hardlyEverBusy)
  const [first, last] = [phases[0], phases.at(-1)]
  const { startUpSeconds, idleTailSeconds } = ends
  return {
    startUpSeconds:
      first?.kind === 'idle' && startUpSeconds.value === 0
        ? unmeasured('it began with a moment of work, and was idle then')
        : startUpSeconds,
    idleTailSeconds:
      last?.kind === 'idle' && idleTailSeconds.value === 0 && isLong(last)
        ? unmeasured('it was idle at its end except for moments')
        : idleTailSeconds,
  }
}

const isLong = ({ fromSeconds, toSeconds }: Phase): boolean =>
  worthSaying(toSeconds - fromSeconds, toSeconds)

function endsBySamples(rows: readonly SampleRow[]): IdleEnds {
  const cpu = cpuTrack(rows)
  if (cpu.seconds.length < 2) return nothing('its CPU time was not sampled')
  const steps = stepsOf(rows, cpu)
  if (steps.length < 4) return nothing('too few samples')
  const wholeSeconds = lengthOf(steps)
  const active = steps.filter(({ cores }) => cores >= idlePolicy.busyCores)
  if (lengthOf(active) < idlePolicy.leastBusyShare * wholeSeconds) return nothing(hardlyEverBusy)
  const busy = usualCores(active)
  // What comes after it last worked is its end, and cannot be its start as well.
  const worked = steps.slice(0, lastWork(steps) + 1)
  const basis = `samples, to ${roughSeconds(usualSeconds(steps))}`
  return {
    startUpSeconds: measured(startUp(worked, busy, usualSeconds(steps)), basis),
    idleTailSeconds: idleTail(worked, wholeSeconds, busy, basis),
  }
}

/** `worked`: the steps until it last did something, of all its time. */
function idleTail(
  worked: readonly Step[],
  wholeSeconds: number,
  busy: number,
  basis: string,
): Measured {
  const last = worked.at(-1)
  if (last === undefined) return measured(0, basis)
  const after = wholeSeconds - lengthOf(worked)
  const before = worked.at(-2)?.cores ?? 0
  if (after > 0) {
    const tail = after + restOf(last, before)
    return measured(worthSaying(tail, wholeSeconds) ? tail : 0, basis)
  }
  // Whether it worked on to its end for a part of the time, or rested at its end, one step does not tell.
  const wasBusy = before >= idlePolicy.halfBusy * busy
  return wasBusy && worthSaying(restOf(last, busy), wholeSeconds)
    ? unmeasured(
        `in the last ${roughSeconds(secondsOf(last))}, after the last sample but one, it was busy for less than half: it may have been idle at its end`,
      )
    : measured(0, basis)
}

/**
 * How long it rested in a step in which it stopped working: so long as it would not have taken at its pace before. None
 * where it used half of that or more: it may have gone on with less.
 */
const restOf = (step: Step, pace: number): number =>
  step.ioBytesPerSecond >= idlePolicy.idleIoBytesPerSecond ||
  step.cores >= idlePolicy.halfBusy * pace
    ? 0
    : (1 - step.cores / pace) * secondsOf(step)

/** Until the first stretch that is at least half as busy as it usually is when busy. */
function startUp(steps: readonly Step[], busy: number, stepSeconds: number): number {
  const sustained = idlePolicy.sustainedSteps * stepSeconds
  let from: number | undefined
  for (const [index, step] of steps.entries()) {
    if (step.cores < busy / 2) from = undefined
    else {
      from ??= index === 0 ? 0 : step.fromSeconds
      if (step.toSeconds - from >= sustained) return from
    }
  }
  // It was never busy for so long: then its first burst is when it got busy.
  const burst = steps.findIndex(({ cores }) => cores >= busy / 2)
  return burst <= 0 ? 0 : (steps[burst]?.fromSeconds ?? 0)
}

/** The last step in which it computed or moved data, its exit aside; -1 where there is none. */
function lastWork(steps: readonly Step[]): number {
  const exits = steps.length - exitSteps(steps)
  return steps.findLastIndex(
    ({ ioBytesPerSecond, cores }, index) =>
      ioBytesPerSecond >= idlePolicy.idleIoBytesPerSecond ||
      (cores >= idlePolicy.idleCores && index < exits),
  )
}

/**
 * How many steps at the very end are an exit: what is followed by nothing was something else, and so was what goes on
 * from work. A job that fills memory until it is killed computes in the kernel to its end.
 */
function exitSteps(steps: readonly Step[]): number {
  const other = steps.findLastIndex(({ kernelShare }) => kernelShare < idlePolicy.exitKernelShare)
  const count = Math.min(idlePolicy.exitSteps, steps.length - 1 - other)
  const before = steps.at(-1 - count)
  return before !== undefined && before.cores < idlePolicy.idleCores ? count : 0
}

/** The times between looks, the shortest put together. */
function stepsOf(rows: readonly SampleRow[], cpu: Track): Step[] {
  const columns = ['cpu_system_seconds', 'read_bytes', 'write_bytes'] as const
  const [kernelAt, readAt, writtenAt] = columns.map((column) =>
    interpolator(counterTrack(rows, column)),
  )
  const stands = edgesOf(cpu).map((index) => {
    const seconds = cpu.seconds[index] ?? 0
    return {
      seconds,
      cpu: cpu.values[index] ?? 0,
      kernel: kernelAt?.(seconds) ?? 0,
      io: (readAt?.(seconds) ?? 0) + (writtenAt?.(seconds) ?? 0),
    }
  })
  return stands.slice(1).map((to, index): Step => {
    const from = stands[index] ?? to
    const span = to.seconds - from.seconds
    const used = to.cpu - from.cpu
    return {
      fromSeconds: from.seconds,
      toSeconds: to.seconds,
      cores: used / span,
      kernelShare: used > 0 ? (to.kernel - from.kernel) / used : 0,
      ioBytesPerSecond: (to.io - from.io) / span,
    }
  })
}

function edgesOf({ seconds }: Track): number[] {
  const at = (index: number | undefined) => seconds[index ?? 0] ?? 0
  const edges = [0]
  for (let index = 1; index < seconds.length; index += 1)
    if (at(index) - at(edges.at(-1)) >= idlePolicy.shortestStepSeconds) edges.push(index)
  // What is left at the end belongs to the step before it.
  if (edges.length > 1) edges[edges.length - 1] = seconds.length - 1
  return edges
}

const secondsOf = ({ fromSeconds, toSeconds }: Step): number => toSeconds - fromSeconds
const lengthOf = (steps: readonly Step[]): number =>
  steps.reduce((sum, step) => sum + secondsOf(step), 0)
const usualSeconds = (steps: readonly Step[]): number => percentile(steps.map(secondsOf), 50) ?? 0

/** The level that a quarter of the busy time is above. */
function usualCores(active: readonly Step[]): number {
  const sorted = active.toSorted((a, b) => b.cores - a.cores)
  let left = lengthOf(active) / 4
  return sorted.find((step) => (left -= secondsOf(step)) <= 0)?.cores ?? 0
}

const worthSaying = (seconds: number, ofSeconds: number): boolean =>
  seconds >= Math.max(idlePolicy.shortestSeconds, idlePolicy.shortestShare * ofSeconds)

const hardlyEverBusy = 'it was hardly ever busy'

const nothing = (why: string): IdleEnds => ({
  startUpSeconds: unmeasured(why),
  idleTailSeconds: unmeasured(why),
})
