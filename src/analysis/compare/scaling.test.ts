import { describe, expect, it } from 'vitest'
import { poisson } from '../../../test/golden/render/crafted-records.ts'
import { gaussian, generator } from '../../../test/synthetic/series.ts'
import { atLeast, measured, type Measured } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import { boundBy } from '../job/bound-by.ts'
import { efficiency } from '../job/efficiency.ts'
import { nodeShares } from '../job/node-share.ts'
import { scalingRuns } from './scaling-runs.ts'
import { scaling } from './scaling.ts'

const amdahl = (serial: number, workers: number) => 1000 * (serial + (1 - serial) / workers)

const run = (workers: number, seconds: number) => ({ taskId: 'x', workers, seconds })

const noisy = (serial: number, seed: number, counts = [1, 2, 4, 8, 16]) => {
  const random = generator(seed)
  return counts.map((workers) =>
    run(workers, amdahl(serial, workers) * (1 + 0.03 * gaussian(random))),
  )
}

describe('scaling', () => {
  it('finds the serial fraction of a job that follows the law', () => {
    const { points, law } = scaling([1, 2, 4, 8].map((p) => run(p, amdahl(0.1, p))))
    expect(law?.serialFraction).toBeCloseTo(0.1, 9)
    expect(law?.oneWorkerSeconds).toBeCloseTo(1000, 6)
    expect(law?.interval?.low).toBeCloseTo(0.1, 6)
    // Efficiency 1 / (1 + 0.1 × 10) is a half.
    expect(law?.worthwhileWorkers).toBe(11)
    expect(points.map(({ serialFraction }) => serialFraction?.toFixed(6) ?? null)).toEqual([
      null,
      '0.100000',
      '0.100000',
      '0.100000',
    ])
    expect(points[3]?.speedUp).toBeCloseTo(8 / 1.7, 6)
    expect(points[3]?.efficiency).toBeCloseTo(1 / 1.7, 6)
  })

  it('has the truth in its interval in about 95 of 100 cases', () => {
    let covered = 0
    for (let seed = 1; seed <= 400; seed += 1) {
      const interval = scaling(noisy(0.08, seed)).law?.interval
      if (interval && interval.low <= 0.08 && interval.high >= 0.08) covered += 1
    }
    expect(covered / 400).toBeGreaterThan(0.91)
    expect(covered / 400).toBeLessThan(0.99)
  })

  it('tells what no law explains from what repeats differ by', () => {
    const offLaw = [run(1, 1000), run(2, 900), run(4, 250)]
    expect(scaling(offLaw).law?.medianError).toBeGreaterThan(0.2)
    expect(scaling(offLaw).law?.repeatSpread).toBeNull()
    const repeated = scaling([...offLaw, ...offLaw, run(2, 990), run(2, 720)]).law
    expect(repeated?.repeatSpread).toBeCloseTo(0.2, 9)
    // With two numbers of workers, the law goes through what is measured.
    expect(scaling([run(1, 100), run(2, 90), run(2, 60)]).law?.medianError).toBeNull()
  })

  it('gives the serial part of the time of one worker, also if no run had a single one', () => {
    const { points, law } = scaling([2, 4, 8].map((p) => run(p, amdahl(0.1, p))))
    expect(law?.serialFraction).toBeCloseTo(0.1, 9)
    expect(points[1]?.serialFraction).toBeCloseTo(0.1, 9)
    expect(points[2]?.serialFraction).toBeCloseTo(0.1, 9)
    // So much slower that one worker would have taken no time at all.
    expect(scaling([run(2, 10), run(4, 15)]).points[1]?.serialFraction).toBeNull()
  })

  it('says nothing of certainty with two runs, nothing at all with one', () => {
    expect(scaling([run(1, 100), run(2, 60)]).law).toMatchObject({ interval: null })
    expect(scaling([run(4, 100), run(4, 101)]).law).toBeNull()
    expect(scaling([])).toEqual({ points: [], law: null })
  })

  it('sees no end where the job divides evenly, and an early one where it does not', () => {
    expect(scaling([1, 2, 4].map((p) => run(p, 100 / p))).law?.worthwhileWorkers).toBeNull()
    const serial = scaling([1, 2, 4].map((p) => run(p, 100))).law
    expect(serial?.serialFraction).toBeCloseTo(1, 9)
    expect(serial?.worthwhileWorkers).toBe(2)
  })
})

describe('scalingRuns', () => {
  const job = (cpus: number | null, params: Record<string, unknown> = {}): JobRecord => ({
    ...poisson,
    params,
    requirements: { ...poisson.requirements, cpus },
  })

  it('goes by the CPU request, and keeps other work apart', () => {
    const mesh = { mesh: 64 }
    const records = [job(1, mesh), job(4, mesh), job(2, { mesh: 128 }), job(null, mesh)]
    const { runs, workersFrom, leftOut } = scalingRuns(records, undefined)
    expect(workersFrom).toBe('CPU request')
    expect(runs.map(({ workers }) => workers)).toEqual([1, 4])
    expect(leftOut).toEqual([
      { why: 'has no CPU request', count: 1 },
      { why: 'has another value of mesh', count: 1 },
    ])
  })

  it('names the parameters that keep runs apart, and those of other jobs by that', () => {
    const other = { ...job(2), name: 'other' }
    const many = job(4, { a: 1, b: 1, c: 1, d: 1 })
    expect(scalingRuns([job(1, { par: 3 }), job(2, { par: 4 }), other], undefined).leftOut).toEqual(
      [
        { why: 'has another value of par', count: 1 },
        { why: 'is another job', count: 1 },
      ],
    )
    expect(scalingRuns([job(1), many], undefined).leftOut).toEqual([
      { why: 'has another value of a, b, c or others', count: 1 },
    ])
    const workers = [job(1, { workers: 1 }), job(2, { workers: 2 }), job(2, { workers: 8 })]
    expect(scalingRuns(workers, undefined).leftOut).toEqual([
      { why: 'has another value of workers', count: 2 },
    ])
  })

  it('goes by a parameter that reads like a number of workers, or the one it is told', () => {
    const records = [1, 2, 4].map((threads) => job(8, { threads, mesh: 64 }))
    expect(scalingRuns(records, undefined)).toMatchObject({ workersFrom: 'parameter threads' })
    expect(scalingRuns(records, undefined).runs).toHaveLength(3)
    expect(scalingRuns(records, 'mesh').runs).toHaveLength(1)
  })

  it('takes a parameter that says the same as the CPU request for no other work', () => {
    const others = [1, 2].map((workers) => ({ ...job(workers, { workers: 3 }), name: 'other' }))
    const own = [1, 2, 4].map((workers) => job(workers, { workers, n_threads: 2 * workers }))
    expect(scalingRuns([...others, ...own], undefined).runs).toHaveLength(3)
    expect(scalingRuns(own, undefined)).toMatchObject({ workersFrom: 'CPU request', leftOut: [] })
    expect(scalingRuns(own, undefined).runs).toHaveLength(3)
    expect(scalingRuns(own, 'workers').runs).toHaveLength(3)
  })

  it('takes a parameter of any name that equals the workers in all runs of the job', () => {
    const echo = (workers: number, par = workers) => job(workers, { par, mesh: 64 })
    const other = { ...echo(1, 7), name: 'other' }
    const taken = scalingRuns([echo(1), echo(2), echo(2), other], undefined)
    expect(taken.runs.map(({ workers }) => workers)).toEqual([1, 2, 2])
    expect(taken).toMatchObject({ echoes: ['par'], leftOut: [{ why: 'is another job', count: 1 }] })
    expect(scalingRuns([echo(1), echo(2)], 'par').runs).toHaveLength(2)
  })

  it('takes no size that grows with the workers, and no diagonal of a sweep, for the workers', () => {
    const weak = [1, 2].map((workers) => job(workers, { mesh: 64 * workers }))
    expect(scalingRuns(weak, undefined)).toMatchObject({ echoes: [] })
    expect(scalingRuns(weak, undefined).runs).toHaveLength(1)
    const sweep = [1, 2].flatMap((cpus) => [1, 2].map((k) => job(cpus, { k })))
    const { runs, echoes, leftOut } = scalingRuns(sweep, undefined)
    expect(runs.map(({ workers }) => workers)).toEqual([1, 2])
    expect(echoes).toEqual([])
    expect(leftOut).toEqual([{ why: 'has another value of k', count: 2 }])
  })

  it('keeps runs apart whose workers differ where the request does not', () => {
    const records = [job(1, { workers: 1 }), job(2, { workers: 2 }), job(2, { workers: 8 })]
    expect(scalingRuns(records, undefined).leftOut.map(({ count }) => count)).toEqual([2])
  })

  it('counts the runs that had to wait for CPU time', () => {
    const waiting = (seconds: number) => ({
      ...job(2),
      usage: {
        ...poisson.usage,
        cpuPressureSeconds: measured(seconds, 'pressure of its cgroup'),
      },
    })
    const seconds = poisson.durationSeconds ?? 0
    const records = [job(1), waiting(0.5 * seconds), waiting(0.1 * seconds)]
    expect(scalingRuns(records, undefined)).toMatchObject({ starved: 1 })
  })

  it('takes only what succeeded', () => {
    const failed: JobRecord = { ...job(2), status: 'failed' }
    expect(scalingRuns([job(1), failed], undefined).leftOut).toEqual([
      { why: 'did not succeed', count: 1 },
    ])
  })

  it('says of each run that it leaves out why it does', () => {
    const open = (['running', 'waiting'] as const).map((status) => ({ ...job(2), status }))
    const watched = { ...job(2), status: 'unknown' as const }
    const failed = { ...job(2), status: 'failed' as const }
    const records = [job(1), ...open, watched, watched, watched, failed]
    expect(scalingRuns(records, undefined).leftOut).toEqual([
      { why: 'has not ended yet', count: 2 },
      { why: 'was only watched, so how long it took is not known', count: 3 },
      { why: 'did not succeed', count: 1 },
    ])
  })

  it('does not go by a parameter that only some runs have', () => {
    const records = [
      job(null, { threads: 4 }),
      job(null, { workers: 2 }),
      job(null, { workers: 3 }),
    ]
    expect(scalingRuns(records, undefined).workersFrom).toBe('parameter workers')
  })
})

describe('nodeShares', () => {
  it('gives a share where both sides are known, a reason where not', () => {
    const [cores, memory, disk, gpus] = nodeShares(poisson)
    expect(cores).toMatchObject({ capacity: 8, verdict: 'little' })
    expect(cores?.share.value).toBeCloseTo(297.79 / 330.12 / 8, 9)
    expect(memory).toMatchObject({ verdict: 'little' })
    expect(disk?.share.value).toBeNull()
    expect(disk?.used.value).toBeGreaterThan(0)
    expect(gpus).toMatchObject({ verdict: 'unknown', used: { value: null } })
  })

  it('finds no room beside a job that waited for cores', () => {
    const seconds = poisson.durationSeconds ?? 0
    const usage = { ...poisson.usage, cpuPressureSeconds: measured(0.9 * seconds, 'PSI') }
    const requirements = { ...poisson.requirements, cpus: 2 }
    const starved = { ...poisson, usage, requirements }
    expect(boundBy(starved).kind).toBe('cpu-contention')
    expect(nodeShares(starved)[0]).toMatchObject({ resource: 'cores', verdict: 'held-back' })
  })

  it('says nothing of cards that may have worked more than is known', () => {
    const figures = {
      gpuCards: measured(1, 'NVML'),
      gpuBusySeconds: atLeast(2, 'NVML; card 0 could not be read for 300 s'),
    }
    const record = { ...poisson, usage: { ...poisson.usage, ...figures } }
    expect(efficiency(record).gpu.isLowerBound).toBe(true)
    expect(nodeShares(record)[3]).toMatchObject({ resource: 'gpus', verdict: 'unknown' })
    const sure = { ...figures, gpuBusySeconds: measured(2, 'NVML') }
    const idle = { ...poisson, usage: { ...poisson.usage, ...sure } }
    expect(efficiency(idle).gpu.isLowerBound).toBe(false)
    expect(nodeShares(idle)[3]?.verdict).toBe('idle')
  })

  it('calls what went to the disk a lower bound if reads or writes are one', () => {
    const sure = measured(9 * 2 ** 20, 'cgroup io.stat')
    const unsure = atLeast(9 * 2 ** 20, '/proc/PID/io of the processes seen')
    const basisOf = (readBytes: Measured, writeBytes: Measured) => {
      const usage = { ...poisson.usage, readBytes, writeBytes }
      return nodeShares({ ...poisson, usage })[2]?.used
    }
    expect(basisOf(sure, sure)).toMatchObject({ basis: 'cgroup io.stat' })
    expect(basisOf(sure, unsure)).toMatchObject({ basis: expect.stringMatching(/^at least/) })
    expect(basisOf(unsure, sure)).toMatchObject({ basis: expect.stringMatching(/^at least/) })
  })

  it('calls nothing little of which more may have been used', () => {
    const usage = { ...poisson.usage, memoryPeakBytes: atLeast(9 * 2 ** 20, 'the largest process') }
    const memory = nodeShares({ ...poisson, usage })[1]
    expect(memory).toMatchObject({ verdict: 'unknown', used: { value: 9 * 2 ** 20 } })
  })
})
