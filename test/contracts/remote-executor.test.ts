import { ourselves } from '../../src/record/owner.ts'
import { realSystem } from '../../src/system/real.ts'
import { LocalExecutor } from '../../src/workflow/executors/local-executor.ts'
import { executorContract } from './executor.ts'
import { launcherOn } from './launch.ts'
import { RemoteExecutor, RemoteSite, seeded, Wire } from './remote-executor.ts'

/** Real processes at the other end of a bad wire. */
executorContract('remote', () => {
  const system = realSystem({ ownsProcess: false })
  const machine = launcherOn(system, { withCgroups: false })
  const owner = ourselves(system)
  const noise = { latestSeconds: 0.03, lost: 0.3, twice: 0.3 }
  const wire = new Wire(system.clock, seeded(1), noise)
  const inner = new LocalExecutor(machine, { us: owner, onLeftoversKilled: () => {} })
  const site = new RemoteSite(inner, wire)
  const make = () => new RemoteExecutor(site, { afterSeconds: 0.02, giveUpSeconds: 60 })
  return { first: make(), second: make(), owner }
})
