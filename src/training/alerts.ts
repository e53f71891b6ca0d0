import { alertPolicy } from '../analysis/policy.ts'
import { gpusIn, type Metrics } from './metric-names.ts'
import type { ResourceMonitorSettings } from './options.ts'

/** What stands before an alert where it is told alone. */
export const alertSign = '⚠️ '

const hottestCelsius = alertPolicy.gpuCelsius

/** What is wrong by these figures. What was not measured is no reason for an alert. */
export function checkAlerts(metrics: Metrics, settings: ResourceMonitorSettings): string[] {
  const { memory_percent: memory, io_wait_pct: wait } = metrics
  const alerts: string[] = []
  const gpus = gpusIn(metrics)
  // With a single card there is no doubt which one it is.
  const gpuName = (gpu: number): string => (gpus.length === 1 ? 'GPU' : `GPU ${gpu}`)
  if (settings.alertGpuUnderutilization)
    for (const gpu of gpus) {
      const util = metrics[`gpu_${gpu}_util`]
      if (util !== undefined && util < settings.gpuUtilThreshold * 100)
        alerts.push(`${gpuName(gpu)} underutilized: ${told(util, settings.gpuUtilThreshold)}`)
    }
  if (settings.alertMemoryPressure && memory !== undefined)
    if (memory > settings.memoryThreshold * 100)
      alerts.push(`High memory usage: ${told(memory, settings.memoryThreshold)}`)
  if (settings.alertIoBottleneck && wait !== undefined)
    if (wait > settings.ioWaitThreshold * 100)
      alerts.push(`I/O bottleneck: ${told(wait, settings.ioWaitThreshold, ' wait time')}`)
  for (const gpu of gpus) {
    const celsius = metrics[`gpu_${gpu}_temp_c`]
    if (celsius !== undefined && celsius > hottestCelsius)
      alerts.push(`${gpuName(gpu)} temperature high: ${celsius}°C`)
  }
  return alerts.map((alert) => alertSign + alert)
}

/** `42.3% (threshold: 50%)`; the threshold as it was given, without the noise of binary fractions. */
const told = (percent: number, threshold: number, what = ''): string =>
  `${percent.toFixed(1)}%${what} (threshold: ${Number((threshold * 100).toPrecision(12))}%)`
