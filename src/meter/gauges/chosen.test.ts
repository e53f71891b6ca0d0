import { describe, expect, it } from 'vitest'
import { makeCgroup } from '../../../test/fuzz/made-cgroup.ts'
import { MadeMachine, accountOf } from '../../../test/fuzz/made-machine.ts'
import { gpuReason } from '../../model/gpu-usage.ts'
import { metricNames, type AskedMetric } from '../../model/metrics.ts'
import { fakeSystem } from '../../system/fake.ts'
import type { System } from '../../system/system.ts'
import { Meter } from '../meter.ts'
import { chosenGauges } from './chosen.ts'
import { optionalGauges } from './optional/optional.ts'
import { shippedGauges } from './shipped.ts'

const namesOf = async (asked: readonly AskedMetric[], system: System = fakeSystem()) =>
  (await chosenGauges(system, asked)).map(({ name }) => name)

describe('choosing gauges', () => {
  it('takes what is always measured where nothing is asked for, and loads nothing else', () => {
    expect(chosenGauges(fakeSystem(), [])).toBe(shippedGauges)
  })

  it('takes what is named, in the order of the samples, and no more', async () => {
    expect(await namesOf(['io', 'cpu'])).toEqual(['cpu', 'io'])
    const everyone = [...shippedGauges, ...optionalGauges].map(({ name }) => name)
    expect(await namesOf(['all'])).toEqual(everyone)
    expect(await namesOf(['default'])).toEqual(shippedGauges.map(({ name }) => name))
  })

  it('has gauges with names that can be asked for, each once', () => {
    const names = [...shippedGauges, ...optionalGauges].map(({ name }) => name)
    expect(metricNames).toEqual(expect.arrayContaining(names))
    expect(new Set(names).size).toBe(names.length)
  })
})

/** Follows a job with a cgroup for three seconds, and answers the files that were read of it. */
async function readOf(asked: readonly AskedMetric[]) {
  const machine = new MadeMachine()
  const { system } = machine
  const paths = new Map<number, string>()
  const read = new Set<string>()
  const files: System['files'] = {
    ...system.files,
    open(path) {
      const descriptor = system.files.open(path)
      paths.set(descriptor, path)
      return descriptor
    },
    read(descriptor, into) {
      read.add(paths.get(descriptor)?.replace(/^\/proc\/\d+\//, '/proc/PID/') ?? '')
      return system.files.read(descriptor, into)
    },
  }
  const watched = { ...system, files }
  const meter = new Meter(watched, await chosenGauges(watched, asked))
  read.clear()
  const root = machine.start()
  const job = meter.follow({
    rootPid: root.pid,
    intervalSeconds: 1,
    mark: null,
    cgroup: makeCgroup(machine, 'v2', () => [root.pid]),
    origin: 'launched',
    launcherBytes: 0,
    onSamples: () => {},
  })
  root.work(20)
  system.advance(3)
  root.state = 'gone'
  job.retire(root.pid, accountOf(root))
  return { read, usage: meter.finish(job, 3) }
}

describe('what is not asked for', () => {
  it.each([
    ['io', '/proc/PID/io'],
    ['memory', '/proc/PID/status'],
    ['memory', '/cg2/job/memory.current'],
    ['pressure', '/cg2/job/cpu.pressure'],
    ['machine', '/proc/meminfo'],
    ['machine', '/proc/stat'],
  ] as const)('is not read: without %s, %s is left alone', async (name, path) => {
    const others = shippedGauges.map((gauge) => gauge.name as AskedMetric)
    const all = await readOf(others)
    expect(all.read).toContain(path)
    const without = await readOf(others.filter((each) => each !== name))
    expect(without.read).not.toContain(path)
  })

  it('is missing, with the reason, but for what the kernel tells at the end', async () => {
    const { usage } = await readOf(['memory'])
    expect(usage.readBytes).toEqual({ value: null, why: 'not asked for (--metrics)' })
    expect(usage.machineCpuPercentMean).toEqual({ value: null, why: 'not asked for (--metrics)' })
    expect(gpuReason(usage)).toBe('not asked for (--metrics)')
    const asked = await readOf(['memory', 'gpu'])
    expect(gpuReason(asked.usage)).not.toBe('not asked for (--metrics)')
    expect(usage.cpuTotalSeconds).toEqual({
      value: 0.2,
      basis: 'kernel accounting at exit (wait4)',
    })
    expect(usage.memoryPeakBytes.value).toBeGreaterThan(0)
  })
})
