import type { EvenSeries } from '../../../analysis/series/even-series.ts'
import { maximum } from '../../../analysis/statistics/statistics.ts'
import { shortTaskId } from '../../../model/short-task-id.ts'
import { padEndWidth, wrapWords } from '../../text/display-width.ts'
import { fixedKeeping, formatBytes, formatSeconds } from '../../units/figures.ts'
import { markLines } from '../../marks/marks-rows.ts'
import type { JobReportJson } from './facts.ts'
import { efficiencyRows, endsRows, noAdvice, phaseRows, timelineNote } from './rows.ts'
import { printable } from '../../text/printable.ts'
import { statusText } from '../../record/record-words.ts'
import { durationBound } from '../../units/usage-figure.ts'
import { evenSparkline } from '../../text/sparkline.ts'
import type { Style } from '../../text/style.ts'
import { table } from '../../text/table.ts'

const columns = 80
const labelWidth = 12
const sparklineWidth = 48

/** What happened with a job, for a terminal. */
export function jobReportText(
  report: JobReportJson,
  series: EvenSeries | null,
  style: Style,
  nextTime: readonly string[] = [],
): string {
  const lasted = report.duration_seconds
  const head = [
    `${style.bold(printable(report.name))}  ${style.cyan(shortTaskId(printable(report.task_id), 12))}`,
    statusText(report.status, style) +
      (lasted === null ? '' : ` in ${durationBound(report.status)}${formatSeconds(lasted)}`),
  ].join('  ')
  const sections: [string, string[]][] = [
    ['Timeline', [...sparklines(series, style), ...timeline(report)]],
    ...(report.marks === undefined
      ? []
      : [['Marks', markLines(report.marks)] satisfies [string, string[]]]),
    ['What held it back', wrapWords(printable(report.bound_by.sentence), columns - 2)],
    ['Memory', wrapWords(printable(report.memory.says), columns - 2)],
    ['Used of what it had', labelled(efficiencyRows(report))],
    ['To do', toDo(report)],
    ...(nextTime.length === 0
      ? []
      : [
          ['Next time', nextTime.flatMap((line) => wrapWords(line, columns - 2))] satisfies [
            string,
            string[],
          ],
        ]),
  ]
  const shown = sections.map(([title, lines]) =>
    [style.bold(title), ...lines.map((line) => `  ${line}`)].join('\n'),
  )
  const why = report.error
  const ended = why === null ? [] : wrapWords(printable(why), columns - 2)
  const opening = [head, ...ended.map((line) => `  ${line}`)].join('\n')
  return `${[opening, ...shown].join('\n\n')}\n`
}

/** CPU, memory and I/O over time, each a line of blocks with its highest. */
export function sparklines(series: EvenSeries | null, style: Style): string[] {
  if (series === null) return []
  const { cpuCores, memoryBytes, readBytesPerSecond: read, writeBytesPerSecond: write } = series
  const moved = read === null || write === null ? null : read.map((at, i) => at + (write[i] ?? 0))
  const most = (values: Float64Array | null): number => maximum(values ?? []) ?? 0
  const line = (label: string, values: Float64Array | null, top: string, leastTop = 0): string[] =>
    values === null || !(most(values) > 0)
      ? []
      : [
          padEndWidth(label, labelWidth) +
            style.cyan(
              padEndWidth(evenSparkline(values, sparklineWidth, leastTop), sparklineWidth),
            ) +
            `  ${top}`,
        ]
  return [
    ...line('CPU', cpuCores, `up to ${fixedKeeping(most(cpuCores), 1)} cores`, 1),
    ...line('Memory', memoryBytes, `up to ${formatBytes(most(memoryBytes))}`),
    ...line('I/O', moved, `up to ${formatBytes(most(moved))}/s`),
  ]
}

function timeline(report: JobReportJson): string[] {
  const note = timelineNote(report)
  const phases = phaseRows(report)
  const layout = [
    { header: '', align: 'right' },
    { header: '', align: 'left' },
  ] as const
  return [
    ...(phases.length === 0 ? [] : table(layout, phases).split('\n')),
    ...(note === null ? [] : wrapWords(note, columns - 2)),
    ...labelled(endsRows(report)),
  ]
}

const labelled = (rows: readonly (readonly [string, string])[]): string[] =>
  rows.flatMap(([label, text]) =>
    wrapWords(printable(text), columns - 2 - labelWidth).map(
      (line, index) => padEndWidth(index === 0 ? label : '', labelWidth) + line,
    ),
  )

function toDo(report: JobReportJson): string[] {
  const { advice } = report
  if (advice.length === 0) return [noAdvice(report)]
  return advice.flatMap(({ says }, index) =>
    wrapWords(says, columns - 5).map((line, at) => `${at === 0 ? `${index + 1}.` : '  '} ${line}`),
  )
}
