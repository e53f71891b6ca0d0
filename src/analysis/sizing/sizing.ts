import type { Requirements } from '../../model/job.ts'
import { requestMargins, usualPercent } from '../policy.ts'
import { cpuShortage } from '../job/cpu-shortage.ts'
import { afterOutOfMemory, outOfMemoryBytes, roundMemory, upTo } from '../job/out-of-memory.ts'
import {
  cpuEvidence,
  memoryEvidence,
  runtimeEvidence,
  type Evidence,
  type SizedAttempt,
} from './sizing-evidence.ts'
import { maximum, minimum, percentile } from '../statistics/statistics.ts'

/** What a recommendation rests on; whoever shows it finds the words. */
export type SizingReason =
  | { readonly kind: 'peak'; readonly bytes: number; readonly isLowerBound: boolean }
  | { readonly kind: 'out of memory'; readonly bytes: number }
  | { readonly kind: 'percentile'; readonly seconds: number }
  | { readonly kind: 'longest'; readonly seconds: number }
  | { readonly kind: 'timeout'; readonly seconds: number }
  | { readonly kind: 'parallel'; readonly cores: number; readonly isLowerBound: boolean }
  | { readonly kind: 'unmeasured' }
  | { readonly kind: 'not run' }

/** Why a request stands, or is not made, though less would do by the figures. */
export type KeptBecause =
  | 'no success measured'
  | 'jobs without success'
  | 'only a lower bound'
  | 'small machines'
  | 'short of CPU'

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
  /** Successful attempts with a figure that is no lower bound. */
  readonly attempts: number
  /** The least and the most that those used. */
  readonly least: number | null
  readonly most: number | null
  readonly confidence: Confidence
  /** Nothing better than a lower bound is known of what is needed most: it may still be too little. */
  readonly restsOnLowerBound: boolean
}

export interface RequestAdvice {
  readonly cpus: SizingAdvice
  readonly memory: SizingAdvice
  readonly runtime: SizingAdvice
}

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
  // One that went on without a process that was killed shows nothing of what suffices.
  const sufficed = (attempt: SizedAttempt): boolean =>
    isSuccess(attempt) && outOfMemoryBytes(attempt) === null
  const seen = figuresOf(attempts, memoryEvidence, sufficed)
  const { most: peak, mostIsLowerBound: isLowerBound } = seen
  const notEnough = maximum(attempts.map(outOfMemoryBytes).filter((bytes) => bytes !== null))
  return advise(
    { resourceType: 'Memory', unit: 'bytes', requested, round: roundMemory },
    seen,
    largest([
      peak === null
        ? null
        : {
            need: peak * requestMargins.memory,
            reason: { kind: 'peak', bytes: peak, isLowerBound },
          },
      notEnough === undefined
        ? null
        : {
            need: afterOutOfMemory(notEnough),
            reason: { kind: 'out of memory', bytes: notEnough },
          },
    ]),
  )
}

/** An attempt that was ended for its time would have taken longer; one that failed otherwise only shows how long. */
function sizeRuntime(requested: number | null, attempts: readonly SizedAttempt[]): SizingAdvice {
  const seen = figuresOf(attempts, runtimeEvidence, isSuccess)
  const usual = percentile(seen.good, usualPercent)
  const { most: longest } = seen
  const timeout = maximum(
    attempts.flatMap(({ status, durationSeconds }) =>
      status === 'timeout' && durationSeconds !== null ? [durationSeconds] : [],
    ),
  )
  return advise(
    { resourceType: 'Runtime', unit: 'seconds', requested, round: roundRuntime },
    seen,
    largest([
      usual === undefined
        ? null
        : { need: usual * requestMargins.runtime, reason: { kind: 'percentile', seconds: usual } },
      timeout === undefined
        ? null
        : { need: timeout * requestMargins.runtime, reason: { kind: 'timeout', seconds: timeout } },
      longest === null ? null : { need: longest, reason: { kind: 'longest', seconds: longest } },
    ]),
  )
}

function sizeCpus(requested: number | null, attempts: readonly SizedAttempt[]): SizingAdvice {
  // Where the machine has fewer CPUs than were asked for, that few were busy says nothing.
  const hadRoom = (attempt: SizedAttempt): boolean => attempt.machineCores >= (requested ?? 0)
  const seen = figuresOf(attempts, cpuEvidence, (each) => isSuccess(each) && hadRoom(each))
  const { most: cores, mostIsLowerBound: isLowerBound } = seen
  return advise(
    { resourceType: 'CPU', unit: 'cores', requested, round: roundCpus },
    seen,
    cores === null
      ? null
      : { need: neededCores(cores), reason: { kind: 'parallel', cores, isLowerBound } },
    cpuDoubt(attempts, hadRoom),
  )
}

/** Why few busy CPUs may not mean that few are needed. */
function cpuDoubt(
  attempts: readonly SizedAttempt[],
  hadRoom: (attempt: SizedAttempt) => boolean,
): KeptBecause | null {
  if (!attempts.every(hadRoom)) return 'small machines'
  return attempts.some((attempt) => cpuShortage(attempt) !== undefined) ? 'short of CPU' : null
}

const isSuccess = ({ status }: SizedAttempt): boolean => status === 'success'

interface Seen {
  /** Of attempts that may lower a request: they ended well, and all that they needed was seen. */
  readonly good: readonly number[]
  /** The most of all attempts: the others may raise it. */
  readonly most: number | null
  readonly mostIsLowerBound: boolean
  /** Jobs that ran, but not once so that it counts. */
  readonly jobsWithout: number
  /** Those of them that ended well, though not all that they needed was seen. */
  readonly jobsBounded: number
  readonly hasRun: boolean
}

function figuresOf(
  attempts: readonly SizedAttempt[],
  evidenceOf: (attempt: SizedAttempt) => Evidence | null,
  counts: (attempt: SizedAttempt) => boolean,
): Seen {
  const good: number[] = []
  let highest: Evidence | null = null
  const [ran, proved, bounded] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const attempt of attempts) {
    ran.add(attempt.jobName)
    const evidence = evidenceOf(attempt)
    if (evidence === null) continue
    if (highest === null || evidence.value > highest.value) highest = evidence
    if (!counts(attempt)) continue
    if (evidence.isLowerBound) bounded.add(attempt.jobName)
    else {
      good.push(evidence.value)
      proved.add(attempt.jobName)
    }
  }
  return {
    good,
    most: highest?.value ?? null,
    mostIsLowerBound: highest?.isLowerBound ?? false,
    jobsWithout: ran.size - proved.size,
    jobsBounded: [...bounded].filter((job) => !proved.has(job)).length,
    hasRun: ran.size > 0,
  }
}

/** The largest need that anything speaks for. */
const largest = (needs: readonly (Need | null)[]): Need | null =>
  needs.reduce((a, b) => (b === null || (a !== null && a.need >= b.need) ? a : b))

interface Need {
  readonly need: number
  readonly reason: SizingReason
}

interface Resource extends Pick<SizingAdvice, 'resourceType' | 'unit' | 'requested'> {
  round(need: number): number
}

function advise(
  { round, ...resource }: Resource,
  seen: Seen,
  found: Need | null,
  doubt: KeptBecause | null = null,
): SizingAdvice {
  const { good } = seen
  const [least, greatest] = [minimum(good) ?? null, maximum(good) ?? null]
  const restsOnLowerBound = seen.mostIsLowerBound && (greatest ?? 0) < (seen.most ?? 0)
  const common = { ...resource, attempts: good.length, least, most: greatest, restsOnLowerBound }
  if (found === null)
    return {
      ...common,
      recommended: null,
      reason: { kind: seen.hasRun ? 'unmeasured' : 'not run' },
      kept: null,
      mayLower: false,
      confidence: 'none',
    }
  const { requested } = resource
  const rounded = round(found.need)
  const against = whyNotLower(seen, doubt)
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
    confidence: restsOnLowerBound ? 'low' : confidenceOf(good.length, least, greatest),
  }
}

function whyNotLower(
  { good, jobsWithout, jobsBounded }: Seen,
  doubt: KeptBecause | null,
): KeptBecause | null {
  if (jobsWithout === 0 && good.length > 0) return null
  if (doubt !== null) return doubt
  if (jobsBounded === jobsWithout) return 'only a lower bound'
  return good.length === 0 ? 'no success measured' : 'jobs without success'
}

/** By how many attempts there were and how far apart. */
function confidenceOf(attempts: number, least: number | null, most: number | null): Confidence {
  if (attempts < 3 || least === null || most === null) return 'low'
  const spread = most > 0 ? (most - least) / most : 0
  return attempts >= 5 && spread <= 0.25 ? 'high' : 'medium'
}

const wholeMinutesFrom = 300
/** A busy machine may take seconds to start anything. */
const leastRuntimeSeconds = 10

/** Whole minutes from five on, whole seconds below. */
const roundRuntime = (seconds: number): number =>
  Math.max(leastRuntimeSeconds, upTo(seconds, seconds >= wholeMinutesFrom ? 60 : 1))

const neededCores = (busy: number): number => (busy <= 1 ? busy : Math.max(1, busy - cpuTolerance))

/** Whole CPUs, and tenths of less than one. */
const roundCpus = (cores: number): number => (cores < 1 ? upTo(10 * cores, 1) / 10 : upTo(cores, 1))
