import { isOfLowerBound } from '../model/measured.ts'
import type { JobRecord } from '../model/record.ts'
import type { UsageName } from '../model/usage-names.ts'
import { historyMegabytes, historySeconds, notMeasured, orDash } from './figures.ts'
import { printable } from './printable.ts'
import { recordJson, type RecordJson } from './record-json.ts'
import { noJobsYet, statusText, zonelessTime } from './record-words.ts'
import type { Style } from './style.ts'
import { lowerBoundWords } from './usage-figure.ts'

/** An error that is a whole log would bury the history; `job-details` has it in full. */
const longestError = 200

/** The job history, in the order given. `filtered` says whether there may be others not asked for. */
export function historyText(records: Iterable<JobRecord>, style: Style, filtered = false): string {
  const jobs: string[] = []
  for (const record of records) jobs.push(jobText(recordJson(record), jobs.length + 1, style))
  if (jobs.length === 0) return `${filtered ? 'No recorded job matches.' : noJobsYet}\n`
  const title = `Job History (showing ${jobs.length} job${jobs.length === 1 ? '' : 's'}):`
  return [style.bold(title), ...jobs, style.dim('Times are in UTC.')].join('\n\n') + '\n'
}

function jobText(job: RecordJson, number: number, style: Style): string {
  const script = job.script === null ? notMeasured : printable(job.script)
  const lines = [
    `Task: ${style.cyan(`${printable(job.task_id).slice(0, 12)}...`)}`,
    `Tool: ${printable(job.tool)}, Script: ${script}`,
    `Status: ${statusText(job.status, style)}`,
    `Started: ${zonelessTime(job.start_time)}`,
    `Duration: ${orDash(job.duration_seconds, historySeconds)}`,
    `CPU Time: ${cpuText(job)}`,
    `Memory Peak: ${bound(job, 'memory_peak_bytes')}${orDash(job.resource_usage.memory_peak_mb, historyMegabytes)}`,
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
