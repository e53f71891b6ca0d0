import { count } from '../../model/count.ts'
import { fixedKeeping, formatBytes, formatSeconds, notMeasured, orDash } from '../units/figures.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'
import type { MarkedPartJson, MarkReportJson } from './marks-json.ts'

export const markHeaders = ['', 'From', 'To', 'Lasted', 'Steps', 'CPU', 'Memory Peak'] as const

/** More lines help nobody on a terminal; JSON has all of them. */
const mostRows = 100

/** A line for each epoch, then one for each phase. */
export const markRows = ({ epochs, phases }: MarkReportJson): string[][] => [
  ...epochs.slice(0, mostRows).map((part) => cells(`epoch ${part.label}`, part)),
  ...phases.slice(0, mostRows).map((part) => cells(printable(part.label), part)),
]

function cells(label: string, part: MarkedPartJson): string[] {
  const { first_step: first, last_step: last } = part
  return [
    part.times === 1 ? label : `${label} (${part.times} times)`,
    formatSeconds(part.from_seconds),
    formatSeconds(part.to_seconds),
    formatSeconds(part.duration_seconds),
    first === null || last === null
      ? notMeasured
      : first === last
        ? `${first}`
        : `${first}–${last}`,
    orDash(part.cpu_cores, (cores) => `${fixedKeeping(cores, 1)} cores`),
    orDash(part.memory_peak_bytes, formatBytes),
  ]
}

/** The same as lines for a terminal. */
export function markLines(report: MarkReportJson): string[] {
  const rows = markRows(report)
  const left =
    Math.max(0, report.epochs.length - mostRows) + Math.max(0, report.phases.length - mostRows)
  const layout = markHeaders.map((header, index) => ({
    header,
    align: index === 0 ? ('left' as const) : ('right' as const),
  }))
  return [
    count(report.count, 'mark'),
    ...(rows.length === 0 ? [] : table(layout, rows).split('\n')),
    ...(left === 0 ? [] : [`and ${left} more`]),
  ]
}
