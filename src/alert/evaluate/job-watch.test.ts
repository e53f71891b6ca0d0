import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  facts,
  machineBytes,
  rulesOf,
  secondsOf,
  watchLoad,
  type Load,
} from '../../../test/alerts/synthetic-load.ts'
import { gigabyte, megabyte } from '../../model/bytes.ts'
import { sampleNames } from '../../model/sample.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { emptyUsage } from '../../model/usage.ts'
import { shippedRules } from '../shipped.ts'
import { endFigures } from './end-figures.ts'
import { JobWatch } from './job-watch.ts'

/** A triangle wave between two values. */
const swing = (at: number, period: number, low: number, high: number): number =>
  low + (high - low) * Math.abs(((at / period) % 2) - 1)

interface Case {
  readonly deserves: Load
  /** Loads that look alike but are in order. */
  readonly spares: readonly Load[]
  /** When it is to fire, from and to. */
  readonly between: readonly [number, number]
}

const cases: Readonly<Record<string, Case>> = {
  'gpu-underused': {
    deserves: { card: (at) => ({ utilization_percent: at < 100 ? 95 : 20 }) },
    between: [160, 161],
    spares: [
      { card: () => ({ utilization_percent: 55 }) },
      // Each batch leaves the card idle for a while.
      { card: (at) => ({ utilization_percent: swing(at, 25, 0, 100) }) },
      // It is loading its data, and has no process on the card yet.
      {
        card: () => ({ utilization_percent: 0, own_processes: 0, own_utilization_percent: 0 }),
        seconds: 500,
      },
      { card: () => ({ utilization_percent: Number.NaN }) },
    ],
  },
  'memory-pressure': {
    deserves: { sample: (at) => ({ machine_memory_bytes: machineBytes * (at < 50 ? 0.5 : 0.93) }) },
    between: [110, 111],
    spares: [
      { sample: () => ({ machine_memory_bytes: machineBytes * 0.89 }) },
      { sample: (at) => ({ machine_memory_bytes: machineBytes * swing(at, 30, 0.6, 0.95) }) },
      { sample: () => ({ machine_memory_bytes: Number.NaN }) },
    ],
  },
  'io-bottleneck': {
    deserves: { sample: (at) => ({ io_delay_seconds: 0.6 * at, cpu_user_seconds: 0.3 * at }) },
    between: [60, 90],
    spares: [
      { sample: (at) => ({ io_delay_seconds: 0.2 * at }) },
      // Eight workers that compute and wait for a tenth of the time each.
      { sample: (at) => ({ io_delay_seconds: 0.8 * at, cpu_user_seconds: 7 * at }) },
      // A burst at the start.
      { sample: (at) => ({ io_delay_seconds: Math.min(at, 40) }) },
      { sample: () => ({ io_delay_seconds: Number.NaN, machine_io_wait_seconds: Number.NaN }) },
    ],
  },
  'gpu-hot': {
    deserves: { card: (at) => ({ temperature_celsius: 60 + at / 10 }) },
    between: [260, 263],
    spares: [
      { card: () => ({ temperature_celsius: 80 }) },
      { card: (at) => ({ temperature_celsius: swing(at, 40, 60, 84) }) },
      { card: () => ({ temperature_celsius: Number.NaN }) },
    ],
  },
  'memory-limit-near': {
    deserves: {
      facts: { memoryLimitBytes: gigabyte },
      sample: (at) => ({ memory_bytes: Math.min(0.95, at / 100) * gigabyte }),
    },
    between: [95, 97],
    spares: [
      {
        facts: { memoryLimitBytes: gigabyte },
        sample: (at) => ({ memory_bytes: Math.min(0.88, at / 100) * gigabyte }),
      },
      // Without a limit nothing is near it.
      { sample: () => ({ memory_bytes: 20 * gigabyte }) },
    ],
  },
  'memory-running-out': {
    deserves: {
      facts: { requestedRuntimeSeconds: 7200 },
      sample: (at) => ({
        memory_bytes: gigabyte + at * 10 * megabyte,
        machine_memory_bytes: 8 * gigabyte + at * 10 * megabyte,
      }),
    },
    between: [200, 215],
    spares: [
      // It grows, but its end comes first.
      {
        facts: { timeoutSeconds: 900 },
        sample: (at) => ({ memory_bytes: gigabyte + at * 10 * megabyte }),
      },
      // The same by what it asks for.
      {
        facts: { requestedRuntimeSeconds: 1000 },
        sample: (at) => ({ memory_bytes: gigabyte + at * 10 * megabyte }),
      },
      // It loads 30 GB in two minutes, and then computes.
      { sample: (at) => ({ memory_bytes: Math.min(at, 120) * 250 * megabyte }) },
      // A garbage collector.
      { sample: (at) => ({ memory_bytes: gigabyte + swing(at, 20, 0, 4) * gigabyte }) },
    ],
  },
  'job-stuck': {
    deserves: {
      sample: (at) => ({
        cpu_user_seconds: Math.min(at, 100),
        cpu_system_seconds: 0,
        read_calls: 10,
      }),
    },
    between: [700, 703],
    spares: [
      // It waits most of the time, but does a little now and then.
      {
        sample: (at) => ({
          cpu_user_seconds: Math.floor(at / 300),
          cpu_system_seconds: 0,
          read_calls: 10,
        }),
      },
      { sample: (at) => ({ cpu_user_seconds: 5, cpu_system_seconds: 0, read_calls: at * 3 }) },
      // The card works, and the processor waits for it.
      {
        sample: () => ({ cpu_user_seconds: 5, cpu_system_seconds: 0, read_calls: 10 }),
        card: () => ({ own_utilization_percent: 70 }),
      },
    ],
  },
  'gpu-untouched': {
    deserves: {
      card: () => ({ own_processes: 0, own_memory_bytes: 0, own_utilization_percent: 0 }),
    },
    between: [600, 601],
    spares: [
      { card: (at) => ({ own_processes: at < 500 ? 0 : 1, own_memory_bytes: 0 }) },
      // Its processes cannot be told.
      { card: () => ({ own_processes: 0, own_memory_bytes: Number.NaN }) },
    ],
  },
}

const record = (change: Partial<AttemptRecord>): AttemptRecord =>
  ({
    status: 'success',
    exitCode: 0,
    signal: null,
    reason: null,
    durationSeconds: 100,
    usage: emptyUsage('nothing was measured'),
    ...change,
  }) as AttemptRecord

const atEnd = (change: Partial<AttemptRecord>): string[] =>
  new JobWatch(rulesOf(), { facts, intervalSeconds: 1 })
    .end(record(change), 100)
    .filter(({ kind }) => kind === 'firing')
    .map(({ rule }) => rule.name)

describe('the shipped rules, as they are', () => {
  it.each(Object.entries(cases))('%s fires on a load that deserves it', (name, each) => {
    const fired = watchLoad(each.deserves).filter(({ kind }) => kind === 'firing')
    expect(fired.map(({ rule }) => rule.name)).toEqual([name])
    const at = fired.map(secondsOf)[0] ?? Number.NaN
    expect(at).toBeGreaterThanOrEqual(each.between[0])
    expect(at).toBeLessThanOrEqual(each.between[1])
  })

  const spared = Object.entries(cases).flatMap(([name, { spares }]) =>
    spares.map((load, index) => [`${name} (${index})`, load] as const),
  )
  it.each(spared)('say nothing of a load that looks alike: %s', (_, load) => {
    expect(watchLoad(load).map(({ rule, kind }) => `${rule.name} ${kind}`)).toEqual([])
  })

  it('tell jobs that failed or timed out, and no others', () => {
    expect(atEnd({ status: 'failed', exitCode: 1 })).toEqual(['job-failed'])
    expect(atEnd({ status: 'error', exitCode: 127 })).toEqual(['job-failed'])
    expect(atEnd({ status: 'timeout', exitCode: 124 })).toEqual(['job-timed-out'])
    for (const status of ['success', 'cancelled', 'interrupted', 'unknown'] as const)
      expect(atEnd({ status })).toEqual([])
  })

  it('are over only when the job ends well, not when it is cancelled or ends badly in another way', () => {
    const over = (change: Partial<AttemptRecord>): string[] =>
      new JobWatch(rulesOf(), { facts, intervalSeconds: 1 })
        .end(record(change), 100)
        .filter(({ kind }) => kind === 'resolved')
        .map(({ rule }) => rule.name)
    expect(over({ status: 'success' })).toEqual(['job-failed', 'job-timed-out'])
    for (const status of ['timeout', 'failed', 'cancelled', 'interrupted', 'unknown'] as const)
      expect(over({ status })).toEqual([])
  })

  it('of one’s own say at the end only what past runs or thresholds settle', () => {
    const rules = rulesOf(`shipped: false
rules:
  - {name: longer, at: end, metric: duration_seconds, unusual: {direction: above, figure: duration_seconds, least_runs: 3}}
  - {name: code, at: end, metric: exit_code, above: 10, clear: 5}
`)
    const said = (pastRuns: number, durationSeconds: number, exitCode: number): string[] => {
      const watch = new JobWatch(rules, { facts, intervalSeconds: 1 })
      const past = record({ status: 'success', durationSeconds: 10 })
      watch.learn(Array.from({ length: pastRuns }, () => endFigures(past)))
      return watch
        .end(record({ status: 'success', durationSeconds, exitCode }), 100)
        .map(({ rule, kind }) => `${rule.name} ${kind}`)
    }
    expect(said(2, 99, 7)).toEqual([])
    expect(said(3, 99, 11)).toEqual(['longer firing', 'code firing'])
    expect(said(3, 10, 5)).toEqual(['longer resolved', 'code resolved'])
  })

  it('are each shown to fire above', () => {
    const shown = [...Object.keys(cases), 'job-failed', 'job-timed-out']
    const adaptive = ['slower-than-usual', 'more-memory-than-usual']
    expect(shippedRules.map(({ name }) => name).sort()).toEqual([...shown, ...adaptive].sort())
  })

  it('tell memory that runs out of a job that has outlived its request', () => {
    const load = (requestedRuntimeSeconds: number): Load => ({
      facts: { requestedRuntimeSeconds },
      sample: (at) => ({
        memory_bytes: gigabyte + at * 20 * megabyte,
        machine_memory_bytes: 8 * gigabyte + at * 20 * megabyte,
      }),
    })
    expect(watchLoad(load(950))).toEqual([])
    expect(watchLoad(load(400)).map(({ rule }) => rule.name)).toEqual(['memory-running-out'])
  })

  it('resolve once it is well again, past the second threshold', () => {
    const load = (low: number): Load => ({
      sample: (at) => ({ machine_memory_bytes: machineBytes * (at < 200 ? 0.95 : low) }),
    })
    expect(watchLoad(load(0.88)).map(({ kind }) => kind)).toEqual(['firing'])
    const told = watchLoad(load(0.8))
    expect(told.map(({ kind }) => kind)).toEqual(['firing', 'resolved'])
    expect(told.map(secondsOf)).toEqual([60, 200])
  })

  it('are over with the job', () => {
    const watch = new JobWatch(rulesOf('rules: [{name: job-stuck, for: 0s}]'), {
      facts,
      intervalSeconds: 1,
    })
    const rows = new Float64Array(sampleNames.length).fill(Number.NaN)
    const told: string[] = []
    for (const at of [0, 1, 2]) {
      for (const [place, value] of [
        [0, at],
        [1, at],
        [2, 0],
        [3, 0],
        [14, 0],
        [15, 0],
      ] as const)
        rows[place] = value
      told.push(...watch.samples(rows, 1, sampleNames).map(({ kind }) => kind))
    }
    expect(told).toEqual(['firing'])
    const end = watch.end(record({}), 3)
    expect(end.filter(({ rule }) => rule.name === 'job-stuck')).toMatchObject([
      { kind: 'resolved', because: 'the job has ended' },
    ])
  })

  it('never speak of what was not measured', () => {
    const columns = sampleNames.length
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(columns - 3), (count, known) => {
        const watch = new JobWatch(rulesOf('rules: []'), { facts, intervalSeconds: 60 })
        const told = []
        for (let at = 0; at < count; at++) {
          const row = new Float64Array(columns).fill(Number.NaN)
          row[0] = row[1] = at * 60
          // One gauge alone is not enough for any rule but those on it.
          row[2 + known] = 0
          told.push(...watch.samples(row, 1, sampleNames))
        }
        expect(told).toEqual([])
      }),
    )
  })
})

describe('rules that learn', () => {
  const runs = (seconds: readonly number[]): Float64Array[] =>
    seconds.map((durationSeconds) => endFigures(record({ durationSeconds })))

  it('tell a job that takes longer than its past runs', () => {
    const past = runs([100, 104, 98, 101, 97, 102])
    const told = watchLoad({ seconds: 300 }, rulesOf(), past)
    expect(told.map(({ rule, kind }) => `${rule.name} ${kind}`)).toEqual([
      'slower-than-usual firing',
    ])
    expect(secondsOf(told[0] ?? ({} as never))).toBeGreaterThan(180)
    expect(told[0]?.usual?.median).toBe(100.5)
    expect(watchLoad({ seconds: 120 }, rulesOf(), past)).toEqual([])
  })

  it('say nothing on the strength of a few runs', () => {
    expect(watchLoad({ seconds: 900 }, rulesOf(), runs([10, 10, 10, 10]))).toEqual([])
  })

  const sliding = rulesOf(
    'shipped: false\nrules: [{name: drop, metric: cpu_process_percent, for: 60s, unusual: {direction: below, window: 5m}}]',
  )

  it('tell what differs from the last minutes for long, and not what differs for a moment', () => {
    const cpu = (busyUntil: number, from = Infinity): Load => ({
      seconds: 1200,
      sample: (at) => ({
        cpu_user_seconds: 4 * (Math.min(at, busyUntil) + Math.max(0, at - from)) + 0.02 * (at % 7),
        cpu_system_seconds: 0,
      }),
    })
    const lasting = watchLoad(cpu(600), sliding)
    expect(lasting.map(({ kind }) => kind)).toEqual(['firing'])
    expect(lasting.map(secondsOf)[0]).toBeCloseTo(661, -1)
    expect(watchLoad(cpu(600, 640), sliding)).toEqual([])
    expect(watchLoad(cpu(2000), sliding)).toEqual([])
    const back = watchLoad(cpu(600, 700), sliding)
    expect(back.map(({ kind }) => kind)).toEqual(['firing', 'resolved'])
  })
})
