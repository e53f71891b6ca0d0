import { describe, expect, it } from 'vitest'
import { poisson, usageOf } from '../../../test/golden/render/crafted-records.ts'
import { sampledSeries, generator, MB } from '../../../test/synthetic/series.ts'
import { noRequirements, type Requirements } from '../../model/job.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { UsageKey } from '../../model/usage.ts'
import { sizedRecord } from '../sizing/sized-record.ts'
import { sizeRequest } from '../sizing/sizing.ts'
import { jobReport } from './job-report.ts'

/** 20 s of which the first and the last five are idle; 0.4 of 2 requested cores in between. */
const rows = sampledSeries(
  { seconds: 20, intervalSeconds: 0.5, jitter: 0, random: generator(1) },
  (time) => ({ cpuCores: time > 5 && time < 15 ? 0.8 : 0, memoryBytes: 50 * MB }),
)

function adviceOf(figures: Partial<Record<UsageKey, number>>): string[] {
  const usage = usageOf({ cpuTotalSeconds: 8, cpuPercentP95: 80, cpuPercentPeak: 90, ...figures })
  const requirements = { ...poisson.requirements, cpus: 2, memoryBytes: null, runtimeSeconds: null }
  const record = { ...poisson, durationSeconds: 20, requirements, usage }
  return jobReport(record, rows).advice.map(({ about }) => about)
}

describe('what to do about a job', () => {
  it('that had the cores it wanted: fewer of them, and a shorter start and end', () => {
    const free = ['idle-tail', 'too-many-cores', 'start-up']
    expect(adviceOf({ cpuPressureSeconds: 0 })).toEqual(free)
    expect(adviceOf({})).toEqual(free)
  })

  it('that was short of CPU: nothing that follows from that alone', () => {
    expect(adviceOf({ cpuPressureSeconds: 19 })).toEqual(['crowded'])
    const crowd = { machineCpuPressureSeconds: 19, machineCpuPercentMean: 99 }
    expect(adviceOf(crowd)).toEqual(['crowded'])
  })

  it('that waited for cores while it worked, and was idle then: no fewer cores', () => {
    expect(adviceOf({ cpuPressureSeconds: 4 })).toEqual(['idle-tail', 'start-up'])
  })

  it('that waited for cores, and for storage longer still: no fewer cores either', () => {
    expect(adviceOf({ cpuPressureSeconds: 10, ioPressureSeconds: 15 })).toEqual(['storage'])
  })

  const asked = (
    requirements: Partial<Requirements>,
    memoryPeakBytes: Measured,
    durationSeconds = 60,
  ): string[] => {
    const usage = { ...usageOf({ cpuTotalSeconds: 55, cpuPercentP95: 98 }), memoryPeakBytes }
    const record = {
      ...poisson,
      durationSeconds,
      usage,
      requirements: { ...noRequirements, cpus: 1, ...requirements },
    }
    return jobReport(record, []).advice.map(({ about }) => about)
  }
  const peak = measured(500 * MB, 'looks')

  it('that used more than a part of a core: to ask for as much as it used', () => {
    const requirements = { ...noRequirements, cpus: 0.5 }
    const usage = usageOf({ cpuTotalSeconds: 60, cpuPercentP95: 100, cpuPercentPeak: 100 })
    const record = { ...poisson, durationSeconds: 60, requirements, usage }
    const found = jobReport(record, []).advice.filter(({ about }) => about.endsWith('-cores'))
    expect(found).toEqual([{ about: 'too-few-cores', figures: { asked_cores: 0.5, ask_cores: 1 } }])
  })

  it('that used more than it asked for: to ask for more', () => {
    expect(asked({ memoryBytes: 200 * MB }, peak)).toContain('too-little-memory')
    expect(asked({ memoryBytes: 200 * MB }, atLeast(500 * MB, 'looks'))).toContain(
      'too-little-memory',
    )
    expect(asked({ runtimeSeconds: 30 }, peak)).toContain('too-little-time')
    expect(asked({ memoryBytes: 600 * MB, runtimeSeconds: 70 }, peak)).not.toContain(
      'too-little-memory',
    )
  })

  it('that ran out of memory: to ask for one amount', () => {
    const requirements = { ...noRequirements, memoryBytes: 200 * MB }
    const usage = usageOf({ memoryPeakBytes: 223 * MB, processesKilledForMemory: 1 })
    const { advice } = jobReport({ ...poisson, status: 'failed', usage, requirements }, [])
    const amounts = advice.flatMap(({ figures }) => figures['ask_bytes'] ?? [])
    expect(amounts).toHaveLength(1)
    expect(amounts[0]).toBeGreaterThan(223 * 1.15 * MB)
  })

  it('that was stopped by its time limit: to ask for one time, as a recommendation does', () => {
    const requirements = { ...noRequirements, runtimeSeconds: 60 }
    const stopped = { ...poisson, status: 'timeout', durationSeconds: 60.2, requirements } as const
    const times = (record: typeof stopped): number[] =>
      jobReport(record, []).advice.flatMap(({ figures }) => figures['ask_seconds'] ?? [])
    expect(times(stopped)).toEqual([121])
    expect(sizeRequest(requirements, [sizedRecord(stopped)]).runtime.recommended).toBe(121)
    const generous = { ...requirements, runtimeSeconds: 3600 }
    expect(times({ ...stopped, requirements: generous })).toEqual([3600])
  })

  it.each([
    ['hardly any core', { cpuTotalSeconds: 6, cpuPercentP95: 8 }, 1],
    ['less than two cores', { cpuTotalSeconds: 80, cpuPercentP95: 150 }, 2],
    ['one core and a helper now and then', { cpuTotalSeconds: 60, cpuPercentP95: 104 }, 1],
    [
      'one core and more for moments',
      { cpuTotalSeconds: 54, cpuPercentP95: 112, cpuPercentPeak: 120 },
      2,
    ],
  ] as const)('that used %s: to ask for as many as a recommendation does', (_, figures, cores) => {
    const requirements = { ...noRequirements, cpus: 8 }
    const record = { ...poisson, durationSeconds: 60, requirements, usage: usageOf(figures) }
    const told = jobReport(record, []).advice.flatMap((each) => each.figures['ask_cores'] ?? [])
    expect(told).toEqual([cores])
    expect(sizeRequest(requirements, [sizedRecord(record)]).cpus.recommended).toBe(cores)
  })

  it('whose parallel part was not measured: not to ask for fewer cores, as a recommendation', () => {
    const requirements = { ...noRequirements, cpus: 8 }
    const usage = usageOf({ cpuTotalSeconds: 80 })
    const record = { ...poisson, durationSeconds: 60, requirements, usage }
    expect(jobReport(record, []).advice.map(({ about }) => about)).not.toContain('too-many-cores')
    expect(sizeRequest(requirements, [sizedRecord(record)]).cpus.recommended).toBe(8)
  })

  it('that may have used more: never to ask for less', () => {
    expect(asked({ memoryBytes: 4000 * MB }, peak)).toContain('too-much-memory')
    expect(asked({ memoryBytes: 4000 * MB }, atLeast(500 * MB, 'looks'))).not.toContain(
      'too-much-memory',
    )
  })

  it('that waited: to look at what for, unless it may have computed unseen', () => {
    const after = (figures: Readonly<Record<string, Measured>>): string[] => {
      const usage = { ...usageOf({ cpuTotalSeconds: 0.5 }), ...figures }
      const record = { ...poisson, durationSeconds: 60, requirements: noRequirements, usage }
      return jobReport(record, []).advice.map(({ about }) => about)
    }
    const cpuTotalSeconds = atLeast(0.5, 'looks')
    const unseenFor = (seconds: number) => ({ cpuUnseenSeconds: measured(seconds, 'looks') })
    expect(after({})).toContain('waiting')
    expect(after({ cpuTotalSeconds })).not.toContain('waiting')
    expect(after({ cpuTotalSeconds, ...unseenFor(30) })).not.toContain('waiting')
    expect(after({ cpuTotalSeconds, ...unseenFor(1) })).toContain('waiting')
  })

  it('that may have waited for a GPU of which nothing is known: nothing that presumes otherwise', () => {
    const rowsOf = (gpuCards: number): string[] => {
      const usage = {
        ...usageOf({ cpuTotalSeconds: 8, cpuPressureSeconds: 0 }),
        gpuCards: measured(gpuCards, 'NVML'),
        gpuUtilizationPercentMean: unmeasured('the card does not tell how much it works'),
      }
      const record = { ...poisson, durationSeconds: 20, requirements: noRequirements, usage }
      const still = { ...usage, cpuTotalSeconds: measured(0.2, 'looks') }
      return [record, { ...record, usage: still }].flatMap((each) =>
        jobReport(each, rows).advice.map(({ about }) => about),
      )
    }
    for (const about of ['idle-tail', 'start-up', 'waiting']) {
      expect(rowsOf(0)).toContain(about)
      expect(rowsOf(1)).not.toContain(about)
    }
  })

  it('whose GPU worked: not to shorten the time in which its cores waited for that', () => {
    const withGpu = (busySeconds: number) => {
      const usage = {
        ...usageOf({ cpuTotalSeconds: 8, cpuPressureSeconds: 0 }),
        gpuCards: measured(1, 'NVML'),
        gpuCardsUntouched: measured(0, 'NVML'),
        gpuUtilizationPercentMean: measured(5 * busySeconds, 'NVML'),
        gpuHeldUtilizationPercentMean: measured(5 * busySeconds, 'NVML'),
        gpuHeldSeconds: measured(19.6, 'NVML'),
        gpuSharedSeconds: measured(0, 'NVML'),
        gpuBusySeconds: measured(busySeconds, 'NVML'),
      }
      const requirements = { ...noRequirements, gpus: 1 }
      return jobReport({ ...poisson, durationSeconds: 20, requirements, usage }, rows)
    }
    const idleAdvice = (busySeconds: number) =>
      withGpu(busySeconds).advice.filter(({ about }) => ['idle-tail', 'start-up'].includes(about))
    expect(idleAdvice(0)).toHaveLength(2)
    for (const busySeconds of [1, 10, 18]) expect(idleAdvice(busySeconds)).toEqual([])
  })

  it('that fills the CPU limit of its container: to raise that', () => {
    const containerCpuLimitPercent = measured(200, 'cpu.max')
    const usage = { ...usageOf({ cpuTotalSeconds: 194 }), containerCpuLimitPercent }
    const machine = { ...poisson.machine, cores: 8 }
    const advised = (cpus: number | null, figures: Readonly<Record<string, Measured>> = {}) =>
      jobReport(
        {
          ...poisson,
          durationSeconds: 100,
          usage: { ...usage, ...figures },
          machine,
          requirements: { ...noRequirements, cpus },
        },
        [],
      ).advice
    for (const cpus of [null, 4])
      expect(advised(cpus)).toContainEqual({
        about: 'more-cores',
        figures: { container_cores: 2, machine_cores: 8 },
      })
    const unstopped = { containerThrottledPercent: measured(0, 'cpu.stat') }
    expect(advised(null, unstopped).map(({ about }) => about)).not.toContain('more-cores')
  })

  it('that took a moment: no less time than any job is given', () => {
    expect(asked({ runtimeSeconds: 3600 }, peak)).toContain('too-much-time')
    expect(asked({ runtimeSeconds: 9 }, peak, 1)).not.toContain('too-much-time')
  })

  it('without a series: to keep one, unless it was over before there could be one', () => {
    const without = (collected: number, intervalSeconds: number | null): string[] => {
      const samples = { ...poisson.samples, collected, intervalSeconds }
      const usage = usageOf({ cpuTotalSeconds: 55 })
      return jobReport({ ...poisson, usage, samples }, []).advice.map(({ about }) => about)
    }
    expect(without(40, 1)).toContain('no-samples')
    expect(without(0, null)).toContain('no-samples')
    expect(without(1, 1)).not.toContain('no-samples')
  })
})
