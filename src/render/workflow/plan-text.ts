import { count } from '../../model/count.ts'
import type { Plan, PlannedContainer, PlannedJob } from '../../model/plan.ts'
import { displayWidth, fitEnd, fitWidth } from '../text/display-width.ts'
import {
  coreHours,
  formatBytes,
  formatCount,
  formatSeconds,
  orDash,
  roundKeeping,
} from '../units/figures.ts'
import { lowerBoundWords } from '../units/usage-figure.ts'
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
]
const containerColumn: Column = { header: 'Container', align: 'left' }
const commandColumn: Column = { header: 'Command', align: 'left' }

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
  const hasContainers = plan.jobs.some(({ container }) => container !== null)
  const rows: string[][] = []
  plan.stages.forEach((names, stage) => {
    for (const name of names) {
      if (rows.length >= mostJobs) return
      const job = jobs.get(name)
      if (job !== undefined) rows.push(row(job, stage + 1, hasContainers))
    }
  })
  const left = plan.jobs.length - rows.length
  const more = left > 0 ? `\n… and ${count(left, 'more job')}; --format json has all of them` : ''
  const shown = [...columns, ...(hasContainers ? [containerColumn] : []), commandColumn]
  return table(shown, rows) + more
}

function row(job: PlannedJob, stage: number, hasContainers: boolean): string[] {
  const asked = job.resource_requirements
  return [
    String(stage),
    fitWidth(printable(job.name), widestName),
    orDash(asked.cpus, String),
    orDash(asked.memory_bytes, formatBytes),
    orDash(asked.gpus, String),
    orDash(asked.runtime_seconds, formatSeconds),
    waitsFor(job.depends_on),
    ...(hasContainers ? [containerText(job.container)] : []),
    fitWidth(printable(job.command), widestCommand),
  ]
}

function containerText(container: PlannedContainer | null): string {
  if (container === null) return ''
  const prefix = container.runtime === null ? '' : `${container.runtime}: `
  const image = printable(container.image)
  const room = widestName - displayWidth(prefix)
  return prefix + fitEnd(displayWidth(image) > room ? shortDigest(image) : image, room)
}

/** Twelve digits tell images apart, as `docker images` shows them; all 64 would leave no room for the name. */
const shortDigest = (image: string): string =>
  image.replace(/(@sha256:[0-9a-f]{12})[0-9a-f]+$/, '$1…')

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
  const seconds = plan.critical_path_seconds
  const chain = `${count(path.length, 'job')}: ${shown.map(printable).join(' → ')}`
  const bound = unknown > 0 ? lowerBoundWords : ''
  const counted = unknown > 0 ? ` (${count(unknown, 'job')} without a runtime counted as 0 s)` : ''
  yield seconds === null
    ? `Critical path: ${chain} (the longest chain; its time is not known: no runtimes are given)`
    : `Critical path: ${bound}${formatSeconds(seconds)} over ${chain}${counted}`
  const amounts = [
    count(peak.jobs, 'job'),
    `${roundKeeping(peak.cpus, 3)} CPUs`,
    formatBytes(peak.memory_bytes),
    count(peak.gpus, 'GPU'),
  ]
  const basis = peak.basis === 'runtimes' ? 'by requested runtimes' : 'by stages'
  yield `Peak if everything ready ran at the same time (${basis}): ${amounts.join(', ')}`
  if (seconds !== null)
    yield `Requested in total: ${bound}${coreHours(plan.totals.core_seconds)} core-hours (cores × requested runtime)`
}
