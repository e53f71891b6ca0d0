import type { Gauge } from '../src/meter/gauges/gauge.ts'
import { shippedGauges } from '../src/meter/gauges/shipped.ts'
import { Meter } from '../src/meter/meter.ts'
import type { System } from '../src/system/system.ts'

/** A tree of processes that is looked at only when it is asked for, with samples that nobody keeps. */
export function followed(
  system: System,
  rootPid: number,
  gauges: readonly Gauge[] = shippedGauges,
) {
  const meter = new Meter(system, gauges)
  const job = meter.follow({
    rootPid,
    intervalSeconds: 1e6,
    mark: null,
    cgroup: null,
    origin: 'running',
    launcherBytes: 0,
    onSamples: () => undefined,
    onDevices: () => undefined,
  })
  return { meter, job }
}
