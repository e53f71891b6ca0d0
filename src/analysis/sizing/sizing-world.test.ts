import { describe, expect, it } from 'vitest'
import { generator, type Random } from '../../../test/synthetic/series.ts'
import { noRequirements, type Requirements } from '../../model/job.ts'
import type { SizedAttempt } from './sizing-evidence.ts'
import { sizeRequest } from './sizing.ts'

const megabyte = 2 ** 20

/** What a made-up attempt truly needed, whatever is recorded of it. */
interface Truth {
  readonly memoryBytes: number
  readonly cores: number
  readonly seconds: number
  /** Whether the record tells all of it, and the attempt ended well. */
  readonly isExact: boolean
}

interface World {
  readonly request: Requirements
  readonly attempts: readonly { readonly truth: Truth; readonly attempt: SizedAttempt }[]
}

const between = (random: Random, low: number, high: number): number =>
  low * (high / low) ** random()

/** Jobs that share a request and are held to it, some of them seen in part only, or not at all. */
function world(seed: number): World {
  const random = generator(seed)
  const isAsked = random() < 0.8
  const request = isAsked
    ? {
        cpus: Math.ceil(between(random, 1, 32)),
        memoryBytes: Math.ceil(between(random, 1, 4096)) * megabyte,
        gpus: null,
        runtimeSeconds: Math.ceil(between(random, 1, 10_000)),
      }
    : noRequirements
  const jobs = 1 + Math.floor(4 * random())
  const attempts = Array.from({ length: 1 + Math.floor(12 * random()) }, () => {
    const need = {
      memoryBytes: between(random, 0.5, 4096) * megabyte,
      cores: between(random, 0.1, 48),
      seconds: between(random, 0.05, 20_000),
    }
    return attemptOf(`job_${Math.floor(jobs * random())}`, need, request, random)
  })
  return { request, attempts }
}

type Need = Omit<Truth, 'isExact'>

function attemptOf(
  jobName: string,
  need: Need,
  request: Requirements,
  random: Random,
): World['attempts'][number] {
  const limit = request.memoryBytes ?? Infinity
  const isKilled = need.memoryBytes > limit
  const isLate = !isKilled && need.seconds > (request.runtimeSeconds ?? Infinity)
  const isBroken = !isKilled && !isLate && random() < 0.2
  const status = isKilled || isBroken ? 'failed' : isLate ? 'timeout' : 'success'
  const held = Math.min(need.memoryBytes, limit)
  // How the peak was come by: whole, a glimpse of it, the largest process alone, or not at all.
  const how = Math.floor(4 * random())
  const glimpse = held * between(random, 0.01, 1)
  const seconds = isLate ? (request.runtimeSeconds ?? 0) : need.seconds
  const isExact = status === 'success' && how === 0
  return {
    truth: { ...need, isExact },
    attempt: {
      jobName,
      status,
      reason: isKilled
        ? `out of memory: the kernel held it to its limit of ${(limit / megabyte).toFixed(1)} MB`
        : null,
      machineCores: 64,
      durationSeconds: seconds,
      cpuSeconds: need.cores * seconds,
      cpuPercentP95: how === 3 ? null : 100 * need.cores,
      memoryPeakBytes: how === 0 ? held : how === 1 ? glimpse : null,
      largestProcessPeakBytes: how === 2 ? glimpse : null,
      swapPeakBytes: null,
      // The cgroup's peak has the page cache in it, and never less than was held.
      memoryLimitMetBytes: null,
      cgroupMemoryPeakBytes: random() < 0.5 ? null : held * between(random, 1, 3),
      cpuPressureSeconds: null,
      machineCpuPressureSeconds: null,
      machineCpuPercentMean: null,
      involuntarySwitches: null,
      lowerBounds: how === 1 ? ['memoryPeakBytes'] : [],
    },
  }
}

/** Whether all that it needed shows: by a whole peak, or by a cgroup that never held much more than the largest process. */
function isKnown(attempt: SizedAttempt, truth: Truth): boolean {
  const largest = attempt.largestProcessPeakBytes ?? 0
  const isNearAll = (attempt.cgroupMemoryPeakBytes ?? Infinity) <= 1.15 * largest
  return attempt.status === 'success' && (truth.isExact || isNearAll)
}

const worlds = Array.from({ length: 3000 }, (_, seed) => world(seed))

describe('a recommendation over made-up jobs whose true needs are known', () => {
  it('is never below what any attempt was seen to need', () => {
    for (const { request, attempts } of worlds) {
      const { memory, runtime, cpus } = sizeRequest(
        request,
        attempts.map(({ attempt }) => attempt),
      )
      for (const { attempt } of attempts) {
        const memoryWanted = memory.recommended ?? Infinity
        expect(memoryWanted).toBeGreaterThanOrEqual(attempt.memoryPeakBytes ?? 0)
        expect(memoryWanted).toBeGreaterThanOrEqual(attempt.largestProcessPeakBytes ?? 0)
        const notEnoughBytes = attempt.reason === null ? -1 : (request.memoryBytes ?? 0)
        expect(memoryWanted).toBeGreaterThan(notEnoughBytes)
        expect(runtime.recommended ?? Infinity).toBeGreaterThan(
          (attempt.durationSeconds ?? 0) - 1e-6,
        )
        const notEnoughSeconds = attempt.status === 'timeout' ? (request.runtimeSeconds ?? 0) : -1
        expect(runtime.recommended ?? Infinity).toBeGreaterThan(notEnoughSeconds)
        expect((cpus.recommended ?? Infinity) + 0.05).toBeGreaterThanOrEqual(
          (attempt.cpuPercentP95 ?? 0) / 100 - 1e-6,
        )
      }
    }
  })

  it('is enough for every attempt of which all was seen', () => {
    let checked = 0
    for (const { request, attempts } of worlds) {
      const { memory, runtime } = sizeRequest(
        request,
        attempts.map(({ attempt }) => attempt),
      )
      for (const { attempt, truth } of attempts) {
        if (!isKnown(attempt, truth)) continue
        checked += 1
        expect(memory.recommended ?? Infinity).toBeGreaterThanOrEqual(truth.memoryBytes)
        expect(runtime.recommended ?? Infinity).toBeGreaterThanOrEqual(truth.seconds - 1e-6)
      }
    }
    expect(checked).toBeGreaterThan(500)
  })

  // A largest process that comes near the cgroup's own peak counts as whole: the margin covers what it may lack.
  it('is lowered, or made where there was none, only if each job was once seen whole', () => {
    let lowered = 0
    for (const { request, attempts } of worlds) {
      const { memory } = sizeRequest(
        request,
        attempts.map(({ attempt }) => attempt),
      )
      if (memory.recommended === null) continue
      if (memory.recommended >= (request.memoryBytes ?? Infinity)) continue
      lowered += 1
      expect(memory.mayLower).toBe(true)
      for (const { attempt } of attempts)
        expect(
          attempts.some(
            (each) => each.attempt.jobName === attempt.jobName && isKnown(each.attempt, each.truth),
          ),
        ).toBe(true)
    }
    expect(lowered).toBeGreaterThan(50)
  })

  it('says so where nothing better than a lower bound is known', () => {
    for (const { request, attempts } of worlds) {
      const bounded = attempts
        .filter(({ attempt }) => attempt.status === 'success')
        .map(({ attempt }) => ({
          ...attempt,
          lowerBounds: ['memoryPeakBytes'] as const,
          cgroupMemoryPeakBytes: null,
          memoryLimitMetBytes: null,
        }))
      const { memory } = sizeRequest(request, bounded)
      if (memory.reason.kind !== 'peak') continue
      expect(memory).toMatchObject({ confidence: 'low', restsOnLowerBound: true, mayLower: false })
      expect(memory.recommended ?? Infinity).toBeGreaterThanOrEqual(request.memoryBytes ?? Infinity)
    }
  })
})
