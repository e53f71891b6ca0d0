import { inCores } from '../analysis/bound-by.ts'
import type { DerivedPoint } from '../analysis/rates.ts'
import type { JobRecord } from '../model/record.ts'
import { displayWidth, fitWidth, padEndWidth, wrapWords } from './display-width.ts'
import { formatBytes, formatPercent, formatSeconds } from './figures.ts'
import { count, stragglerText } from './job-facts.ts'
import { printable } from './printable.ts'
import { recordJson, type RecordJson } from './record-json.ts'
import { statusColour } from './record-words.ts'
import { cpuSparkline, memorySparkline } from './sparkline.ts'
import type { Style } from './style.ts'

const columns = 80
const labelWidth = 12
const textWidth = columns - labelWidth
const widestSparkline = 24
const narrowestSparkline = 6

/** What `jobmeter run` says when a job ends: one line for each thing worth knowing at once. */
export function runSummary(
  record: JobRecord,
  series: readonly DerivedPoint[],
  style: Style,
): string {
  const job = recordJson(record)
  const cpu = fitWidth(cpuLine(job), textWidth)
  const memory = fitWidth(memoryLine(job), textWidth)
  const longest = Math.max(displayWidth(cpu), displayWidth(memory))
  const room = Math.min(textWidth - longest - 2, widestSparkline)
  const withSparkline = (text: string, draw: typeof cpuSparkline): string => {
    const line = room < narrowestSparkline ? '' : draw(series, room)
    return line === '' ? text : `${padEndWidth(text, longest)}  ${style.cyan(line)}`
  }
  const lines: [string, string][] = [
    ['CPU', withSparkline(cpu, cpuSparkline)],
    ['Memory', withSparkline(memory, memorySparkline)],
    ['I/O', fitWidth(ioLine(job), textWidth)],
    ['Processes', fitWidth(processesLine(job), textWidth)],
    ['Left behind', style.yellow(fitWidth(stragglersLine(job), textWidth))],
    ['Bound by', wrapWords(job.bound_by.sentence, textWidth).join(`\n${' '.repeat(labelWidth)}`)],
    ['More', style.dim(`jobmeter show ${printable(job.task_id).slice(0, 12)}`)],
  ]
  const shown = lines
    .filter(([label]) => label !== 'Left behind' || job.stragglers.length > 0)
    .map(([label, text]) => style.dim(padEndWidth(label, labelWidth)) + text)
  return [headline(job, style), ...shown].join('\n') + '\n'
}

/** `✓ train.py  success in 12.4 s`, `✗ train.py  failed after 3.20 s: exited with code 3`. */
function headline(job: RecordJson, style: Style): string {
  const good = job.status === 'success'
  const paint = style[statusColour(job.status)]
  const time = job.duration_seconds
  const lasted = time === null ? '' : ` ${good ? 'in' : 'after'} ${formatSeconds(time)}`
  const why = job.error === null || job.error === job.status ? '' : `: ${printable(job.error)}`
  const name = fitWidth(printable(job.name), columns / 2)
  const rest = fitWidth(`${job.status}${lasted}${why}`, columns - displayWidth(name) - 4)
  const mark = good ? '✓' : job.status === 'unknown' ? '•' : '✗'
  return `${paint(mark)} ${style.bold(name)}  ${paint(rest)}`
}

function cpuLine({ usage, duration_seconds: seconds, cores, requirements }: RecordJson): string {
  const used = usage.cpu_total_seconds
  if (used === null) return 'not measured'
  const parts = [formatSeconds(used)]
  if (seconds !== null && seconds > 0) {
    const asked = requirements.cpus === null ? '' : ` (${requirements.cpus} requested)`
    parts.push(`${inCores(used / seconds)} of ${count(cores, 'core')}${asked}`)
  }
  if (usage.cpu_percent_peak !== null) parts.push(`peak ${formatPercent(usage.cpu_percent_peak)}`)
  return parts.join(' · ')
}

function memoryLine({ usage, requirements }: RecordJson): string {
  const peak = usage.memory_peak_bytes
  if (peak === null) return 'not measured'
  const asked = requirements.memory_bytes
  if (asked === null || !(asked > 0)) return `${formatBytes(peak)} peak`
  const share = formatPercent((100 * peak) / asked)
  return `${formatBytes(peak)} peak · ${share} of ${formatBytes(asked)} requested`
}

function ioLine({ usage }: RecordJson): string {
  const parts = [
    usage.read_bytes === null ? null : `${formatBytes(usage.read_bytes)} read`,
    usage.write_bytes === null ? null : `${formatBytes(usage.write_bytes)} written`,
    usage.io_pressure_seconds === null
      ? null
      : `waited ${formatSeconds(usage.io_pressure_seconds)} for it`,
  ]
  return joined(parts)
}

function processesLine({ usage }: RecordJson): string {
  const parts = [
    usage.processes_peak === null
      ? null
      : `${count(usage.processes_peak, 'process', 'processes')} at most`,
    usage.threads_peak === null ? null : count(usage.threads_peak, 'thread'),
    usage.processes_started === null ? null : `${usage.processes_started} started in all`,
  ]
  return joined(parts)
}

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ') || 'not measured'

function stragglersLine({ stragglers }: RecordJson): string {
  const [first, ...others] = stragglers.map(stragglerText)
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${fitWidth(first ?? '', textWidth - displayWidth(more))}${more}`
}
