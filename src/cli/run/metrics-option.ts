import { metricGroups, metricNames, type AskedMetric } from '../../model/metrics.ts'
import { UserError } from '../../service/user-error.ts'
import type { OptionTable } from '../command/define.ts'

/** For commands that measure one job. */
export const metricsOptions = {
  metrics: {
    type: 'list',
    commas: true,
    value: 'LIST',
    example: 'cpu,memory,energy',
    choices: [...metricNames, ...metricGroups, 'none'],
    says: `what to measure, instead of what is measured by default: ${metricNames.join(', ')}; default, all, none`,
  },
  threads: {
    type: 'boolean',
    says: 'also measure the busiest threads, by name',
  },
} as const satisfies OptionTable

interface Given {
  readonly metrics: readonly (AskedMetric | 'none')[]
  readonly threads: boolean
}

/** What was asked for, by name; an empty list where nothing was, and null where nothing is to be measured. */
export function metricsAsked({ metrics, threads }: Given): readonly AskedMetric[] | null {
  const named = metrics.flatMap((name) => (name === 'none' ? [] : [name]))
  if (named.length > 0 && named.length < metrics.length)
    throw new UserError(
      `--metrics: "none" stands alone, and cannot be asked for together with ${named.join(', ')}`,
      'usage',
    )
  const isNone = metrics.length > 0 && named.length === 0
  if (!threads) return isNone ? null : named
  return metrics.length === 0 ? ['default', 'threads'] : [...named, 'threads']
}
