import { executorContract } from '../../../test/contracts/executor.ts'
import { launcherOn } from '../../../test/contracts/launch.ts'
import { ourselves } from '../../record/owner.ts'
import { realSystem } from '../../system/real.ts'
import { LocalExecutor } from './local-executor.ts'

executorContract('local', () => {
  const system = realSystem({ ownsProcess: false })
  const machine = launcherOn(system, { withCgroups: false })
  const owner = ourselves(system)
  const make = () => new LocalExecutor(machine, { us: owner, onLeftoversKilled: () => {} })
  return { first: make(), second: make(), owner }
})
