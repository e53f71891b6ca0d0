import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sampleColumns } from '../../src/model/sample.ts'
import { usageKeys, type Usage, type UsageKey } from '../../src/model/usage.ts'
import { follow, type NamedSample } from './follow.ts'
import { makeCgroup, type CgroupKind } from './made-cgroup.ts'
import { machineMemoryBytes, machineSwapBytes, MadeMachine } from './made-machine.ts'
import { faults, noisyFiles, type Fault } from './noise.ts'

const cores = 8
const mostTasks = 4_194_304
const runs = Number(process.env['JOBMETER_FUZZ_RUNS'] ?? 10_000)

interface Step {
  readonly kind: 'time' | 'fork' | 'exit' | 'wait' | 'orphan' | 'reuse' | 'clock' | 'look'
  readonly at: number
  readonly seconds: number
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.constantFrom('time', 'time', 'fork', 'exit', 'wait', 'orphan', 'reuse', 'clock', 'look'),
  at: fc.nat({ max: 50 }),
  seconds: fc.oneof(fc.constantFrom(0, 0.001, 0.3), fc.double({ min: 0, max: 4, noNaN: true })),
})

interface Case {
  readonly cgroup: CgroupKind
  readonly plan: readonly Fault[]
  readonly steps: readonly Step[]
  readonly keptDescriptors: number
  readonly origin: 'launched' | 'running'
}

const anyCase: fc.Arbitrary<Case> = fc.record({
  cgroup: fc.constantFrom('none', 'v1', 'v2', 'both'),
  plan: faults,
  steps: fc.array(step, { maxLength: 25, size: 'max' }),
  keptDescriptors: fc.constantFrom(0, 3, 256),
  origin: fc.constantFrom('launched', 'launched', 'running'),
})

interface Outcome {
  readonly usage: Usage
  readonly samples: readonly NamedSample[]
  /** Samples taken before each time that the kernel's account replaced what looks had found. */
  readonly corrections: readonly number[]
  readonly elapsedSeconds: number
  readonly processes: number
  readonly origin: 'launched' | 'running'
}

/** Plays a life of a job on a machine whose files lie. */
function live({ cgroup, plan, steps, keptDescriptors, origin }: Case): Outcome {
  const machine = new MadeMachine({ host: { keptDescriptors } })
  const stranger = machine.start(77)
  const root = machine.start()
  const family = [root]
  const corrections: number[] = []
  const strangerOf = (path: string) => {
    const name = /^\/proc\/\d+\/(\w+)$/.exec(path)?.[1]
    if (name === 'stat') return stranger.stat()
    if (name === 'io') return stranger.io()
    return name === 'status' ? stranger.status() : undefined
  }
  const files = noisyFiles(machine.system.files, plan, strangerOf)
  const { meter, job, samples } = follow(machine, {
    system: { ...machine.system, files },
    rootPid: root.pid,
    origin,
    // Only a job that we started has a cgroup of its own.
    cgroup: makeCgroup(machine, origin === 'running' ? 'none' : cgroup, () =>
      family.map(({ pid }) => pid),
    ),
  })
  for (const { kind, at, seconds } of steps) {
    const living = family.filter(({ state }) => state === 'S')
    const chosen = living[at % living.length] ?? root
    const ended = family.find(({ state, parentPid }) => state === 'Z' && parentPid !== 1)
    const lost = family.find(({ state, parentPid }) => state === 'Z' && parentPid === 1)
    // Work is done in the time before it is seen, so that honest figures keep within the bounds.
    for (let left = kind === 'time' ? seconds : 0; left > 0; left -= 0.25) {
      const slice = Math.min(left, 0.25)
      machine.system.advance(slice)
      const ticks = Math.floor((slice * 100 * cores) / living.length / 3)
      for (const process of living) process.work(ticks, ticks, at)
    }
    if (kind === 'fork' && living.length < 12) family.push(machine.start(chosen.pid))
    if (kind === 'exit' && chosen !== root) machine.exit(chosen)
    if (kind === 'wait' && ended !== undefined) machine.wait(ended)
    if (kind === 'orphan' && lost !== undefined) {
      corrections.push(job.samplesTaken)
      machine.reapOrphan(lost)
    }
    if (kind === 'reuse' && ended !== undefined) {
      machine.wait(ended)
      machine.start(77, ended.pid).work(at)
    }
    if (kind === 'clock') machine.system.stepWallClock((at - 25) * 1000)
    if (kind === 'look') meter.refresh(job)
  }
  const elapsedSeconds = job.elapsedSeconds()
  const usage = meter.finish(job, elapsedSeconds)
  meter.close()
  return { usage, samples, corrections, elapsedSeconds, processes: machine.processes.size, origin }
}

/** The most that each figure can be, as far as it has a bound. */
function bound(key: UsageKey, { elapsedSeconds, processes, origin }: Outcome): number {
  // Clocks and ticks are allowed a tenth and a second.
  const longestSeconds = elapsedSeconds * 1.1 + 1
  if (key.endsWith('PressureSeconds')) return longestSeconds
  if (/^cpu.*Seconds$/.test(key)) return longestSeconds * cores * 1.1
  if (key.startsWith('cpuPercent')) return 100 * cores
  if (/^machine.*Percent/.test(key)) return 100
  if (key === 'rssSumPeakBytes') return machineMemoryBytes * processes
  if (key === 'swapPeakBytes') return machineSwapBytes
  if (/^(memory|largest|cgroupMemory|machineMemory).*Bytes$/.test(key)) return machineMemoryBytes
  if (key === 'processesPeak') return processes
  if (key === 'threadsPeak') return mostTasks
  // How long a process ran before it was watched, and so what it may have done, is not known.
  if (origin === 'running' && !key.startsWith('machine')) return Number.MAX_SAFE_INTEGER * processes
  if (key === 'ioDelaySeconds') return longestSeconds * cores * processes
  if (key.endsWith('Faults')) return longestSeconds * cores * 1e7 * processes
  return longestSeconds * 1e12 * processes
}

/** The clock that never steps, and the job's own counters; the machine's may lose a disk or an interface. */
const neverBack = new Set<string>(
  sampleColumns
    .filter(({ kind, name }) => kind === 'counter' && !name.startsWith('machine_'))
    .map(({ name }) => name)
    .concat('elapsed_seconds'),
)

/** What is wrong with the figures of a job. */
function absurdFigures(outcome: Outcome): string[] {
  return usageKeys.flatMap((key) => {
    const figure = outcome.usage[key]
    if (figure.value === null) return figure.why === '' ? [`${key} is null without a reason`] : []
    if (figure.basis === '') return [`${key} has no basis`]
    const most = bound(key, outcome)
    return figure.value >= 0 && figure.value <= most
      ? []
      : [`${key} is ${figure.value}, which is not between 0 and ${most}`]
  })
}

/** What is wrong with its samples. */
function absurdSamples({ samples, corrections }: Outcome): string[] {
  const wrong: string[] = []
  const highest = new Map<string, number>()
  for (const [index, sample] of samples.entries()) {
    // The exact account may be lower than what looks had made of ticks, or of lies.
    if (corrections.includes(index)) {
      highest.delete('cpu_user_seconds')
      highest.delete('cpu_system_seconds')
    }
    for (const { name } of sampleColumns) {
      const value = sample[name]
      if (Number.isNaN(value)) continue
      if (!(value >= 0 && value < Infinity)) wrong.push(`${name} of sample ${index} is ${value}`)
      if (value < (highest.get(name) ?? 0)) wrong.push(`${name} of sample ${index} went back`)
      if (neverBack.has(name)) highest.set(name, value)
    }
  }
  return wrong
}

describe('a job on a machine whose files lie, vanish and change hands', () => {
  it('is measured without a crash, and no figure is absurd', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const outcome = live(one)
        expect([...absurdFigures(outcome), ...absurdSamples(outcome)]).toEqual([])
      }),
      { numRuns: runs },
    )
  }, 600_000)

  it('is measured the same as ever where they do not', () => {
    fc.assert(
      fc.property(anyCase, (one) => {
        const outcome = live({ ...one, plan: [] })
        for (const key of ['cpuTotalSeconds', 'minorFaults', 'readBytes'] as const)
          expect(outcome.usage[key].value, key).not.toBeNull()
      }),
      { numRuns: 100 },
    )
  })
})
