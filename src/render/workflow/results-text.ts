import { WorkflowUse } from '../../analysis/workflow/workflow-results.ts'
import {
  coreHours,
  fixedKeeping,
  formatCount,
  formatSeconds,
  orDash,
  tableBytes,
} from '../units/figures.ts'
import { fitTable } from '../text/fit-table.ts'
import { count } from '../../model/count.ts'
import { printable } from '../text/printable.ts'
import { statusText } from '../record/record-words.ts'
import { resultJson, type Result, type ResultJson } from './results-rows.ts'
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
const charted = [
  { label: 'Duration', figure: 'exec_time_seconds' },
  { label: 'CPU time', figure: 'cpu_seconds' },
  { label: 'Peak memory', figure: 'peak_memory_bytes' },
] as const

/** What gives way on a narrow terminal. */
const fit = {
  name: 'Job Name',
  expendable: ['Avg Mem', 'Avg CPU %', 'Attempt', 'Return Code', 'Run'],
}
const leftOutWords = (headers: readonly string[]): string =>
  `Not shown, for lack of room: ${headers.join(', ')}. --format csv has all columns.`

/** What the list of latest results says of the attempts before them. */
export const earlierText = (attempts: number): string =>
  `${count(attempts, 'earlier attempt')} not shown: --all-runs shows every attempt.`

/**
 * Results as a table, with what they used in all. They are added one by one, for there may be 100,000: of each only the
 * cells are kept, and what the charts show.
 */
export class ResultsTable {
  readonly #style: Style
  readonly #rows: string[][] = []
  readonly #use = new WorkflowUse()
  readonly #charted: Readonly<Record<(typeof charted)[number]['figure'], number[]>> = {
    exec_time_seconds: [],
    cpu_seconds: [],
    peak_memory_bytes: [],
  }
  readonly #warnings: { readonly name: string; readonly text: string }[] = []

  constructor(style: Style) {
    this.#style = style
  }

  add(result: Result): void {
    this.#use.add(result.record)
    const row = resultJson(result)
    this.#rows.push(cells(row, this.#style))
    for (const { figure } of charted) this.#charted[figure].push(row[figure] ?? NaN)
    if (row.warning !== null) this.#warnings.push({ name: row.job_name, text: row.warning })
  }

  /** `none` is what to say where there are none, and `width` what the terminal has, if it goes to one. */
  *lines(none: string, width: number | null = null): Generator<string> {
    if (this.#rows.length === 0) {
      yield `${none}\n`
      return
    }
    const style = this.#style
    const { lines, leftOut } = fitTable(columns, this.#rows, fit, width)
    let isHeader = true
    for (const line of lines) {
      yield `${isHeader ? style.bold(line) : line}\n`
      isHeader = false
    }
    const below = [
      '',
      ...(leftOut.length === 0 ? [] : [style.dim(leftOutWords(leftOut)), '']),
      ...this.#charts(),
      style.dim(totals(this.#use)),
      ...warningLines(this.#warnings, style),
    ]
    yield `${below.join('\n')}\n`
  }

  /** The rows side by side, one character a row where they fit: which ones stand out is seen at once. */
  #charts(): string[] {
    if (this.#rows.length < 2) return []
    const lines = charted.map(({ label, figure }) => {
      const line = evenSparkline(new Float64Array(this.#charted[figure]), chartWidth)
      return line.trim() === '' ? '' : `${label.padEnd(12)}${this.#style.cyan(line)}`
    })
    return [...lines.filter((line) => line !== ''), '']
  }
}

function cells(row: ResultJson, style: Style): string[] {
  return [
    String(row.job_id),
    printable(row.job_name),
    String(row.run_id),
    String(row.attempt),
    statusText(row.status, style),
    orDash(row.return_code, String),
    usedCell(row, 'exec_time_seconds', formatSeconds),
    usedCell(row, 'cpu_seconds', formatSeconds),
    usedCell(row, 'peak_cpu_percent', percent),
    usedCell(row, 'avg_cpu_percent', percent),
    usedCell(row, 'peak_memory_bytes', tableBytes),
    usedCell(row, 'avg_memory_bytes', tableBytes),
  ]
}

type Used =
  | 'exec_time_seconds'
  | 'cpu_seconds'
  | 'peak_cpu_percent'
  | 'avg_cpu_percent'
  | 'peak_memory_bytes'
  | 'avg_memory_bytes'

const usedCell = (row: ResultJson, name: Used, format: (value: number) => string): string =>
  `${row.lower_bounds.includes(name) ? lowerBoundWords : ''}${orDash(row[name], format)}`

const percent = (value: number): string => fixedKeeping(value, 1)

/** Requests hold cores for as long as the job runs. What all used cannot be compared with what some requested. */
function heldText({ requestedCoreSeconds, requesting, attempts }: WorkflowUse): string {
  const whose = requesting === attempts ? 'requests' : `requests of ${formatCount(requesting)}`
  return `${coreHours(requestedCoreSeconds)} held by ${whose} (cores × time)`
}

function totals(use: WorkflowUse): string {
  const without = use.attempts - use.measured
  const parts = [
    count(use.attempts, 'result'),
    `${use.isLowerBound ? lowerBoundWords : ''}${coreHours(use.cpuSeconds)} core-hours used`,
    use.requestedCoreSeconds === 0 ? null : heldText(use),
    without === 0 ? null : `CPU time not measured for ${formatCount(without)}`,
  ]
  return parts.filter((part) => part !== null).join(' · ')
}
