import type { Gauge } from '../gauge.ts'
import { disksGauge } from './disks.ts'
import { energyGauge } from './energy.ts'
import { networkGauge } from './network.ts'
import { threadsGauge } from './threads.ts'

/** What is measured only where it is asked for, or found and cheap: see `chosen.ts`. */
export const optionalGauges: readonly Gauge[] = [
  networkGauge,
  disksGauge,
  energyGauge,
  threadsGauge,
]
