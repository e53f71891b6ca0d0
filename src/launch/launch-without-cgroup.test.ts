import { describe, expect, it } from 'vitest'
import {
  launchContract,
  launcherOn,
  lives,
  runJob,
  type Launcher,
} from '../../test/contracts/launch.ts'
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
})
