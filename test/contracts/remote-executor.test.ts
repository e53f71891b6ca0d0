import { executorContract } from './executor.ts'
import { localExecutors } from './local-executors.ts'
import { RemoteExecutor, RemoteSite, seeded, Wire } from './remote-executor.ts'

/** Real processes at the other end of a bad wire. */
executorContract('remote', () => {
  const { clock, owner, make } = localExecutors()
  const noise = { latestSeconds: 0.03, lost: 0.3, twice: 0.3 }
  const site = new RemoteSite(make(), new Wire(clock, seeded(1), noise))
  const remote = () => new RemoteExecutor(site, { afterSeconds: 0.02, giveUpSeconds: 60 })
  return { first: remote(), second: remote(), owner }
})
