import type { Requirements } from '../model/job.ts'
import type { AttemptStatus } from '../model/outcome.ts'
import { maximum, minimum, percentile } from './statistics.ts'

/** An attempt with what it asked for and what it used; the ledger's row is one. */
export interface SizedAttempt {
  readonly jobName: string
  readonly status: AttemptStatus
  readonly machineCores: number
  readonly durationSeconds: number | null
  readonly cpuSeconds: number | null
  readonly cpuPercentP95: number | null
  readonly memoryPeakBytes: number | null
}

/** What a recommendation rests on; whoever shows it finds the words. */
export type SizingReason =
  | { readonly kind: 'peak'; readonly bytes: number }
  | { readonly kind: 'percentile'; readonly seconds: number }
  | { readonly kind: 'longest'; readonly seconds: number }
  | { readonly kind: 'timeout'; readonly seconds: number }
  | { readonly kind: 'parallel'; readonly cores: number }
  | { readonly kind: 'unmeasured' }
  | { readonly kind: 'not run' }

/** Why a request stands, or is not made, though less would do by the figures. */
export type KeptBecause = 'no success measured' | 'jobs without success' | 'small machines'

export type Confidence = 'none' | 'low' | 'medium' | 'high'

/** What one request should have been. */
export interface SizingAdvice {
  readonly resourceType: 'CPU' | 'Memory' | 'Runtime'
  readonly unit: 'cores' | 'bytes' | 'seconds'
  readonly requested: number | null
  /** null where nothing is known: then the request is left as it is. */
  readonly recommended: number | null
  readonly reason: SizingReason
  readonly kept: KeptBecause | null
  /** Whether the attempts can show that less will do; without that it may only be raised. */
  readonly mayLower: boolean
  /** Successful attempts with a figure. */
  readonly attempts: number
  /** The least and the most that those used. */
  readonly least: number | null
  readonly most: number | null
  readonly confidence: Confidence
}

export interface RequestAdvice {
  readonly cpus: SizingAdvice
  readonly memory: SizingAdvice
  readonly runtime: SizingAdvice
}

const memoryMargin = 1.15
const runtimeMargin = 1.2
const usualPercent = 95
/** A single busy thread shows as 100.3 % now and then: that needs no second CPU. */
const cpuTolerance = 0.05

/** What a request should have been, from all attempts of the jobs that share it. */
export function sizeRequest(
  requested: Requirements,
  attempts: readonly SizedAttempt[],
): RequestAdvice {
  const ended = attempts.filter(({ status }) => status !== 'running')
  return {
    cpus: sizeCpus(requested.cpus, ended),
    memory: sizeMemory(requested.memoryBytes, ended),
    runtime: sizeRuntime(requested.runtimeSeconds, ended),
  }
}

function sizeMemory(requested: number | null, attempts: readonly SizedAttempt[]): SizingAdvice {
  const seen = figuresOf(attempts, ({ memoryPeakBytes }) => memoryPeakBytes, isSuccess)
  const peak = maximum(seen.all)
  return advise(
    { resourceType: 'Memory', unit: 'bytes', requested, round: roundMemory },
    seen,
    peak === undefined
      ? null
      : { need: peak * memoryMargin, reason: { kind: 'peak', bytes: peak } },
  )
}

/** An attempt that was ended for its time would have taken longer; one that failed otherwise only shows how long. */
function sizeRuntime(requested: number | null, attempts: readonly SizedAttempt[]): SizingAdvice {
  const seen = figuresOf(attempts, ({ durationSeconds }) => durationSeconds, isSuccess)
  const usual = percentile(seen.good, usualPercent)
  const longest = maximum(seen.all)
  const timeout = maximum(
    attempts.flatMap(({ status, durationSeconds }) =>
      status === 'timeout' && durationSeconds !== null ? [durationSeconds] : [],
    ),
  )
  const needs: readonly (Need | null)[] = [
    usual === undefined
      ? null
      : { need: usual * runtimeMargin, reason: { kind: 'percentile', seconds: usual } },
    timeout === undefined
      ? null
      : { need: timeout * runtimeMargin, reason: { kind: 'timeout', seconds: timeout } },
    longest === undefined ? null : { need: longest, reason: { kind: 'longest', seconds: longest } },
  ]
  const most = needs.reduce((a, b) => (b === null || (a !== null && a.need >= b.need) ? a : b))
  return advise(
    { resourceType: 'Runtime', unit: 'seconds', requested, round: roundRuntime },
    seen,
    most,
  )
}

function sizeCpus(requested: number | null, attempts: readonly SizedAttempt[]): SizingAdvice {
  // Where the machine has fewer CPUs than were asked for, that few were busy says nothing.
  const hadRoom = (attempt: SizedAttempt): boolean => attempt.machineCores >= (requested ?? 0)
  const seen = figuresOf(attempts, busyCores, (each) => isSuccess(each) && hadRoom(each))
  const cores = maximum(seen.all)
  return advise(
    { resourceType: 'CPU', unit: 'cores', requested, round: roundCpus },
    seen,
    cores === undefined
      ? null
      : { need: cores - cpuTolerance, reason: { kind: 'parallel', cores } },
    attempts.every(hadRoom) ? null : 'small machines',
  )
}

/** CPUs that were busy at once for all but a twentieth of the time; the mean where that was not measured. */
function busyCores(attempt: SizedAttempt): number | null {
  const { cpuPercentP95, cpuSeconds, durationSeconds } = attempt
  const mean =
    cpuSeconds !== null && durationSeconds !== null && durationSeconds > 0
      ? cpuSeconds / durationSeconds
      : null
  return cpuPercentP95 === null ? mean : Math.max(cpuPercentP95 / 100, mean ?? 0)
}

const isSuccess = ({ status }: SizedAttempt): boolean => status === 'success'

interface Seen {
  /** Of attempts that may lower a request. */
  readonly good: readonly number[]
  /** Of all attempts: the others may raise it. */
  readonly all: readonly number[]
  /** Jobs that ran, but not once so that it counts. */
  readonly jobsWithout: number
  readonly hasRun: boolean
}

function figuresOf(
  attempts: readonly SizedAttempt[],
  figure: (attempt: SizedAttempt) => number | null,
  counts: (attempt: SizedAttempt) => boolean,
): Seen {
  const good: number[] = []
  const all: number[] = []
  const [ran, proved] = [new Set<string>(), new Set<string>()]
  for (const attempt of attempts) {
    ran.add(attempt.jobName)
    const value = figure(attempt)
    if (value === null) continue
    all.push(value)
    if (!counts(attempt)) continue
    good.push(value)
    proved.add(attempt.jobName)
  }
  return { good, all, jobsWithout: ran.size - proved.size, hasRun: ran.size > 0 }
}

interface Need {
  readonly need: number
  readonly reason: SizingReason
}

interface Resource extends Pick<SizingAdvice, 'resourceType' | 'unit' | 'requested'> {
  round(need: number): number
}

function advise(
  { round, ...resource }: Resource,
  { good, jobsWithout, hasRun }: Seen,
  found: Need | null,
  doubt: KeptBecause | null = null,
): SizingAdvice {
  const least = minimum(good) ?? null
  const most = maximum(good) ?? null
  const common = { ...resource, attempts: good.length, least, most }
  if (found === null)
    return {
      ...common,
      recommended: null,
      reason: { kind: hasRun ? 'unmeasured' : 'not run' },
      kept: null,
      mayLower: false,
      confidence: 'none',
    }
  const { requested } = resource
  const rounded = round(found.need)
  const against = whyNotLower(good.length, jobsWithout, doubt)
  // A limit where there was none is less than before.
  const isLess = requested === null || rounded < requested
  const kept = isLess ? against : null
  // What suffices as it is must not be raised only because it is no whole number.
  const suffices = requested !== null && found.need <= requested && rounded > requested
  return {
    ...common,
    recommended: kept !== null || suffices ? requested : rounded,
    reason: found.reason,
    kept,
    mayLower: against === null,
    confidence: confidenceOf(good.length, least, most),
  }
}

function whyNotLower(
  good: number,
  jobsWithout: number,
  doubt: KeptBecause | null,
): KeptBecause | null {
  if (good === 0) return doubt ?? 'no success measured'
  return jobsWithout > 0 ? (doubt ?? 'jobs without success') : null
}

/** By how many attempts there were and how far apart. */
function confidenceOf(attempts: number, least: number | null, most: number | null): Confidence {
  if (attempts < 3 || least === null || most === null) return 'low'
  const spread = most > 0 ? (most - least) / most : 0
  return attempts >= 5 && spread <= 0.25 ? 'high' : 'medium'
}

const megabyte = 2 ** 20
const gigabyte = 2 ** 30
/** Where a whole GB is at most an eighth more than what is needed. */
const wholeGigabytesFrom = 8 * gigabyte
const wholeMinutesFrom = 300

/** Whole GB of much, whole MB of less. */
const roundMemory = (bytes: number): number =>
  upTo(bytes, bytes >= wholeGigabytesFrom ? gigabyte : megabyte)

/** Whole minutes from five on, whole seconds below. */
const roundRuntime = (seconds: number): number =>
  upTo(seconds, seconds >= wholeMinutesFrom ? 60 : 1)

const roundCpus = (cores: number): number => upTo(cores, 1)

/** At least one step; what arithmetic adds in the last digits is no reason for one more. */
const upTo = (value: number, step: number): number =>
  Math.max(1, Math.ceil(value / step - 1e-9)) * step
