import { isDurationBound, isOpen } from '../../model/outcome.ts'
import { workflowUse, type WorkflowUse } from '../../analysis/workflow/workflow-results.ts'
import type { UtilizationReport } from '../../analysis/workflow/utilization.ts'
import { warningText } from '../../model/record.ts'
import { coreHours, formatCount, formatPercent, formatSeconds } from '../units/figures.ts'
import { count } from '../../model/count.ts'
import { lowerBoundWords } from '../units/usage-figure.ts'
import { overRequestTile } from './over-request-tile.ts'
import type { Tile } from './report-content.ts'
import { resourceUse } from './resource-figures.ts'
import type { ReportSourceJob } from '../../analysis/workflow/gathered-report.ts'
import type { ReportSource } from './report-source.ts'

export function outcomeTiles(
  source: ReportSource,
  wallSeconds: number,
  checked: UtilizationReport,
): Tile[] {
  return [
    outcomeTile(source),
    wallTile(source, wallSeconds),
    cpuTile(source),
    memoryTile(source),
    overRequestTile(
      source.jobs.map(({ requirements }) => requirements),
      checked,
    ),
  ]
}

function wallTile({ jobs, runs }: ReportSource, wallSeconds: number): Tile {
  const label = 'Wall time'
  const isBound = jobs.some(({ attempts }) =>
    attempts.some(({ record }) => isDurationBound(record.status)),
  )
  if (isBound && wallSeconds === 0)
    return {
      label,
      figure: 'not measured',
      note: 'nothing is known of any job after its start',
      mood: 'plain',
    }
  const oneRun = isBound
    ? 'until what was last seen of a job whose end was not'
    : 'from first start to last end'
  return {
    label,
    figure: `${isBound ? lowerBoundWords : ''}${formatSeconds(wallSeconds)}`,
    note: runs.length > 1 ? `over ${runs.length} runs` : oneRun,
    mood: 'plain',
  }
}

function outcomeTile({ jobs, kind }: ReportSource): Tile {
  const succeeded = jobs.filter(({ state }) => state === 'success').length
  const attempts = jobs.reduce((sum, job) => sum + job.attempts.length, 0)
  const [only] = jobs
  const isGood = succeeded === jobs.length && jobs.length > 0
  if (kind === 'job' && only !== undefined) {
    const record = only.attempts.at(-1)?.record
    const note =
      record?.reason ?? (record?.exitCode === null ? '' : `exit code ${record?.exitCode}`)
    const isWarned = jobWarning(only) !== null
    return {
      label: 'Outcome',
      figure: only.state,
      note: isWarned ? `warning: ${note}` : note,
      mood: isWarned ? 'warn' : isGood ? 'good' : isOpen(only.state) ? 'plain' : 'bad',
    }
  }
  const warned = jobs.filter((job) => jobWarning(job) !== null).length
  const warnedWords = warned === 0 ? '' : `, ${count(warned, 'job')} with a warning`
  return {
    label: 'Succeeded',
    figure: `${formatCount(succeeded)} of ${formatCount(jobs.length)}`,
    note: `${count(attempts, 'attempt')} in total${warnedWords}`,
    mood: isGood
      ? warned > 0
        ? 'warn'
        : 'good'
      : jobs.some(({ state }) => failedStates.has(state))
        ? 'bad'
        : 'plain',
  }
}

/** What went wrong with a job that succeeded all the same, by its last attempt. */
export function jobWarning({ attempts }: ReportSourceJob): string | null {
  const last = attempts.at(-1)
  return last === undefined ? null : warningText(last.record)
}

const failedStates: ReadonlySet<string> = new Set(['failed', 'timeout', 'error', 'interrupted'])

function cpuTile({ jobs }: ReportSource): Tile {
  const use = workflowUse(jobs.flatMap(({ attempts }) => attempts.map(({ record }) => record)))
  return {
    label: 'CPU time',
    figure:
      use.measured === 0
        ? 'not measured'
        : `${use.isLowerBound ? lowerBoundWords : ''}${formatSeconds(use.cpuSeconds)}`,
    note: requestNote(use, jobs),
    mood: 'plain',
  }
}

function requestNote(use: WorkflowUse, jobs: ReportSource['jobs']): string {
  const share = use.shareOfRequests()
  if (use.requestedCoreSeconds === 0)
    return use.requesting === 0 && jobs.some(isUnseenHolder)
      ? 'for how long the requested cores were held is not known'
      : 'no cores were requested'
  if (share === null) return `${coreHours(use.requestedCoreSeconds)} core-hours were requested`
  const where = use.measured < use.attempts ? ', where it was measured' : ''
  const bound = use.isLowerBound ? lowerBoundWords : ''
  return `${bound}${formatPercent(100 * share)} of the requested core time${where}`
}

/** Whether a job asked for cores and ended, nobody knows when. */
const isUnseenHolder = ({ attempts, requirements }: ReportSourceJob): boolean =>
  (requirements.cpus ?? 0) > 0 &&
  attempts.some(({ record }) => isDurationBound(record.status) && record.durationSeconds === null)

function memoryTile({ jobs }: ReportSource): Tile {
  let most = { bytes: -1, text: 'not measured', name: '' }
  for (const job of jobs) {
    const { used, text } = resourceUse(job, 'memory')
    if (used !== null && used > most.bytes) most = { bytes: used, text, name: job.name }
  }
  const ofWhich = most.bytes < 0 ? 'no job has a memory peak' : `memory peak of ${most.name}`
  return {
    label: jobs.length > 1 ? 'Largest job' : 'Memory',
    figure: most.text,
    note: jobs.length > 1 ? ofWhich : 'peak, shared pages counted once',
    mood: 'plain',
  }
}
