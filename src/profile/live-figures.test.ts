import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LiveFigures } from './live-figures.ts'
import { LiveLook } from './live-look.ts'
import { liveMetrics } from './live-metrics.ts'

const megabyte = 2 ** 20

const lookWith = (values: Partial<LiveLook>): LiveLook => Object.assign(new LiveLook(), values)

/** What happens between two looks. */
interface Step {
  readonly seconds: number
  readonly cpuSeconds: number
  readonly readBytes: number
  readonly busySeconds: number
  readonly idleSeconds: number
  readonly delaySeconds: number
}

const amount = (max: number) => fc.double({ min: 0, max, noNaN: true })
const anyStep: fc.Arbitrary<Step> = fc.record({
  seconds: fc.double({ min: 0.001, max: 5, noNaN: true }),
  cpuSeconds: amount(20),
  readBytes: fc.nat(2 ** 31),
  busySeconds: amount(20),
  idleSeconds: amount(20),
  delaySeconds: amount(20),
})

/** The looks at a machine on which that happened, from a start with any counters. */
function looksOf(steps: readonly Step[], begun: number): LiveLook[] {
  const now = lookWith({
    elapsedSeconds: 0,
    processCpuSeconds: begun,
    readBytes: Math.round(begun) * 512,
    writeBytes: 0,
    machineBusySeconds: begun * 3,
    machineIdleSeconds: begun,
    machineIoWaitSeconds: 0,
    ioDelaySeconds: begun,
  })
  const looks = [lookWith(now)]
  for (const step of steps) {
    now.elapsedSeconds += step.seconds
    now.processCpuSeconds += step.cpuSeconds
    now.readBytes += step.readBytes
    now.machineBusySeconds += step.busySeconds
    now.machineIdleSeconds += step.idleSeconds
    now.ioDelaySeconds += step.delaySeconds
    looks.push(lookWith(now))
  }
  return looks
}

const anyLife = fc.tuple(
  fc.array(anyStep, { minLength: 1, maxLength: 30 }),
  fc.double({ min: 0, max: 1e6, noNaN: true }),
)
/** Figures that no machine should tell, and some do. */
const anyFigure = fc.oneof(fc.double(), amount(1e6), fc.constant(NaN), fc.constant(0))
const anyLook = fc
  .record(Object.fromEntries(Object.keys(new LiveLook()).map((key) => [key, anyFigure])))
  .map((values) => lookWith(values as Partial<LiveLook>))

describe('figures of one who looks again and again', () => {
  it('add up to all that was read, however often it looks', () => {
    fc.assert(
      fc.property(anyLife, ([steps, begun]) => {
        const [start = new LiveLook(), ...looks] = looksOf(steps, begun)
        const figures = new LiveFigures(liveMetrics, start)
        const read = looks.map((look) => figures.take(look).metrics['disk_read_mb'] ?? NaN)
        const all = steps.reduce((sum, { readBytes }) => sum + readBytes, 0) / megabyte
        expect(read.reduce((sum, each) => sum + each, 0)).toBeCloseTo(all, 6)
      }),
      { seed: 1, numRuns: 300 },
    )
  })

  it('have rates that come to the CPU time that was used, in spans of a tenth of a second or more', () => {
    fc.assert(
      fc.property(anyLife, ([steps, begun]) => {
        const [start = new LiveLook(), ...looks] = looksOf(steps, begun)
        const figures = new LiveFigures(liveMetrics, start)
        let base = start
        let used = 0
        for (const look of looks) {
          const { metrics } = figures.take(look)
          if (look.elapsedSeconds - base.elapsedSeconds < 0.1) continue
          const span = look.elapsedSeconds - base.elapsedSeconds
          used += ((metrics['cpu_process_percent'] ?? NaN) / 100) * span
          base = look
        }
        const truth = base.processCpuSeconds - start.processCpuSeconds
        expect(Math.abs(used - truth)).toBeLessThan(1e-6 * (1 + truth))
      }),
      { seed: 2, numRuns: 300 },
    )
  })

  it('are the same whatever others look at in between', () => {
    fc.assert(
      fc.property(anyLife, fc.array(fc.boolean()), ([steps, begun], others) => {
        const [start = new LiveLook(), ...looks] = looksOf(steps, begun)
        const mine = new LiveFigures(liveMetrics, start)
        const alone = new LiveFigures(liveMetrics, start)
        const theirs = new LiveFigures(liveMetrics, start)
        for (const [index, look] of looks.entries()) {
          if (others[index] === true) theirs.take(look)
          expect(mine.take(look)).toEqual(alone.take(look))
        }
      }),
      { seed: 3, numRuns: 200 },
    )
  })

  it('are a number or have a reason, never both, whatever a machine tells; shares are from 0 to 100', () => {
    const names = liveMetrics.map(({ name }) => name).toSorted()
    const shares = new Set(['cpu_percent', 'memory_percent', 'io_wait_pct'])
    fc.assert(
      fc.property(fc.array(anyLook, { minLength: 2, maxLength: 6 }), (looks) => {
        const [start = new LiveLook(), ...rest] = looks
        const figures = new LiveFigures(liveMetrics, start)
        for (const look of rest) {
          const { metrics, unavailable } = figures.take(look)
          const told = [...Object.keys(metrics), ...Object.keys(unavailable)]
          expect(told.toSorted()).toEqual(names)
          expect(Object.values(metrics).every(Number.isFinite)).toBe(true)
          const outside = Object.entries(metrics).filter(
            ([name, value]) => value < 0 || (shares.has(name) && value > 100),
          )
          expect(outside).toEqual([])
        }
      }),
      { seed: 4, numRuns: 1000 },
    )
  })

  it('take the waiting of the processes, else that of the machine, and say which', () => {
    const waited = (values: Partial<LiveLook>): number | undefined => {
      const start = lookWith({ ...zero, elapsedSeconds: 0 })
      for (const key of Object.keys(values) as (keyof typeof zero)[])
        if (Number.isNaN(values[key])) start[key] = NaN
      const now = lookWith(start)
      Object.assign(now, values, { elapsedSeconds: 10, machineIdleSeconds: 35 })
      return new LiveFigures(liveMetrics, start).take(now).metrics['io_wait_pct']
    }
    const zero = {
      processCpuSeconds: 0,
      ioDelaySeconds: 0,
      machineIoPressureSeconds: 0,
      machineIoWaitSeconds: 0,
      machineBusySeconds: 0,
      machineIdleSeconds: 0,
    }
    const machine = { machineIoPressureSeconds: 4, machineIoWaitSeconds: 5 }
    expect(waited({ ...machine, ioDelaySeconds: 3 })).toBeCloseTo(30, 9)
    expect(waited({ ...machine, ioDelaySeconds: NaN })).toBeCloseTo(40, 9)
    // Of 35 idle and 5 waiting seconds of all cores.
    expect(waited({ ...machine, ioDelaySeconds: NaN, machineIoPressureSeconds: NaN })).toBeCloseTo(
      12.5,
      9,
    )
    // Eight processes that wait all the time do so for all of the time, not for eight times it.
    expect(waited({ ioDelaySeconds: 80 })).toBe(100)
    // Eight that compute, and wait for a tenth of the time each.
    expect(waited({ ioDelaySeconds: 8, processCpuSeconds: 72 })).toBeCloseTo(10, 9)
  })

  it('never tell more CPU than every core can give', () => {
    const start = lookWith({ processCpuSeconds: 0, cores: 8 })
    const now = lookWith({ processCpuSeconds: 100, cores: 8, elapsedSeconds: 2 })
    const { metrics } = new LiveFigures(liveMetrics, start).take(now)
    expect(metrics['cpu_process_percent']).toBe(800)
  })
})
