import { describe, expect, it } from 'vitest'
import { launchContract, launcherOn, runJob, type Launcher } from '../../test/contracts/launch.ts'
import { realSystem } from '../system/real.ts'

let made: Launcher | undefined
/** One for the whole file: each would listen for children that end. */
const launcher = (): Launcher => (made ??= launcherOn(realSystem({ ownsProcess: true })))

launchContract('a job started by posix_spawn', launcher)

describe('the account of the kernel', () => {
  it('is what CPU figures rest on, or are confirmed by', async () => {
    const { usage } = await runJob(launcher(), ['sh', '-c', 'exit 0'])
    expect(usage.cpuTotalSeconds).toMatchObject({ basis: expect.stringMatching(/wait4/) })
    expect(usage.voluntarySwitches.value).toBeGreaterThanOrEqual(0)
  })

  it('is told even of a job that was only waited for', async () => {
    const { usage } = await runJob(launcher(), ['sh', '-c', 'exit 0'], { intervalSeconds: null })
    expect(usage.cpuTotalSeconds).toMatchObject({ basis: 'kernel accounting at exit (wait4)' })
    expect(usage.minorFaults.value).toBeGreaterThan(0)
  })
})
