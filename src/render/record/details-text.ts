import type { MarkReport } from '../../analysis/series/marked.ts'
import type { Measured } from '../../model/measured.ts'
import type { JobRecord } from '../../model/record.ts'
import type { Usage, UsageKey } from '../../model/usage.ts'
import { markReportJson } from '../marks/marks-json.ts'
import { markLines } from '../marks/marks-rows.ts'
import { wrapWords } from '../text/display-width.ts'
import { historyBytes, historySeconds, notMeasured, orDash, orReason } from '../units/figures.ts'
import { jobFacts } from './job-facts.ts'
import { printable } from '../text/printable.ts'
import { recordJson, type RecordJson } from './record-json.ts'
import { optionalLines } from './optional-lines.ts'
import { statusText } from './record-words.ts'
import { startText } from './start-text.ts'
import type { Style } from '../text/style.ts'
import { table } from '../text/table.ts'
import { atLeastWords, boundWords, durationBound, figureValue } from '../units/usage-figure.ts'
import { formatUsage, groupsOf } from '../units/usage-labels.ts'
import { isoTime, type Zone } from '../units/zoned-time.ts'

const columns = 80

/** Everything known of one job: the documented sections first, then ours. */
export function detailsText(
  record: JobRecord,
  style: Style,
  zone: Zone,
  marks: MarkReport | null = null,
): string {
  const job = recordJson(record)
  const sections: [string, string[]][] = [
    ['Basic Information', basicInformation(job, style)],
    ['Timing', timing(record, zone)],
    ['Parameters', parameters(job)],
    [
      'Resource Usage',
      [
        ...resourceUsage(job, record.usage),
        ...optionalLines(record.usage).map(([label, text]) => `${label}: ${text}`),
      ],
    ],
    ['Marks', marks === null ? [] : markLines(markReportJson(marks))],
    ['Error', job.error === null ? [] : wrapWords(printable(job.error), columns - 2)],
    ['Bound By', wrapWords(job.bound_by.sentence, columns - 2)],
    ['Job', jobFacts(job)],
    ...groupsOf([record.usage]).map(([group, labels]): [string, string[]] => [
      `Usage, ${group}`,
      usageLines(labels, record.usage),
    ]),
    ['How Measured', grouped(job.basis)],
    ['Not Measured', grouped(job.unmeasured)],
  ]
  const shown = sections
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [style.bold(`${title}:`), ...lines.map((line) => `  ${line}`)])
  const title = `${style.bold('Job Details:')} ${style.cyan(printable(job.task_id))}`
  return [[title], ...shown].map((lines) => lines.join('\n')).join('\n\n') + '\n'
}

function basicInformation(job: RecordJson, style: Style): string[] {
  return [
    `Tool: ${printable(job.tool)}`,
    `Script: ${job.script === null ? notMeasured : printable(job.script)}`,
    `Status: ${statusText(job.status, style)}`,
    `Return Code: ${orDash(job.returncode, String)}`,
  ]
}

function timing(record: JobRecord, zone: Zone): string[] {
  const { endedAt, durationSeconds, status } = record
  return [
    `Started: ${startText(record, zone)}`,
    `Ended: ${endedAt === null ? notMeasured : isoTime(endedAt, zone)}`,
    `Duration: ${orDash(durationSeconds, (seconds) => durationBound(status) + historySeconds(seconds))}`,
  ]
}

/** JSON.stringify leaves C1 controls and direction marks as they are, so each line is made safe. */
function parameters(job: RecordJson): string[] {
  return JSON.stringify(job.params, null, 2).split('\n').map(printable)
}

function resourceUsage({ resource_usage: used }: RecordJson, usage: Usage): string[] {
  const told = (value: number | null, key: UsageKey, format: (value: number) => string) =>
    printable(`${atLeastWords(usage, key)}${orReason(value, usage[key], format)}`)
  const seconds = (value: number | null, key: UsageKey) => told(value, key, historySeconds)
  return [
    `CPU User Time: ${seconds(used.cpu_user_seconds, 'cpuUserSeconds')}`,
    `CPU System Time: ${seconds(used.cpu_system_seconds, 'cpuSystemSeconds')}`,
    `CPU Total Time: ${seconds(used.cpu_total_seconds, 'cpuTotalSeconds')}`,
    `Memory Peak: ${told(usage.memoryPeakBytes.value, 'memoryPeakBytes', historyBytes)}`,
  ]
}

/** Only what was measured; the rest stands under "Not Measured" with its reason. */
function usageLines(
  labels: Readonly<Record<string, string>>,
  figures: Readonly<Record<string, Measured>>,
): string[] {
  const rows: string[][] = []
  for (const [key, label] of Object.entries(labels)) {
    const figure = figures[key]
    const value = figure === undefined ? null : figureValue(figure, key)
    if (figure !== undefined && value !== null)
      rows.push([label, `${boundWords(figure)}${formatUsage(key, value)}`])
  }
  if (rows.length === 0) return []
  const layout = [
    { header: '', align: 'left' },
    { header: '', align: 'right' },
  ] as const
  return table(layout, rows).split('\n')
}

/** The figures that share one basis or one reason, together: most of them do. */
function grouped(texts: Readonly<Record<string, string>>): string[] {
  const byText = new Map<string, string[]>()
  for (const [key, text] of Object.entries(texts)) {
    byText.set(text, [...(byText.get(text) ?? []), key])
  }
  return [...byText].flatMap(([text, keys]) => [
    `${printable(text)}:`,
    ...wrapWords(keys.join(', '), columns - 4).map((line) => `  ${line}`),
  ])
}
