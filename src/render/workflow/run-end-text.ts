import { coreHours, formatSeconds } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import type { Style } from '../text/style.ts'
import { lowerBoundWords } from '../units/usage-figure.ts'
import { resumeCommand } from './resume-command.ts'

/** What the end of a run is told from. */
export interface RunEnd {
  readonly workflowId: number
  readonly runId: number
  /** The file that it was made from. */
  readonly specPath: string
  readonly outputDirectory: string
  readonly durationSeconds: number
  readonly states: Readonly<Partial<Record<string, number>>>
  readonly failures: readonly FailureEnd[]
  readonly failureCount: number
  /** Of jobs that succeeded, and of what any job left running. */
  readonly warnings: readonly WarningEnd[]
  readonly usedCoreSeconds: number
  readonly usedIsLowerBound: boolean
  readonly requestedCoreSeconds: number | null
  readonly stopped: string | null
}

interface WarningEnd {
  readonly name: string
  readonly text: string
}

interface FailureEnd {
  readonly name: string
  readonly status: string
  readonly reason: string
  /** Where its standard error is, if it wrote anything to it. */
  readonly stderrPath: string | null
  readonly lastLines: readonly string[]
}

/** What `jobmeter run SPEC` says at the end: what failed and why, where the logs are, what was used, what to do next. */
export function runEndText(end: RunEnd, name: string, style: Style): string {
  const total = Object.values(end.states).reduce<number>((sum, count) => sum + (count ?? 0), 0)
  const good = end.states['success'] ?? 0
  const well = good === total
  const paint = well ? style.green : style.red
  const counts = Object.entries(end.states)
    .filter(([, count]) => (count ?? 0) > 0)
    .map(([state, count]) => `${count} ${state}`)
  const lines = [
    `${paint(well ? '✓' : '✗')} ${style.bold(printable(name))}  ${paint(`${good} of ${total} jobs succeeded`)} in ${formatSeconds(end.durationSeconds)}`,
    ...(end.stopped === null ? [] : [style.yellow(printable(end.stopped))]),
    `Jobs        ${counts.join(', ')}`,
    `Core-hours  ${end.usedIsLowerBound ? lowerBoundWords : ''}${coreHours(end.usedCoreSeconds)} used${requested(end)}`,
    `Logs        ${printable(end.outputDirectory)}/job_stdio`,
    ...failureLines(end, style),
    ...warningLines(end.warnings, style),
    `Next        ${next(end, well)}`,
  ]
  return `\n${lines.join('\n')}\n`
}

function failureLines(end: RunEnd, style: Style): string[] {
  const lines = end.failures.flatMap(({ name, status, reason, stderrPath, lastLines }) => [
    `${style.red('✗')} ${printable(name)}: ${status}, ${printable(reason)}` +
      (stderrPath === null ? '' : `  ${style.dim(printable(stderrPath))}`),
    ...lastLines.map((line) => style.dim(`    ${printable(line)}`)),
  ])
  const more = end.failureCount - end.failures.length
  return more > 0
    ? [...lines, `  and ${more} more: jobmeter results list ${end.workflowId} --failed`]
    : lines
}

const mostWarnings = 5

/** What should be looked at though the job succeeded; the results of a workflow say the same. */
export function warningLines(warnings: readonly WarningEnd[], style: Style): string[] {
  const more = warnings.length - mostWarnings
  return [
    ...warnings
      .slice(0, mostWarnings)
      .map(({ name, text }) => `${style.yellow('⚠')} ${printable(name)}: ${printable(text)}`),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ]
}

function requested(end: RunEnd): string {
  return end.requestedCoreSeconds === null || end.requestedCoreSeconds === 0
    ? ''
    : `, ${coreHours(end.requestedCoreSeconds)} held by requests (cores × time)`
}

function next(end: RunEnd, well: boolean): string {
  const { workflowId } = end
  if (well) return `jobmeter results list ${workflowId}`
  // Where nothing failed there is nothing to fix: somebody stopped it.
  return end.failures.every(({ status }) => status === 'cancelled' || status === 'interrupted')
    ? `jobmeter run --resume ${workflowId}`
    : `jobmeter results list ${workflowId} --failed; fix it; ${resumeCommand(end.specPath, workflowId)}`
}
