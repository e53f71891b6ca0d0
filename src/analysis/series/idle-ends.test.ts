import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { generator, MB, sampledSeries } from '../../../test/synthetic/series.ts'
import { sampleIndex, type SampleRow } from '../../model/sample.ts'
import { evenSeries } from './even-series.ts'
import { idleEnds } from './idle-ends.ts'
import { memoryTrend } from './leak.ts'
import { findPhases } from './phases.ts'

interface Phase {
  readonly seconds: number
  readonly cores: number
}

function series(phases: readonly Phase[], intervalSeconds = 1, jitter = 0): SampleRow[] {
  const seconds = phases.reduce((sum, phase) => sum + phase.seconds, 0)
  const shape = { seconds, intervalSeconds, jitter, random: generator(4) }
  return sampledSeries(shape, (time) => {
    let end = 0
    const now = phases.find((phase) => time < (end += phase.seconds)) ?? phases.at(-1)
    return { cpuCores: now?.cores ?? 0, memoryBytes: 50 * MB }
  })
}

const busy = (seconds: number): Phase => ({ seconds, cores: 1 })
const idle = (seconds: number): Phase => ({ seconds, cores: 0 })
/** Where no phases are shown. */
const endsOf = (rows: readonly SampleRow[]) => idleEnds(rows, [])
const tailOf = (rows: readonly SampleRow[]) => endsOf(rows).idleTailSeconds.value

/** A job that starts like an interpreter, and has a core to itself in the kernel between two moments. */
function kernelWork(from: number, to: number, end: number): SampleRow[] {
  const rows = sampledSeries({ seconds: end }, (time) => ({
    cpuCores: time < 0.1 ? 0.5 : 0,
    memoryBytes: 33 * MB,
  }))
  for (const row of rows) {
    const now = row[sampleIndex.elapsed_seconds] ?? 0
    const spent = Math.max(0, Math.min(now, to) - from)
    row[sampleIndex.cpu_system_seconds] = (row[sampleIndex.cpu_system_seconds] ?? 0) + spent
  }
  return rows
}

/** A job that keeps a core busy until a moment, exactly as its counters tell. */
function burnt(until: number, end: number): SampleRow[] {
  const rows = sampledSeries({ seconds: end }, () => ({ cpuCores: 0, memoryBytes: 33 * MB }))
  for (const row of rows) {
    const now = row[sampleIndex.elapsed_seconds] ?? 0
    row[sampleIndex.cpu_user_seconds] = Math.min(now, until)
  }
  return rows
}

describe('the idle ends of a job', () => {
  it('has no tail where it was busy at the end, however short', () => {
    expect(tailOf(series([busy(3), idle(4), busy(2)]))).toBe(0)
    expect(tailOf(series([busy(30), idle(40), busy(2)]))).toBe(0)
  })

  it('knows a tail that is most of the time', () => {
    expect(tailOf(series([busy(5), idle(35)]))).toBeCloseTo(35, 0)
  })

  it('knows a tail that began between two looks', () => {
    expect(tailOf(burnt(2.2, 3.7))).toBeCloseTo(1.5, 1)
    expect(tailOf(burnt(3.4, 4.4))).toBeCloseTo(1, 1)
  })

  it('does not call a tail none that one look may have hidden', () => {
    const { idleTailSeconds } = endsOf(burnt(4.1, 5.1))
    expect(idleTailSeconds).toEqual({
      value: null,
      why: 'in the last 1.1 s, after the last sample but one, it was busy for less than half: it may have been idle at its end',
    })
  })

  it('takes its last transfer for work to the next look', () => {
    const rows = burnt(2, 4.5)
    for (const row of rows) {
      const late = (row[sampleIndex.elapsed_seconds] ?? 0) > 2.5
      row[sampleIndex.read_bytes] = late ? 50 * MB : 0
      row[sampleIndex.write_bytes] = 0
    }
    expect(tailOf(rows)).toBeCloseTo(1.5, 1)
  })

  it('does not call light work nothing', () => {
    expect(
      tailOf(
        series([
          { seconds: 60, cores: 8 },
          { seconds: 60, cores: 0.5 },
        ]),
      ),
    ).toBe(0)
  })

  it('has no tail where it went on with fewer cores', () => {
    for (const [intervalSeconds, wide, narrow] of [
      [10, 30, 60],
      [1, 6, 8],
    ] as const) {
      const rows = series([{ seconds: wide, cores: 8 }, busy(narrow), idle(0.3)], intervalSeconds)
      expect(tailOf(rows)).toBe(0)
    }
  })

  it('has no tail where work began again after a rest of many threads', () => {
    const rows = series([{ seconds: 10, cores: 8 }, idle(10), busy(1.5)], 0.5)
    for (const row of rows) row[sampleIndex.num_threads] = 64
    const last = rows.at(-1)
    if (last === undefined) throw new Error('no rows')
    last[sampleIndex.num_threads] = 0
    expect(tailOf(rows)).toBe(0)
  })

  it('does not take giving back memory at the exit for work', () => {
    const rows = series([busy(30), idle(30)])
    const last = rows.at(-1)
    if (last === undefined) throw new Error('no rows')
    last[sampleIndex.cpu_system_seconds] = (last[sampleIndex.cpu_system_seconds] ?? 0) + 0.6
    expect(tailOf(rows)).toBeCloseTo(30, 0)
  })

  it('does not take a job that fills memory until it is killed for one that exits', () => {
    // It loads its program, and then page faults take nearly all of its time, to the end.
    const rows = kernelWork(0.1, 2.86, 2.86)
    expect(tailOf(rows)).toBe(0)
  })

  it('does not take the work of a short child for the exit of the job', () => {
    // A child that fills 250 MB computes in the kernel nearly alone; then nothing for another second.
    const ends = endsOf(kernelWork(1.4, 1.6, 2.74))
    expect(ends.idleTailSeconds.value).toBeGreaterThan(1.14 - 1)
    expect(ends.idleTailSeconds.value).toBeLessThan(1.14 + 1)
    expect(ends.startUpSeconds.value).toBe(1)
  })

  it('never overlap, and are never longer than the job', () => {
    const time = fc.double({ min: 0, max: 3, noNaN: true })
    fc.assert(
      fc.property(time, time, time, (from, length, rest) => {
        const ends = endsOf(kernelWork(from, from + length, from + length + rest + 0.1))
        const sum = (ends.startUpSeconds.value ?? 0) + (ends.idleTailSeconds.value ?? 0)
        expect(sum).toBeLessThanOrEqual(Math.max(0, from + rest + 0.1) + 2.1)
        expect(sum).toBeLessThanOrEqual(from + length + rest + 0.1)
      }),
      { examples: [[1.4, 0.2, 1.04]] },
    )
  })

  it('calls nothing idle that takes more than a twentieth of a core', () => {
    const light = { seconds: 60, cores: 0.07 }
    expect(tailOf(series([{ seconds: 60, cores: 8 }, light]))).toBe(0)
  })

  it('has no start-up where it was busy first and idle then', () => {
    expect(endsOf(series([busy(3), idle(8), busy(20)])).startUpSeconds.value).toBe(0)
  })

  it('has a start-up before the one burst of work, however short', () => {
    const rows = series([idle(2.4), { seconds: 0.2, cores: 1 }, idle(1.4)], 0.2)
    expect(endsOf(rows).startUpSeconds.value).toBeCloseTo(2.4, 1)
  })

  it('never contradict the phases', () => {
    /** With the phases that a report shows above them. */
    const shown = (made: readonly Phase[], intervalSeconds: number) => {
      const rows = series(made, intervalSeconds)
      const even = evenSeries(rows)
      if (even === undefined) throw new Error('no series')
      const { phases } = findPhases(even, memoryTrend(even))
      return { kinds: phases.map(({ kind }) => kind), ...idleEnds(rows, phases) }
    }
    // Loading takes a moment, then it does next to nothing to its end.
    const leaking = shown(
      [
        { seconds: 0.6, cores: 0.15 },
        { seconds: 8, cores: 0.02 },
      ],
      0.1,
    )
    expect(leaking).toMatchObject({
      kinds: ['idle'],
      startUpSeconds: { value: null, why: 'it was hardly ever busy' },
      idleTailSeconds: { value: null, why: 'it was hardly ever busy' },
    })
    const loading = shown([{ seconds: 0.75, cores: 1 }, idle(20), busy(20)], 0.25)
    expect(loading.kinds).toEqual(['idle', 'one-core'])
    expect(loading.startUpSeconds).toMatchObject({ value: null })
  })

  it('are told to within two looks, whatever phases a job has', () => {
    const phases = fc
      .array(fc.double({ min: 2.5, max: 20, noNaN: true }), { minLength: 2, maxLength: 8 })
      .chain((lengths) =>
        fc.record({
          cores: fc.double({ min: 0.5, max: 8, noNaN: true }),
          startsBusy: fc.boolean(),
          lengths: fc.constant(lengths),
          intervalSeconds: fc.constantFrom(0.5, 1, 2),
          jitter: fc.constantFrom(0, 0.4),
        }),
      )
    fc.assert(
      fc.property(phases, ({ cores, startsBusy, lengths, intervalSeconds, jitter }) => {
        const made = lengths.map((length, index) => ({
          seconds: length * intervalSeconds,
          cores: (index % 2 === 0) === startsBusy ? cores : 0.005,
        }))
        const whole = made.reduce((sum, phase) => sum + phase.seconds, 0)
        const rows = series(made, intervalSeconds, jitter)
        const { idleTailSeconds, startUpSeconds } = endsOf(rows)
        const end = (phase: Phase | undefined) => (phase?.cores === 0.005 ? phase.seconds : 0)
        const near = 2 * intervalSeconds
        const tail = end(made.at(-1))
        const told = idleTailSeconds.value
        // Ends that are nothing to speak of are told as none.
        const allowed = told === 0 ? Math.max(1, 0.05 * whole) + near : near
        expect(Math.abs((told ?? Infinity) - tail)).toBeLessThanOrEqual(allowed)
        expect(Math.abs((startUpSeconds.value ?? Infinity) - end(made[0]))).toBeLessThanOrEqual(
          near,
        )
      }),
      { seed: 21, numRuns: 500 },
    )
  })
})
