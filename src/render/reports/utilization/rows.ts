import { count } from '../../../model/count.ts'
import type { FailedAttempt, UtilizationCheck } from '../../../analysis/workflow/utilization.ts'
import type { Column } from '../../text/table.ts'
import { checkWords } from './figures.ts'
import type { Utilization } from '../../../analysis/workflow/utilization.ts'
import { failureJson } from './json.ts'

/** The columns of the report, as people see them. */
export const checkColumns: readonly Column[] = [
  { header: 'Job ID', align: 'right' },
  { header: 'Job Name', align: 'left' },
  { header: 'Resource', align: 'left' },
  { header: 'Specified', align: 'right' },
  { header: 'Peak Used', align: 'right' },
  { header: 'Over-Utilization', align: 'right' },
]

export function checkCells(check: UtilizationCheck): readonly string[] {
  const words = checkWords(check)
  return [
    String(check.jobId),
    check.jobName,
    check.resourceType,
    words.specified,
    words.peak_used,
    words.over_utilization,
  ]
}

export const failureColumns: readonly Column[] = [
  { header: 'Job ID', align: 'right' },
  { header: 'Job Name', align: 'left' },
  { header: 'Status', align: 'left' },
  { header: 'Probable Cause', align: 'left' },
  { header: 'Evidence', align: 'left' },
]

export function failureCells(failed: FailedAttempt): readonly string[] {
  const row = failureJson(failed)
  return [String(row.job_id), row.job_name, row.status, row.probable_cause, row.evidence]
}

/** `⚠ Found 3 resource over-utilization violations:` */
export function findingLine(report: Utilization): string {
  const { violations, checks, totalResults } = report
  const found = violations.length
  if (found > 0)
    return `⚠ Found ${count(found, 'resource over-utilization violation')}:${endedWords(report)}`
  if (totalResults === 0) return 'No result to check.'
  if (checks.length === 0)
    return 'Nothing to check: no job asked for memory, CPUs, GPUs or a runtime.'
  const measured = checks.length - report.unmeasuredCount
  if (measured === 0) return 'Nothing could be checked: nothing that was asked for was measured.'
  return '✓ No resource over-utilization: everything that was measured stayed within what was asked for.'
}

/** Jobs that were kept from using more than they had asked for. */
function endedWords({ violations }: Utilization): string {
  const held = violations.filter(({ endedAt }) => endedAt === 'request')
  const jobsOf = (which: UtilizationCheck['ended']): number =>
    new Set(held.flatMap(({ ended, jobId }) => (ended === which ? [jobId] : []))).size
  const [ended, thinned] = [jobsOf('all'), jobsOf('some')]
  const parts = [
    ...(ended === 0 ? [] : [endedJobs(ended)]),
    ...(thinned === 0 ? [] : [killedIn(thinned)]),
  ]
  return parts.length === 0 ? '' : ` ${parts.join('; ')}`
}

const endedJobs = (jobs: number): string =>
  jobs === 1
    ? '1 job was held to what it had asked for and ended when it needed more'
    : `${jobs} jobs were held to what they had asked for and ended when they needed more`

const killedIn = (jobs: number): string =>
  jobs === 1
    ? 'processes of 1 job were killed when it needed more than it had asked for'
    : `processes of ${jobs} jobs were killed when they needed more than they had asked for`

/** What must be known to read the report right. */
export function remarks(report: Utilization): string[] {
  const { unmeasuredCount, failedLeftOut } = report
  const lines: string[] = []
  if (unmeasuredCount > 0)
    lines.push(
      `Not measured, and so not counted: ${unmeasuredCount} of ${report.checks.length} figures`,
    )
  if (failedLeftOut > 0)
    lines.push(
      `Left out: ${failedLeftOut} ${failedLeftOut === 1 ? 'result' : 'results'} of jobs that failed. Use --include-failed to see why they probably failed`,
    )
  return lines
}
