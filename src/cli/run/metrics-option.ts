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
  /** False for a job that is not to be watched; left out by commands that always watch. */
  readonly monitor?: boolean
}

/** What was asked for, by name; an empty list where nothing was, and null where nothing is to be measured. */
export function metricsAsked({
  metrics,
  threads,
  monitor = true,
}: Given): readonly AskedMetric[] | null {
  const named = metrics.flatMap((name) => (name === 'none' ? [] : [name]))
  const isNone = metrics.length > 0 && named.length === 0
  const list = named.join(',')
  if (named.length > 0 && named.length < metrics.length)
    throw new UserError(
      `--metrics: "none" stands alone. Write --metrics ${list}, or --metrics none to measure nothing`,
      'usage',
    )
  if (isNone && threads)
    throw new UserError(
      '--metrics none and --threads cannot be used together. Write --metrics threads to measure threads alone',
      'usage',
    )
  const beside = [
    ...(named.length > 0 ? [`--metrics ${list}`] : []),
    ...(threads ? ['--threads'] : []),
  ]
  if (!monitor && beside.length > 0)
    throw new UserError(
      `--no-monitor cannot be used together with ${beside.join(' and ')}: a job that is not watched is not measured. Leave out --no-monitor, or ${beside.length === 1 ? 'the other' : 'both of the others'}`,
      'usage',
    )
  if (!threads) return isNone ? null : named
  return metrics.length === 0 ? ['default', 'threads'] : [...named, 'threads']
}
