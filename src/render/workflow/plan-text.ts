import { count } from '../../model/count.ts'
import type { Plan, PlannedJob } from '../../model/plan.ts'
import { fitWidth } from '../text/display-width.ts'
import {
  coreHours,
  formatBytes,
  formatCount,
  formatSeconds,
  orDash,
  roundKeeping,
} from '../units/figures.ts'
import { misfitLines } from './misfit-text.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { table, type Column } from '../text/table.ts'

/** More lines than this nobody reads; the JSON has them all. */
const mostJobs = 200
const mostNames = 12
const widestName = 40
const widestCommand = 60

const columns: readonly Column[] = [
  { header: 'Stage', align: 'right' },
  { header: 'Job', align: 'left' },
  { header: 'CPUs', align: 'right' },
  { header: 'Memory', align: 'right' },
  { header: 'GPUs', align: 'right' },
  { header: 'Runtime', align: 'right' },
  { header: 'Waits for', align: 'left' },
  { header: 'Command', align: 'left' },
]

/** The plan of a workflow, as a table of its jobs by stage and what they come to. */
export function planText(plan: Plan, style: Style): string {
  const sections = [
    style.bold(
      `${printable(plan.name)}: ${count(plan.totals.jobs, 'job')} in ${count(plan.totals.stages, 'stage')}`,
    ),
    jobTable(plan),
    [...summary(plan)].join('\n'),
    ...misfits(plan),
  ]
  return `${sections.join('\n\n')}\n`
}

function misfits({ does_not_fit: found }: Plan): string[] {
  if (found.length === 0) return []
  const jobs = new Set(found.map(({ job }) => job)).size
  const heading = `${count(jobs, 'job')} can never start on this machine:`
  return [[heading, ...misfitLines(found)].join('\n')]
}

function jobTable(plan: Plan): string {
  const jobs = new Map(plan.jobs.map((job) => [job.name, job]))
  const rows: string[][] = []
  plan.stages.forEach((names, stage) => {
    for (const name of names) {
      if (rows.length >= mostJobs) return
      const job = jobs.get(name)
      if (job !== undefined) rows.push(row(job, stage + 1))
    }
  })
  const left = plan.jobs.length - rows.length
  const more = left > 0 ? `\n… and ${count(left, 'more job')}; --format json has all of them` : ''
  return table(columns, rows) + more
}

function row(job: PlannedJob, stage: number): string[] {
  const asked = job.resource_requirements
  return [
    String(stage),
    fitWidth(printable(job.name), widestName),
    orDash(asked.cpus, String),
    orDash(asked.memory_bytes, formatBytes),
    orDash(asked.gpus, String),
    orDash(asked.runtime_seconds, formatSeconds),
    waitsFor(job.depends_on),
    fitWidth(printable(job.command), widestCommand),
  ]
}

function waitsFor(names: readonly string[]): string {
  const [first] = names
  if (first === undefined) return ''
  const shown = fitWidth(printable(first), widestName)
  return names.length === 1 ? shown : `${shown} and ${formatCount(names.length - 1)} more`
}

function* summary(plan: Plan): Iterable<string> {
  const { peak, critical_path: path, jobs_without_runtime: unknown } = plan
  const shown =
    path.length > mostNames ? [...path.slice(0, mostNames - 1), '…', ...path.slice(-1)] : path
  yield `Critical path: ${formatSeconds(plan.critical_path_seconds)} over ${count(path.length, 'job')}: ${shown.map(printable).join(' → ')}`
  if (unknown > 0) yield `  ${count(unknown, 'job')} without a runtime counted as 0 s`
  const amounts = [
    count(peak.jobs, 'job'),
    `${roundKeeping(peak.cpus, 3)} CPUs`,
    formatBytes(peak.memory_bytes),
    count(peak.gpus, 'GPU'),
  ]
  const basis = peak.basis === 'runtimes' ? 'by requested runtimes' : 'by stages'
  yield `Peak if everything ready ran at the same time (${basis}): ${amounts.join(', ')}`
  yield `Requested in total: ${coreHours(plan.totals.core_seconds)} core-hours (cores × requested runtime)`
}
