import { isOpen } from '../../model/outcome.ts'
import type { Requirements } from '../../model/job.ts'
import { requestMargins, usualPercent } from '../policy.ts'
import { wantedMoreCpu } from '../limits/cpu-shortage.ts'
import { afterOutOfMemory, outOfMemoryBytes, roundMemory, upTo } from '../limits/out-of-memory.ts'
import { afterTimeout, overTimeSeconds, roundRuntime } from '../limits/over-time.ts'
import { maximum, percentile } from '../statistics/statistics.ts'
import { seenNeeds } from './seen-needs.ts'
import { adviseRequest, type KeptBecause, type Need, type SizingAdvice } from './sizing-advice.ts'
import {
  cpuEvidence,
  memoryEvidence,
  runtimeEvidence,
  type SizedAttempt,
} from './sizing-evidence.ts'

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
  const ended = attempts.filter(({ status }) => !isOpen(status))
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
  const seen = seenNeeds(attempts, memoryEvidence, sufficed)
  const { most: peak, mostIsLowerBound: isLowerBound } = seen
  const notEnough = maximum(attempts.map(outOfMemoryBytes).filter((bytes) => bytes !== null))
  return adviseRequest(
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
  const seen = seenNeeds(attempts, runtimeEvidence, isSuccess)
  const usual = percentile(seen.good, usualPercent)
  const { most: longest } = seen
  const timeout = maximum(attempts.map(overTimeSeconds).filter((seconds) => seconds !== null))
  return adviseRequest(
    { resourceType: 'Runtime', unit: 'seconds', requested, round: roundRuntime },
    seen,
    largest([
      usual === undefined
        ? null
        : { need: usual * requestMargins.runtime, reason: { kind: 'percentile', seconds: usual } },
      timeout === undefined
        ? null
        : { need: afterTimeout(timeout), reason: { kind: 'timeout', seconds: timeout } },
      longest === null ? null : { need: longest, reason: { kind: 'longest', seconds: longest } },
    ]),
  )
}

function sizeCpus(requested: number | null, attempts: readonly SizedAttempt[]): SizingAdvice {
  // Where the machine has fewer CPUs than were asked for, that few were busy says nothing.
  const hadRoom = (attempt: SizedAttempt): boolean => attempt.machineCores >= (requested ?? 0)
  const seen = seenNeeds(attempts, cpuEvidence, (each) => isSuccess(each) && hadRoom(each))
  const { most: cores, mostIsLowerBound: isLowerBound } = seen
  return adviseRequest(
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
  return attempts.some((attempt) => wantedMoreCpu(attempt)) ? 'short of CPU' : null
}

const isSuccess = ({ status }: SizedAttempt): boolean => status === 'success'

/** The largest need that anything speaks for. */
const largest = (needs: readonly (Need | null)[]): Need | null =>
  needs.reduce((a, b) => (b === null || (a !== null && a.need >= b.need) ? a : b))

const neededCores = (busy: number): number => (busy <= 1 ? busy : Math.max(1, busy - cpuTolerance))

/** Whole CPUs, at least one: Slurm and most schedulers grant no part of one, and a request of 0.1 would be held to that. */
const roundCpus = (cores: number): number => upTo(cores, 1)
