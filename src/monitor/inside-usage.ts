import { count } from '../model/count.ts'
import { atLeast, isLowerBound, measured, type Measured } from '../model/measured.ts'
import type { Usage } from '../model/usage.ts'

/** CPU time in seconds. */
export interface CpuTimes {
  readonly userSeconds: number
  readonly systemSeconds: number
}

/** What was read of this process alone, between start and stop. */
export interface OwnPart {
  /** To the microsecond. */
  readonly exact: CpuTimes
  /** The same in the clock ticks that `/proc` counts in: what the other figures contain of it. */
  readonly ticked: CpuTimes
}

/**
 * What a job inside a program used, of what the whole program used meanwhile. The process itself is known to the
 * microsecond, its children in clock ticks; so is all of another program, of which `own` is null. Where other jobs were tracked at the same time, each figure says so.
 */
export function insideUsage(
  usage: Usage,
  own: OwnPart | null,
  durationSeconds: number,
  others: number,
): Usage {
  const whole = own === null ? ofWholeProgram(usage) : withOwn(usage, own, durationSeconds)
  return others === 0 ? whole : sharedUsage(whole, others)
}

function withOwn(usage: Usage, own: OwnPart, durationSeconds: number): Usage {
  const user = withExact(usage.cpuUserSeconds, own.exact.userSeconds, own.ticked.userSeconds)
  const system = withExact(
    usage.cpuSystemSeconds,
    own.exact.systemSeconds,
    own.ticked.systemSeconds,
  )
  const total = (user.value ?? NaN) + (system.value ?? NaN)
  const mean = (total / durationSeconds) * 100
  const figure = isLowerBound(usage.cpuTotalSeconds) ? atLeast : measured
  return {
    ...ofWholeProgram(usage),
    cpuUserSeconds: user,
    cpuSystemSeconds: system,
    cpuTotalSeconds: figure(total, cpuBasis),
    cpuPercentMean: figure(mean, `${cpuBasis}, over the job's duration`),
    // Clock ticks may tell less of a short job than its whole time does.
    cpuPercentPeak: noLessThan(mean, usage.cpuPercentPeak),
  }
}

const cpuBasis =
  'getrusage of this program and /proc counters of its children, from start to stop, with what jobmeter used in it'

function withExact(figure: Measured, exact: number, ticked: number): Measured {
  if (figure.value === null) return figure
  const value = exact + Math.max(0, figure.value - ticked)
  return isLowerBound(figure) ? atLeast(value, cpuBasis) : measured(value, cpuBasis)
}

const noLessThan = (least: number, figure: Measured): Measured =>
  figure.value === null || figure.value >= least ? figure : { ...figure, value: least }

/** Memory has no start and stop: what the program held before the job is in it. */
function ofWholeProgram(usage: Usage): Usage {
  return withBasis(usage, 'of the whole program', (key) =>
    /^(memory|rssSum|largestProcess|swap)/.test(key),
  )
}

/** Says something more of how some of the figures were obtained. */
function withBasis(usage: Usage, words: string, applies: (key: string) => boolean): Usage {
  const entries = Object.entries<Measured>(usage).map(([key, figure]) =>
    figure.value === null || !applies(key)
      ? [key, figure]
      : [key, { ...figure, basis: `${figure.basis}; ${words}` }],
  )
  return Object.fromEntries(entries) as Usage
}

/** What the machine did is nobody's; of all others nobody knows whose they are. */
function sharedUsage(usage: Usage, others: number): Usage {
  const words = `shared: ${count(others, 'other job')} ran in this program meanwhile, and what they used is in it too`
  const further = {
    overlappingJobs: measured(others, 'jobs that this program ran at the same time'),
  }
  return { ...withBasis(usage, words, (key) => !key.startsWith('machine')), ...further }
}
