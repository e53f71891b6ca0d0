import { cpuGauge } from './cpu.ts'
import type { Gauge } from './gauge.ts'
import { gpuGauge } from './gpu.ts'
import { ioGauge } from './io.ts'
import { machineGauge } from './machine.ts'
import { memoryGauge } from './memory.ts'
import { pressureGauge } from './pressure.ts'
import { processesGauge } from './processes.ts'

/** What is measured of every job. */
export const shippedGauges: readonly Gauge[] = [
  cpuGauge,
  memoryGauge,
  processesGauge,
  ioGauge,
  pressureGauge,
  machineGauge,
  gpuGauge,
]
