import { describe, expect, it } from 'vitest'
import { launchContract, launcherOn, runJob, type Launcher } from '../../test/contracts/launch.ts'
import { realSystem } from '../system/real.ts'

let made: Launcher | undefined
function withoutLibc(): Launcher {
  process.env['JOBMETER_NO_FFI'] = '1'
  return (made ??= launcherOn(realSystem({ ownsProcess: true })))
}

launchContract('a job started by child_process', withoutLibc)

describe('without libc', () => {
  it('says which way is left and why', () => {
    expect(withoutLibc().system.processes).toMatchObject({
      launcher: 'child_process',
      launcherLoss: 'JOBMETER_NO_FFI is set',
      adoptsOrphans: false,
    })
  })

  it('measures CPU all the same, and says what it does not know', async () => {
    const { usage } = await runJob(withoutLibc(), ['sh', '-c', 'sleep 0.3'])
    expect(usage.cpuTotalSeconds).toMatchObject({
      value: expect.any(Number),
      basis: expect.not.stringContaining('wait4'),
    })
    expect(usage.voluntarySwitches).toEqual({
      value: null,
      why: 'reported only by the kernel accounting at exit (wait4)',
    })
  })
})
