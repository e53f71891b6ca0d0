import { count } from '../../model/count.ts'
import type { JobStatistics, ToolStatistics } from '../../analysis/job/job-statistics.ts'
import { historySeconds, notMeasured, orDash, ratePercent } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import { lowerBoundWords } from '../units/usage-figure.ts'
import { noJobsYet } from './record-words.ts'
import type { Style } from '../text/style.ts'

export function statsText(statistics: JobStatistics, style: Style): string {
  const { total_jobs: finished, running, waiting, unknown } = statistics
  if (finished + running + waiting + unknown === 0) return `${noJobsYet}\n`
  const sections = [
    [style.bold('Job Statistics Summary:')],
    [style.bold('Overall:'), ...overall(statistics)],
    [style.bold('Resource Usage:'), ...resourceUsage(statistics)],
    [style.bold('By Tool:'), ...Object.entries(statistics.by_tool).flatMap(toolLines)],
  ]
  return sections.map((lines) => lines.join('\n')).join('\n\n') + '\n'
}

function overall(statistics: JobStatistics): string[] {
  return [
    `  Total Jobs: ${statistics.total_jobs}`,
    `  Successful: ${successful(statistics)}`,
    `  Failed: ${statistics.failed}`,
    `  Success Rate: ${orDash(statistics.success_rate, ratePercent)}`,
    ...otherLines(statistics, '  '),
  ]
}

function resourceUsage(statistics: JobStatistics): string[] {
  const cpu = orDash(
    statistics.total_cpu_time_seconds,
    seconds(statistics.total_cpu_time_is_lower_bound),
  )
  const inAll = seconds(statistics.total_duration_is_lower_bound)
  const duration = orDash(statistics.total_duration_seconds, inAll)
  return [
    `  Total CPU Time: ${cpu}${without(statistics.jobs_without_cpu_time)}`,
    `  Total Duration: ${duration}${without(statistics.jobs_without_duration)}`,
    `  Average Duration: ${orDash(statistics.average_duration_seconds, inAll)}`,
  ]
}

function toolLines([tool, statistics]: [string, ToolStatistics]): string[] {
  return [
    `  ${printable(tool)}:`,
    `    Jobs: ${statistics.count}`,
    `    Successful: ${successful(statistics)}`,
    `    Failed: ${statistics.failed}`,
    ...otherLines(statistics, '    '),
    `    Total Duration: ${orDash(statistics.total_duration, seconds(statistics.total_duration_is_lower_bound))}`,
  ]
}

const seconds =
  (isLeast: boolean) =>
  (value: number): string =>
    `${isLeast ? lowerBoundWords : ''}${historySeconds(value)}`

function successful(counts: { successful: number; success_rate: number | null }): string {
  if (counts.success_rate === null) return `${counts.successful} (${notMeasured})`
  return `${counts.successful} (${ratePercent(counts.success_rate)})`
}

/** Those that count as neither successful nor failed. */
const otherLines = (
  counts: { running: number; waiting: number; unknown: number },
  indent: string,
): string[] => [
  ...(counts.running === 0 ? [] : [`${indent}Running: ${counts.running}`]),
  ...(counts.waiting === 0 ? [] : [`${indent}Waiting: ${counts.waiting}`]),
  ...(counts.unknown === 0 ? [] : [`${indent}Unknown: ${counts.unknown} (watched)`]),
]

const without = (jobs: number): string =>
  jobs === 0 ? '' : ` (not measured for ${count(jobs, 'job')})`
