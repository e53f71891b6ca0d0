import { describe, expect, it } from 'vitest'
import {
  launchContract,
  launcherOn,
  lives,
  runJob,
  type Launcher,
} from '../../test/contracts/launch.ts'
import { cpuGauge } from '../meter/gauges/cpu.ts'
import { Meter } from '../meter/meter.ts'
import { memoryLimitIn } from '../model/usage.ts'
import { realSystem } from '../system/real.ts'

let made: Launcher | undefined
const launcher = (): Launcher =>
  (made ??= launcherOn(realSystem({ ownsProcess: true }), { withCgroups: false }))

launchContract('a job started by posix_spawn without a cgroup', launcher)

describe('without a cgroup', () => {
  it('a process that one job left behind is not taken for one of the next', async () => {
    const first = await runJob(launcher(), ['sh', '-c', 'sleep 30 </dev/null >/dev/null 2>&1 &'])
    const left = first.outcome.stragglers[0]?.pid ?? 0
    const second = await runJob(launcher(), ['sh', '-c', 'sleep 0.1'], { stragglers: 'kill' })
    expect(second.outcome.stragglers).toEqual([])
    expect(second.usage.processesPeak).toMatchObject({ value: 2 })
    expect(lives(left)).toBe(true)
    process.kill(left, 'SIGKILL')
  })

  const hog = [
    process.execPath,
    '-e',
    'global.held = Buffer.alloc(3e8, 1); setTimeout(() => {}, 9e3)',
  ]
  const limit = { memoryLimitBytes: 150 * 2 ** 20, ownCgroup: false }

  it('a job that is not measured is held to its memory limit, and nothing of it is recorded', async () => {
    const samples: unknown[] = []
    const request = { ...limit, intervalSeconds: null, onSamples: () => samples.push(1) }
    const { outcome, usage, samples: told, outline } = await runJob(launcher(), hog, request)
    expect(outcome.reason).toMatch(/out of memory: used [\d.]+ MB, over its limit of 150.0 MB/)
    expect(memoryLimitIn(usage)).toBe(limit.memoryLimitBytes)
    expect(usage.memoryMeanBytes.value).toBeNull()
    expect([samples, told.collected, outline]).toEqual([[], 0, []])
  })

  it('so is one of which something else is measured', async () => {
    const cpuAlone = { ...launcher(), meter: new Meter(launcher().system, [cpuGauge]) }
    const { outcome } = await runJob(cpuAlone, hog, limit)
    expect(outcome.reason).toMatch(/out of memory: used [\d.]+ MB, over its limit of 150.0 MB/)
  })
})
