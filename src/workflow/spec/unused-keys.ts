import type { CheckedSpec } from './checked-spec.ts'
import { isMeasured } from './metric-names.ts'

/** Keys of a file that are known and right, but change nothing where this runner runs it, each with the reason. */
export function unusedKeys({ head, actions }: CheckedSpec): readonly string[] {
  const metrics = head.resource_monitor?.metrics
  const missing = metrics?.filter((name) => !isMeasured(name)) ?? []
  const lack = missing.length === 0 ? '' : `, except ${missing.join(' and ')}`
  const ofMonitor =
    metrics === undefined ? [] : [`resource_monitor.metrics (everything is measured${lack})`]
  const ofActions = actions.flatMap(({ path: [list, index], spec }) =>
    (['start_one_worker_per_node', 'max_parallel_jobs'] as const).flatMap((key) =>
      spec[key] === undefined ? [] : [`${list}[${index}].${key} (for clusters)`],
    ),
  )
  return [...ofMonitor, ...ofActions]
}
