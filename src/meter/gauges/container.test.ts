import { expect, it } from 'vitest'
import { makeCgroup } from '../../../test/fuzz/made-cgroup.ts'
import { MadeMachine } from '../../../test/fuzz/made-machine.ts'
import type { Measured } from '../../model/measured.ts'
import { parseInspected } from '../../sensors/container/inspected.ts'
import { Meter } from '../meter.ts'
import { containerGauge } from './container.ts'

/** Why there is no figure of throttling in a container whose daemon describes its limits so. */
function whyUnthrottled(limits: object): string | undefined {
  const machine = new MadeMachine()
  const { pid } = machine.start()
  const inspected = parseInspected({ Id: 'a1'.repeat(32), HostConfig: limits })
  const cgroup = makeCgroup(machine, 'v2', () => [pid])
  if (inspected === undefined || cgroup === null) throw new Error('no container')
  const meter = new Meter(machine.system)
  const job = meter.follow(
    {
      rootPid: pid,
      intervalSeconds: 1,
      mark: null,
      cgroup,
      origin: 'found',
      launcherBytes: 0,
      onSamples: () => {},
    },
    [containerGauge({ inspected, pid, directories: cgroup })],
  )
  machine.system.advance(1)
  const usage = meter.finish(job, 1) as unknown as Readonly<Record<string, Measured>>
  const { containerThrottledSeconds: throttled } = usage
  return throttled?.value === null ? throttled.why : undefined
}

it('does not say that a container has no CPU limit where its daemon told of one that cannot be', () => {
  expect(whyUnthrottled({})).toBe('the container has no CPU limit')
  expect(whyUnthrottled({ NanoCpus: 1e300 })).toBe(
    'what the daemon gives as the CPU limit of the container cannot be one',
  )
})
