import type { WorkflowUse } from '../../analysis/workflow/workflow-results.ts'
import {
  coreHours,
  count,
  fixedKeeping,
  formatCount,
  formatSeconds,
  orDash,
  tableBytes,
} from '../units/figures.ts'
import { fitTable } from '../text/fit-table.ts'
import { printable } from '../text/printable.ts'
import { statusText } from '../record/record-words.ts'
import type { ResultJson } from './results-rows.ts'
import { warningLines } from './run-end-text.ts'
import { evenSparkline } from '../text/sparkline.ts'
import type { Style } from '../text/style.ts'
import { lowerBoundWords } from '../units/usage-figure.ts'

const columns = [
  { header: 'Job ID', align: 'right' },
  { header: 'Job Name', align: 'left' },
  { header: 'Run', align: 'right' },
  { header: 'Attempt', align: 'right' },
  { header: 'Status', align: 'left' },
  { header: 'Return Code', align: 'right' },
  { header: 'Duration', align: 'right' },
  { header: 'CPU Time', align: 'right' },
  { header: 'Peak CPU %', align: 'right' },
  { header: 'Avg CPU %', align: 'right' },
  { header: 'Peak Mem', align: 'right' },
  { header: 'Avg Mem', align: 'right' },
] as const

const chartWidth = 60

/** What gives way on a narrow terminal. */
const fit = {
  name: 'Job Name',
  expendable: ['Avg Mem', 'Avg CPU %', 'Attempt', 'Return Code', 'Run'],
}
const leftOutWords = (headers: readonly string[]): string =>
  `No room for ${headers.join(', ')}: --format csv has all.`

/**
 * Results as a table, with what they used in all; `none` is what to say where there are none, and `width` what the
 * terminal has, if it goes to one.
 */
export function resultsText(
  rows: readonly ResultJson[],
  use: WorkflowUse,
  style: Style,
  none: string,
  width: number | null = null,
): string {
  if (rows.length === 0) return `${none}\n`
  const { text, leftOut } = fitTable(
    columns,
    rows.map((row) => cells(row, style)),
    fit,
    width,
  )
  const headerEnd = text.indexOf('\n')
  const header = style.bold(text.slice(0, headerEnd))
  const below = [
    ...(leftOut.length === 0 ? [] : [style.dim(leftOutWords(leftOut)), '']),
    ...charts(rows, style),
    style.dim(totals(use)),
    ...warned(rows, style),
  ].join('\n')
  return `${header}${text.slice(headerEnd)}\n\n${below}\n`
}

/** The rows side by side, one character a row where they fit: which ones stand out is seen at once. */
function charts(rows: readonly ResultJson[], style: Style): string[] {
  if (rows.length < 2) return []
  const chart = (label: string, figure: (row: ResultJson) => number | null): string => {
    const figures = Float64Array.from(rows, (row) => figure(row) ?? NaN)
    const line = evenSparkline(figures, chartWidth)
    return line.trim() === '' ? '' : `${label.padEnd(12)}${style.cyan(line)}`
  }
  const lines = [
    chart('Duration', (row) => row.exec_time_seconds),
    chart('CPU time', (row) => row.cpu_seconds),
    chart('Peak memory', (row) => row.peak_memory_bytes),
  ]
  return [...lines.filter((line) => line !== ''), '']
}

function cells(row: ResultJson, style: Style): string[] {
  return [
    String(row.job_id),
    printable(row.job_name),
    String(row.run_id),
    String(row.attempt),
    statusText(row.status, style),
    orDash(row.return_code, String),
    orDash(row.exec_time_seconds, formatSeconds),
    usedCell(row, 'cpu_seconds', formatSeconds),
    usedCell(row, 'peak_cpu_percent', percent),
    usedCell(row, 'avg_cpu_percent', percent),
    usedCell(row, 'peak_memory_bytes', tableBytes),
    usedCell(row, 'avg_memory_bytes', tableBytes),
  ]
}

type Used =
  | 'cpu_seconds'
  | 'peak_cpu_percent'
  | 'avg_cpu_percent'
  | 'peak_memory_bytes'
  | 'avg_memory_bytes'

const usedCell = (row: ResultJson, name: Used, format: (value: number) => string): string =>
  `${row.lower_bounds.includes(name) ? lowerBoundWords : ''}${orDash(row[name], format)}`

const percent = (value: number): string => fixedKeeping(value, 1)

function warned(rows: readonly ResultJson[], style: Style): string[] {
  const warnings = rows.flatMap(({ job_name: name, warning }) =>
    warning === null ? [] : [{ name, text: warning }],
  )
  return warningLines(warnings, style)
}

function totals(use: WorkflowUse): string {
  const without = use.attempts - use.measured
  const parts = [
    count(use.attempts, 'result'),
    `${use.isLowerBound ? lowerBoundWords : ''}${coreHours(use.cpuSeconds)} core-hours used`,
    use.requestedCoreSeconds === 0 ? null : `${coreHours(use.requestedCoreSeconds)} requested`,
    without === 0 ? null : `CPU time not measured for ${formatCount(without)}`,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}
