import type { Owner } from '../../src/model/machine.ts'
import { ourselves } from '../../src/record/owner.ts'
import { realSystem } from '../../src/system/real.ts'
import type { Clock, System } from '../../src/system/system.ts'
import { LocalExecutor } from '../../src/workflow/executors/local-executor.ts'
import { launcherOn } from './launch.ts'

/** Executors that run real processes on this machine, in our name. */
export function localExecutors(): {
  readonly clock: Clock
  readonly owner: Owner
  make(): LocalExecutor
} {
  const system = realSystem({ ownsProcess: false })
  const machine = launcherOn(system, { withCgroups: false })
  const owner = ourselves(system)
  const make = () => new LocalExecutor(machine, { us: owner, onLeftoversKilled: () => {} })
  return { clock: system.clock, owner, make }
}

/** One on a machine that is not quite like this. */
export const localExecutorOn = (system: System): LocalExecutor =>
  new LocalExecutor(launcherOn(system, { withCgroups: false }), {
    us: ourselves(system),
    onLeftoversKilled: () => {},
  })
