import { isOfLowerBound } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import type { UsageName } from '../../model/usage-names.ts'
import { historyBytes, historySeconds, notMeasured, orDash } from '../units/figures.ts'
import { count } from '../../model/count.ts'
import { printable } from '../text/printable.ts'
import { recordJson, type RecordJson } from './record-json.ts'
import { noJobsYet, statusText } from './record-words.ts'
import { startText } from './start-text.ts'
import type { Style } from '../text/style.ts'
import { durationBound, lowerBoundWords } from '../units/usage-figure.ts'
import type { Zone } from '../units/zoned-time.ts'

/** An error that is a whole log would bury the history; `job-details` has it in full. */
const longestError = 200

export interface HistoryView {
  readonly zone: Zone
  /** Whether there may be others that were not asked for. */
  readonly isFiltered: boolean
  /** Attempts of workflows that would have been shown too. */
  readonly leftOut: number
}

/** The job history, in the order given. */
export function historyText(
  records: Iterable<JobRecord>,
  style: Style,
  { zone, isFiltered, leftOut }: HistoryView,
): string {
  const jobs: string[] = []
  for (const record of records) jobs.push(jobText(record, jobs.length + 1, style, zone))
  const left = leftOut === 0 ? [] : [style.dim(leftOutText(leftOut))]
  const title = `Job History (showing ${count(jobs.length, 'job')}):`
  const first = jobs.length === 0 ? [noneText(isFiltered, leftOut)] : [style.bold(title), ...jobs]
  return [...first, ...left].join('\n\n') + '\n'
}

function noneText(isFiltered: boolean, leftOut: number): string {
  if (isFiltered) return 'No recorded job matches.'
  return leftOut > 0 ? 'No single commands are recorded.' : noJobsYet
}

/** What the history says of the attempts of workflows that it does not show. */
export const leftOutText = (attempts: number): string =>
  `${count(attempts, 'attempt')} of workflow jobs not shown: --all shows them too.`

function jobText(record: JobRecord, number: number, style: Style, zone: Zone): string {
  const job = recordJson(record)
  const script = job.script === null ? notMeasured : printable(job.script)
  const lines = [
    `Task: ${style.cyan(`${printable(job.task_id).slice(0, 12)}...`)}`,
    `Name: ${printable(job.name)}`,
    `Tool: ${printable(job.tool)}, Script: ${script}`,
    `Status: ${statusText(job.status, style)}`,
    `Started: ${startText(record, zone)}`,
    `Duration: ${orDash(job.duration_seconds, (seconds) => durationBound(record.status) + historySeconds(seconds))}`,
    `CPU Time: ${cpuText(job)}`,
    `Memory Peak: ${bound(job, 'memory_peak_bytes')}${orDash(record.usage.memoryPeakBytes.value, historyBytes)}`,
  ]
  if (job.error !== null) lines.push(`Error: ${printable(shortened(job.error))}`)
  return `${number}. ${lines.join('\n   ')}`
}

function cpuText(job: RecordJson): string {
  const { resource_usage: used } = job
  if (used.cpu_total_seconds === null) return notMeasured
  const user = `${bound(job, 'cpu_user_seconds')}${orDash(used.cpu_user_seconds, historySeconds)}`
  const system = `${bound(job, 'cpu_system_seconds')}${orDash(used.cpu_system_seconds, historySeconds)}`
  const total = `${bound(job, 'cpu_total_seconds')}${historySeconds(used.cpu_total_seconds)}`
  return `${total} (user: ${user}, system: ${system})`
}

const bound = ({ basis }: RecordJson, name: UsageName): string =>
  isOfLowerBound(basis[name] ?? '') ? lowerBoundWords : ''

const shortened = (text: string): string =>
  text.length > longestError ? `${text.slice(0, longestError)}...` : text
