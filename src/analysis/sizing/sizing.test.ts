import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { noRequirements } from '../../model/job.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import { sizedRecord } from './sized-record.ts'
import type { SizedAttempt } from './sizing-evidence.ts'
import { sizeRequest } from './sizing.ts'
import { sizedAttempt } from '../../../test/synthetic/sized-attempt.ts'

const gigabyte = 2 ** 30
const megabyte = 2 ** 20

const requested = { cpus: 8, memoryBytes: 8 * gigabyte, gpus: null, runtimeSeconds: 7200 }

const recommended = (attempts: readonly SizedAttempt[], request = requested) => {
  const { cpus, memory, runtime } = sizeRequest(request, attempts)
  return [cpus.recommended, memory.recommended, runtime.recommended]
}

describe('sizeRequest', () => {
  it('adds 15 % to the peak and 20 % to the time, and takes the CPUs that were busy at once', () => {
    expect(sizeRequest(requested, [sizedAttempt()])).toMatchObject({
      // 12.075 GB and 3h 18m; 3.1 cores
      memory: { recommended: 13 * gigabyte, reason: { kind: 'peak', bytes: 10.5 * gigabyte } },
      runtime: { recommended: 198 * 60, reason: { kind: 'percentile', seconds: 9900 } },
      cpus: { recommended: 4, reason: { kind: 'parallel', cores: 3.1 } },
    })
  })

  it('rounds up to whole GB or MB, minutes or seconds, and CPUs', () => {
    const small = sizedAttempt({
      memoryPeakBytes: 100.5 * megabyte,
      durationSeconds: 10.1,
      cpuPercentP95: 3,
      cpuSeconds: 0.1,
    })
    expect(recommended([small])).toEqual([1, 116 * megabyte, 13])
    const request = { ...requested, memoryBytes: 100 * gigabyte }
    const long = sizedAttempt({ memoryPeakBytes: 40 * gigabyte, durationSeconds: 251 })
    expect(recommended([long], request).slice(1)).toEqual([46 * gigabyte, 360])
  })

  it('recommends whole cores, at least one, as schedulers grant them', () => {
    const busy = (percent: number) =>
      sizeRequest({ ...requested, cpus: 0.2 }, [
        sizedAttempt({ cpuPercentP95: percent, cpuSeconds: null }),
      ]).cpus.recommended
    expect([38, 40, 42, 91, 100, 104, 106].map(busy)).toEqual([1, 1, 1, 1, 1, 1, 2])
    // What suffices is left alone.
    expect(busy(15)).toBe(0.2)
  })

  it('never lowers CPUs by an attempt that was short of CPU', () => {
    const starved = sizedAttempt({
      durationSeconds: 100,
      cpuPercentP95: 40,
      cpuPressureSeconds: 95,
    })
    const crowd = { machineCpuPressureSeconds: 60, machineCpuPercentMean: 99 }
    const crowded = sizedAttempt({
      ...crowd,
      durationSeconds: 100,
      cpuSeconds: 40,
      cpuPercentP95: 40,
    })
    for (const each of [starved, crowded])
      expect(sizeRequest(requested, [each]).cpus).toMatchObject({
        recommended: 8,
        kept: 'short of CPU',
        mayLower: false,
        attempts: 0,
      })
    // Its own pressure is known to be none: the crowd did not harm it.
    expect(recommended([{ ...crowded, cpuPressureSeconds: 0 }])[0]).toBe(1)
    // Another attempt of the same job had all it wanted.
    expect(recommended([starved, sizedAttempt({ cpuPercentP95: 310 })])[0]).toBe(4)
    // And what it got all the same may raise a request.
    expect(recommended([{ ...starved, cpuPercentP95: 1200 }])[0]).toBe(12)
  })

  it('never lowers CPUs by an attempt that waited for cores while it worked, however long it was idle then', () => {
    const idleTail = { durationSeconds: 9.05, cpuPercentP95: 30 }
    const asked = { ...requested, cpus: 2 }
    for (const [cpuSeconds, cpuPressureSeconds] of [
      [1.41, 2.04],
      [5.3, 0.72],
    ] as const) {
      const starved = sizedAttempt({ ...idleTail, cpuSeconds, cpuPressureSeconds })
      expect(sizeRequest(asked, [starved]).cpus).toMatchObject({
        recommended: 2,
        kept: 'short of CPU',
        mayLower: false,
      })
    }
    // The busiest twentieth of the time is left out, whatever happened in it.
    const moment = sizedAttempt({ ...idleTail, cpuSeconds: 0.05, cpuPressureSeconds: 0.02 })
    expect(recommended([moment], asked)[0]).toBe(1)
  })

  it('takes the 95th percentile of the times, but never less than the longest', () => {
    const usual = Array.from({ length: 99 }, () => sizedAttempt({ durationSeconds: 1000 }))
    const advice = sizeRequest(requested, [...usual, sizedAttempt({ durationSeconds: 1190 })])
    expect(advice.runtime).toMatchObject({ recommended: 1200, reason: { kind: 'percentile' } })
    const outlier = sizeRequest(requested, [...usual, sizedAttempt({ durationSeconds: 3000 })])
    expect(outlier.runtime).toMatchObject({ recommended: 3000, reason: { kind: 'longest' } })
  })

  it('gives one busy thread one CPU', () => {
    expect(recommended([sizedAttempt({ cpuPercentP95: 100.4 })])[0]).toBe(1)
    expect(recommended([sizedAttempt({ cpuPercentP95: 120 })])[0]).toBe(2)
  })

  it('takes the mean for the CPUs that were busy at least: it raises a request and lowers none', () => {
    const onlyMean = sizedAttempt({ cpuPercentP95: null, cpuSeconds: 9900 * 2.4 })
    expect(recommended([onlyMean], { ...requested, cpus: 2 })[0]).toBe(3)
    expect(sizeRequest(requested, [onlyMean]).cpus).toMatchObject({
      recommended: 8,
      kept: 'only a lower bound',
      mayLower: false,
      confidence: 'low',
    })
  })

  describe('a peak that is only a lower bound', () => {
    const glimpse = sizedAttempt({
      memoryPeakBytes: 3 * megabyte,
      lowerBounds: ['memoryPeakBytes'],
    })
    const request = { ...requested, memoryBytes: 300 * megabyte }

    it('lowers no request and makes none, however often it was seen', () => {
      const often = Array.from({ length: 12 }, () => glimpse)
      const kept = { kept: 'only a lower bound', mayLower: false, confidence: 'low' }
      expect(sizeRequest(request, often).memory).toMatchObject({
        ...kept,
        recommended: 300 * megabyte,
        restsOnLowerBound: true,
        attempts: 0,
      })
      expect(sizeRequest(noRequirements, often).memory).toMatchObject({
        ...kept,
        recommended: null,
      })
    })

    it('raises one, and says how sure that is', () => {
      const more = { ...glimpse, memoryPeakBytes: 400 * megabyte }
      expect(sizeRequest(request, [more]).memory).toMatchObject({
        recommended: 460 * megabyte,
        reason: { kind: 'peak', isLowerBound: true },
        confidence: 'low',
        restsOnLowerBound: true,
      })
      const sure = Array.from({ length: 6 }, () =>
        sizedAttempt({ memoryPeakBytes: 100 * megabyte }),
      )
      expect(sizeRequest(request, [...sure, more]).memory).toMatchObject({
        recommended: 460 * megabyte,
        confidence: 'low',
      })
      expect(sizeRequest(request, [...sure, glimpse]).memory).toMatchObject({
        recommended: 115 * megabyte,
        confidence: 'high',
        restsOnLowerBound: false,
      })
    })
  })

  it('goes by the largest process too, and by what was swapped out', () => {
    const low = sizedAttempt({
      memoryPeakBytes: 4 * megabyte,
      largestProcessPeakBytes: 250 * megabyte,
    })
    const small = { ...requested, memoryBytes: 10 * megabyte }
    expect(sizeRequest(small, [low]).memory).toMatchObject({ recommended: 288 * megabyte })
    expect(sizeRequest(requested, [low]).memory).toMatchObject({ kept: 'only a lower bound' })
    const swapped = sizedAttempt({ memoryPeakBytes: gigabyte, swapPeakBytes: 1 })
    expect(sizeRequest(requested, [swapped]).memory).toMatchObject({ kept: 'only a lower bound' })
    const unseen = sizedAttempt({ memoryPeakBytes: null, largestProcessPeakBytes: 250 * megabyte })
    expect(sizeRequest(small, [unseen]).memory).toMatchObject({ recommended: 288 * megabyte })
  })

  it('takes the largest process for the whole where the cgroup never held more', () => {
    const part = sizedAttempt({
      memoryPeakBytes: null,
      largestProcessPeakBytes: 100 * megabyte,
      cgroupMemoryPeakBytes: 110 * megabyte,
    })
    expect(sizeRequest(requested, [part]).memory).toMatchObject({
      recommended: 115 * megabyte,
      kept: null,
      reason: { isLowerBound: false },
    })
    const more = { ...part, cgroupMemoryPeakBytes: 200 * megabyte }
    expect(sizeRequest(requested, [more]).memory).toMatchObject({ kept: 'only a lower bound' })
  })

  it('takes no lower bound for the whole: files that others had in memory are in no cgroup of the job', () => {
    const bounded = sizedAttempt({
      memoryPeakBytes: 100 * megabyte,
      lowerBounds: ['memoryPeakBytes'],
      cgroupMemoryPeakBytes: 100 * megabyte,
    })
    expect(sizeRequest(requested, [bounded]).memory).toMatchObject({ kept: 'only a lower bound' })
  })

  it('takes no part for the whole by a cgroup whose end was not seen either', () => {
    const memoryPeakBytes = unmeasured('not seen')
    const largestProcessPeakBytes = measured(100 * megabyte, 'looks')
    const certain = measured(105 * megabyte, 'cgroup')
    const bound = atLeast(105 * megabyte, 'cgroup')
    const advised = (cgroupMemoryPeakBytes: Measured) => {
      const usage = {
        ...usageOf({}),
        memoryPeakBytes,
        largestProcessPeakBytes,
        cgroupMemoryPeakBytes,
      }
      return sizeRequest(requested, [sizedRecord({ ...poisson, usage })]).memory
    }
    expect(advised(certain)).toMatchObject({ kept: null })
    expect(advised(bound)).toMatchObject({ kept: 'only a lower bound' })
  })

  it('asks for half as much again as what a job ran out of', () => {
    const killed = sizedAttempt({
      status: 'failed',
      reason: 'out of memory: the kernel held it to its limit of 8192.0 MB',
      memoryPeakBytes: 5 * gigabyte,
    })
    expect(sizeRequest(requested, [killed]).memory).toMatchObject({
      recommended: 12 * gigabyte,
      reason: { kind: 'out of memory', bytes: 8 * gigabyte },
    })
    const enough = sizedAttempt({ memoryPeakBytes: 20 * gigabyte })
    expect(recommended([killed, enough])[1]).toBe(23 * gigabyte)
    const unknownLimit = {
      ...killed,
      reason: 'out of memory: the kernel killed a process of the job',
    }
    expect(recommended([unknownLimit], { ...requested, memoryBytes: gigabyte })[1]).toBe(
      7.5 * gigabyte,
    )
  })

  it('asks for no less than a limit can be', () => {
    const tiny = sizedAttempt({ memoryPeakBytes: 700_000, durationSeconds: 0.01 })
    expect(recommended([tiny]).slice(1)).toEqual([16 * megabyte, 10])
    const asked = { ...requested, memoryBytes: 2 * megabyte, runtimeSeconds: 2 }
    expect(recommended([tiny], asked).slice(1)).toEqual([2 * megabyte, 2])
  })

  it('is raised, never lowered, by attempts that did not end well', () => {
    const statuses = ['failed', 'timeout', 'interrupted', 'cancelled', 'error'] as const
    for (const status of statuses) {
      const low = sizedAttempt({
        status,
        memoryPeakBytes: 1,
        durationSeconds: 1,
        cpuPercentP95: 1,
        cpuSeconds: 0.01,
      })
      expect(recommended([low])).toEqual([8, 8 * gigabyte, 7200])
      const high = sizedAttempt({ status, cpuPercentP95: 1200 })
      expect(recommended([high]).slice(0, 2)).toEqual([12, 13 * gigabyte])
    }
    const timeout = sizeRequest(requested, [
      sizedAttempt({ status: 'timeout', durationSeconds: 7201 }),
    ])
    expect(timeout.runtime).toMatchObject({
      recommended: 14_460,
      reason: { kind: 'timeout' },
      mayLower: false,
    })
  })

  it('is not lowered while a job that shares it has no good attempt', () => {
    const good = sizedAttempt({ memoryPeakBytes: gigabyte, durationSeconds: 60 })
    const unseen = sizedAttempt({
      jobName: 'b',
      memoryPeakBytes: null,
      cpuPercentP95: null,
      cpuSeconds: null,
      durationSeconds: null,
    })
    expect(recommended([good, unseen])).toEqual([8, 8 * gigabyte, 7200])
    expect(sizeRequest(requested, [good, unseen]).memory).toMatchObject({
      kept: 'jobs without success',
      mayLower: false,
    })
    const again = sizedAttempt({ jobName: 'b', memoryPeakBytes: gigabyte, durationSeconds: 60 })
    expect(recommended([good, unseen, again])).toEqual([4, 1178 * megabyte, 72])
  })

  it('does not take a small machine for a small job', () => {
    const small = sizedAttempt({ machineCores: 4, cpuPercentP95: 400 })
    expect(sizeRequest(requested, [small]).cpus).toMatchObject({
      recommended: 8,
      kept: 'small machines',
    })
  })

  it('keeps what suffices though it is no whole number', () => {
    const request = { ...requested, cpus: 0.25, memoryBytes: 12.5 * gigabyte }
    const idle = sizedAttempt({ cpuPercentP95: 21, cpuSeconds: 1 })
    expect(recommended([idle], request).slice(0, 2)).toEqual([0.25, 12.5 * gigabyte])
  })

  it('knows nothing without a figure, and needs no request to know', () => {
    const nothing = sizedAttempt({
      cpuSeconds: null,
      cpuPercentP95: null,
      memoryPeakBytes: null,
      durationSeconds: null,
    })
    expect(recommended([nothing])).toEqual([null, null, null])
    expect(sizeRequest(requested, [nothing]).memory.reason).toEqual({ kind: 'unmeasured' })
    const running = [sizedAttempt({ status: 'running' })]
    expect(recommended(running)).toEqual([null, null, null])
    expect(sizeRequest(requested, running).memory.reason).toEqual({ kind: 'not run' })
    expect(sizeRequest(noRequirements, [sizedAttempt()]).memory).toMatchObject({
      requested: null,
      recommended: 13 * gigabyte,
    })
  })

  it('makes no request of attempts that did not end well', () => {
    const failed = sizedAttempt({ status: 'failed', durationSeconds: 0.03 })
    const { runtime } = sizeRequest(noRequirements, [failed])
    expect(runtime).toMatchObject({ recommended: null, kept: 'no success measured' })
  })

  it('is the surer the more attempts agree', () => {
    const of = (...peaks: number[]) =>
      sizeRequest(
        requested,
        peaks.map((peak) => sizedAttempt({ memoryPeakBytes: peak * gigabyte })),
      ).memory.confidence
    expect([of(), of(1), of(1, 1), of(1, 1, 5), of(1, 1, 1, 1, 5), of(4, 4, 4, 4, 5)]).toEqual([
      'none',
      'low',
      'low',
      'medium',
      'medium',
      'high',
    ])
  })

  const figure = fc.option(fc.double({ min: 0.001, max: 1e12, noNaN: true }))
  const anyAttempt: fc.Arbitrary<SizedAttempt> = fc.record({
    jobName: fc.constantFrom('a', 'b', 'c'),
    status: fc.constantFrom('success', 'failed', 'timeout', 'interrupted', 'running'),
    reason: fc.constant(null),
    machineCores: fc.integer({ min: 1, max: 128 }),
    durationSeconds: figure,
    cpuSeconds: fc.constant(null),
    cpuPercentP95: fc.option(fc.double({ min: 0, max: 12_800, noNaN: true })),
    memoryPeakBytes: figure,
    largestProcessPeakBytes: figure,
    swapPeakBytes: fc.constant(null),
    cgroupMemoryPeakBytes: fc.constant(null),
    memoryLimitMetBytes: fc.constant(null),
    cpuPressureSeconds: figure,
    machineCpuPressureSeconds: fc.constant(null),
    machineCpuPercentMean: fc.constant(null),
    involuntarySwitches: fc.constant(null),
    lowerBounds: fc.subarray(['cpuSeconds', 'cpuPercentP95', 'memoryPeakBytes']),
  })

  it('is never below what was seen, and never lowered without a measured success of each job', () => {
    fc.assert(
      fc.property(fc.array(anyAttempt), (attempts) => {
        const { cpus, memory, runtime } = sizeRequest(requested, attempts)
        const ended = attempts.filter(({ status }) => status !== 'running')
        for (const each of ended) {
          expect(memory.recommended ?? Infinity).toBeGreaterThanOrEqual(each.memoryPeakBytes ?? 0)
          expect(memory.recommended ?? Infinity).toBeGreaterThanOrEqual(
            each.largestProcessPeakBytes ?? 0,
          )
          expect(runtime.recommended ?? Infinity).toBeGreaterThanOrEqual(
            (each.durationSeconds ?? 0) * (1 - 1e-6),
          )
          expect((cpus.recommended ?? Infinity) + 0.05).toBeGreaterThanOrEqual(
            (each.cpuPercentP95 ?? 0) / 100 - 1e-6,
          )
        }
        if ((memory.recommended ?? Infinity) >= 8 * gigabyte) return
        for (const { jobName } of ended)
          expect(
            ended.some(
              (each) =>
                each.jobName === jobName &&
                each.status === 'success' &&
                each.memoryPeakBytes !== null &&
                !each.lowerBounds.includes('memoryPeakBytes'),
            ),
          ).toBe(true)
      }),
    )
  })
})
