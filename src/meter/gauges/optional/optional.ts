import type { Gauge } from '../gauge.ts'
import { threadsGauge } from './threads.ts'

/** What is measured only where it is asked for, or found and cheap: see `chosen.ts`. */
export const optionalGauges: readonly Gauge[] = [threadsGauge]
