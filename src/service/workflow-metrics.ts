import type { AskedMetric } from '../model/metrics.ts'
import type { Workflow } from '../model/workflow.ts'

/** What is measured of the jobs of a workflow, by name. Whoever wants memory to be a limit wants it looked at. */
export function metricsOf({ monitor }: Pick<Workflow, 'monitor'>): readonly AskedMetric[] {
  const { metrics = [] } = monitor
  return metrics.length > 0 && monitor.enforce.includes('memory') ? [...metrics, 'memory'] : metrics
}
