import { expect, it } from 'vitest'
import { shippedGauges } from '../meter/gauges/shipped.ts'
import { Meter } from '../meter/meter.ts'
import { fakeSystem } from '../system/fake.ts'
import { JobProcesses } from './job-processes.ts'

it('kills again when asked again, after it gave up on a process that would not die', () => {
  const system = fakeSystem({})
  const meter = new Meter(system, shippedGauges)
  const followed = meter.follow({
    rootPid: 7,
    intervalSeconds: null,
    mark: null,
    cgroup: null,
    origin: 'launched',
    launcherBytes: 0,
    onSamples: () => {},
  })
  const processes = new JobProcesses({
    system,
    meter,
    cgroup: null,
    followed,
    pid: 7,
    hasOwnGroup: true,
  })
  processes.killAll()
  // The main process is never reaped: it waits in the kernel, for a disk that does not answer.
  system.advance(60)
  const kills = system.signals.length
  processes.killAll()
  expect(system.signals.length).toBeGreaterThan(kills)
})
