import { describe, expect, it } from 'vitest'
import { MadeMachine } from '../../test/fuzz/made-machine.ts'
import { shippedGauges } from '../meter/gauges/shipped.ts'
import { Meter } from '../meter/meter.ts'
import { fakeSystem, type FakeSystem } from '../system/fake.ts'
import { JobProcesses } from './job-processes.ts'

function start(system: FakeSystem, pid: number) {
  const meter = new Meter(system, shippedGauges)
  const followed = meter.follow({
    rootPid: pid,
    intervalSeconds: null,
    mark: null,
    cgroup: null,
    origin: 'launched',
    launcherBytes: 0,
    onSamples: () => {},
  })
  const started = { system, meter, cgroup: null, followed, pid, hasOwnGroup: true }
  return { meter, followed, processes: new JobProcesses(started) }
}

describe('the processes of a job', () => {
  it('are killed again when asked again, after it gave up on one that would not die', () => {
    const system = fakeSystem({})
    const { processes } = start(system, 7)
    processes.killAll()
    // The main process is never reaped: it waits in the kernel, for a disk that does not answer.
    system.advance(60)
    const kills = system.signals.length
    processes.killAll()
    expect(system.signals.length).toBeGreaterThan(kills)
  })

  it('are signalled one by one once nobody is left in the group of the main process, whose number others may have', () => {
    const machine = new MadeMachine()
    const main = machine.start()
    const { meter, followed, processes } = start(machine.system, main.pid)
    const daemon = machine.start(main.pid)
    daemon.groupId = daemon.pid
    meter.refresh(followed)
    machine.exit(main)
    followed.retire(main.pid, null)
    processes.mainIsReaped()
    processes.signalAll('SIGTERM')
    expect(machine.system.signals).toEqual([{ pid: daemon.pid, signal: 'SIGTERM' }])
  })

  it('are signalled by their group as long as one of them is in it', () => {
    const machine = new MadeMachine()
    const main = machine.start()
    const { meter, followed, processes } = start(machine.system, main.pid)
    machine.start(main.pid).groupId = main.pid
    meter.refresh(followed)
    machine.exit(main)
    followed.retire(main.pid, null)
    processes.mainIsReaped()
    processes.signalAll('SIGTERM')
    expect(machine.system.signals).toEqual([{ pid: -main.pid, signal: 'SIGTERM' }])
  })
})
