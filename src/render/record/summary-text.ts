import { boundBy } from '../../analysis/job/bound-by.ts'
import { roughCores } from '../../model/rough-figures.ts'
import type { DerivedPoint } from '../../analysis/series/rates.ts'
import { errorText, type AttemptRecord } from '../../model/record.ts'
import { furtherFigures, type Usage, type UsageKey } from '../../model/usage.ts'
import { displayWidth, fitWidth, padEndWidth, wrapWords } from '../text/display-width.ts'
import { gpuFigure, type GpuKey } from '../../model/gpu-usage.ts'
import {
  formatBytes,
  formatCount,
  formatJoules,
  formatPercent,
  formatSeconds,
} from '../units/figures.ts'
import { count } from '../../model/count.ts'
import { stragglerText } from './job-facts.ts'
import { printable } from '../text/printable.ts'
import { durationBound, statusColour } from './record-words.ts'
import { cpuSparkline, memorySparkline } from '../text/sparkline.ts'
import type { Style } from '../text/style.ts'
import { atLeastWords, figureValue, usageFigure } from '../units/usage-figure.ts'

const columns = 80
const labelWidth = 12
const textWidth = columns - labelWidth
const widestSparkline = 24
const narrowestSparkline = 6
const nothingMeasured = 'not measured'

/** What stands before a line, and the line. */
export type SummaryLine = readonly [label: string, text: string]

/** What `jobmeter run` says when a job ends: one line for each thing worth knowing at once. */
export function runSummary(
  job: AttemptRecord,
  series: readonly DerivedPoint[],
  style: Style,
  further: readonly SummaryLine[] = [],
): string {
  const cpu = fitWidth(cpuLine(job), textWidth)
  const memory = fitWidth(memoryLine(job), textWidth)
  const longest = Math.max(displayWidth(cpu), displayWidth(memory))
  const room = Math.min(textWidth - longest - 2, widestSparkline)
  const withSparkline = (text: string, draw: typeof cpuSparkline): string => {
    // Samples may be those of a client whose container could not be measured.
    const hasRoom = room >= narrowestSparkline && text !== nothingMeasured
    const line = hasRoom ? draw(series, room) : ''
    return line === '' ? text : `${padEndWidth(text, longest)}  ${style.cyan(line)}`
  }
  const lines: [string, string][] = [
    ['CPU', withSparkline(cpu, cpuSparkline)],
    ['Memory', withSparkline(memory, memorySparkline)],
    ['I/O', fitWidth(ioLine(job), textWidth)],
    ['Processes', fitWidth(processesLine(job), textWidth)],
    ['GPU', fitWidth(gpuLine(job) ?? '', textWidth)],
    ...energyLines(job),
    ...further.map(([label, text]): [string, string] => [label, fitWidth(text, textWidth)]),
    ['Left behind', style.yellow(fitWidth(stragglersLine(job), textWidth))],
    ['Bound by', wrapWords(boundBy(job).sentence, textWidth).join(`\n${' '.repeat(labelWidth)}`)],
    ['More', style.dim(`jobmeter show ${printable(job.taskId).slice(0, 12)}`)],
  ]
  const shown = lines
    .filter(([label]) => label !== 'Left behind' || job.stragglers.length > 0)
    .filter(([label, text]) => label !== 'GPU' || text !== '')
    .map(([label, text]) => style.dim(padEndWidth(label, labelWidth)) + text)
  return [headline(job, style), ...shown].join('\n') + '\n'
}

/** `✓ train.py  success in 12.4 s`, `✗ train.py  failed after 3.20 s: exited with code 3`; a long reason on lines of its own. */
function headline(job: AttemptRecord, style: Style): string {
  const good = job.status === 'success'
  const paint = style[statusColour(job.status)]
  const time = job.durationSeconds
  const error = errorText(job)
  const lasted =
    time === null
      ? ''
      : ` ${good ? 'in' : 'after'} ${durationBound(job.status)}${formatSeconds(time)}`
  const why = error === null || error === job.status ? null : printable(error)
  const name = fitWidth(printable(job.name), columns / 2)
  const ended = `${job.status}${lasted}${why === null ? '' : ':'}`
  const mark = good ? '✓' : job.status === 'unknown' ? '•' : '✗'
  const head = `${paint(mark)} ${style.bold(name)}  ${paint(ended)}`
  if (why === null) return head
  const room = columns - 2
  if (2 + displayWidth(name) + displayWidth(ended) + 1 + displayWidth(why) <= room)
    return `${head} ${paint(why)}`
  const lines = wrapWords(why, room).map((line) => fitWidth(line, room))
  const [first = '', second, ...others] = lines
  const shown =
    second === undefined ? [first] : [first, others.length > 0 ? endingIn(second, room) : second]
  return [head, ...shown.map((line) => `  ${paint(line)}`)].join('\n')
}

/** `…` tells that there was more of it. */
const endingIn = (line: string, width: number): string => `${fitWidth(line, width - 1)}…`

function cpuLine({
  usage,
  durationSeconds: seconds,
  machine,
  requirements,
}: AttemptRecord): string {
  const used = usageFigure(usage, 'cpuTotalSeconds')
  if (used === null) return nothingMeasured
  const bound = atLeastWords(usage, 'cpuTotalSeconds')
  const parts = [`${bound}${formatSeconds(used)}`]
  if (seconds !== null && seconds > 0) {
    const asked = requirements.cpus === null ? '' : ` (${requirements.cpus} requested)`
    const busy = used / seconds
    const cores = bound === '' ? roughCores(busy) : `${bound}${busy.toFixed(1)}`
    // `at least under 0.1` would be no bound at all.
    if (bound === '' || busy >= 0.05)
      parts.push(`${cores} of ${count(machine.cores, 'core')}${asked}`)
  }
  const peak = usageFigure(usage, 'cpuPercentPeak')
  if (peak !== null)
    parts.push(`peak ${atLeastWords(usage, 'cpuPercentPeak')}${formatPercent(peak)}`)
  return parts.join(' · ')
}

function memoryLine({ usage, requirements }: AttemptRecord): string {
  const peak = usageFigure(usage, 'memoryPeakBytes')
  if (peak === null) return nothingMeasured
  const asked = requirements.memoryBytes
  const bound = atLeastWords(usage, 'memoryPeakBytes')
  const told = `${bound}${formatBytes(peak)} peak`
  if (asked === null || !(asked > 0)) return told
  const share = formatPercent((100 * peak) / asked)
  return `${told} · ${bound}${share} of ${formatBytes(asked)} requested`
}

function ioLine({ usage }: AttemptRecord): string {
  return joined([
    known(usage, 'readBytes', (bound, bytes) => `${bound}${formatBytes(bytes)} read`),
    known(usage, 'writeBytes', (bound, bytes) => `${bound}${formatBytes(bytes)} written`),
    known(
      usage,
      'ioPressureSeconds',
      (bound, seconds) => `waited ${bound}${formatSeconds(seconds)} for it`,
    ),
  ])
}

function processesLine({ usage }: AttemptRecord): string {
  return joined([
    known(usage, 'processesPeak', (bound, most) => {
      const processes = count(most, 'process', 'processes')
      return bound === '' ? `${processes} at most` : `${bound}${processes} at one time`
    }),
    known(usage, 'threadsPeak', (bound, most) => `${bound}${count(most, 'thread')}`),
    known(usage, 'processesStarted', (bound, started) => `${bound}${started} started in total`),
  ])
}

/** null where it had no card. */
function gpuLine({ usage }: AttemptRecord): string | null {
  const figure = (key: GpuKey): number | null => gpuFigure(usage, key)
  const cards = figure('gpuCards')
  if (!cards) return null
  const [mean, peak, memory, joules, untouched] = [
    figure('gpuUtilizationPercentMean'),
    figure('gpuUtilizationPercentPeak'),
    figure('gpuMemoryPeakBytes'),
    figure('gpuEnergyJoules'),
    figure('gpuCardsUntouched'),
  ]
  return joined([
    mean === null ? null : `${formatPercent(mean)} of ${count(cards, 'card')}`,
    peak === null ? null : `peak ${formatPercent(peak)}`,
    memory === null ? null : `${formatBytes(memory)} peak`,
    joules === null ? null : `${formatCount(Math.round(joules))} J`,
    untouched ? `${untouched} never used` : null,
  ])
}

/** Only where there is a counter of it. */
function energyLines({ usage }: AttemptRecord): [string, string][] {
  const [, energy] = furtherFigures(usage).find(([key]) => key === 'energyJoules') ?? []
  const joules = energy === undefined ? null : figureValue(energy, 'energyJoules')
  return joules === null
    ? []
    : [['Energy', `${formatJoules(joules)}, by its share of the CPU time`]]
}

/** The words of a figure, `bound` before what may have been more; null where there is none, and for "at least 0". */
function known(
  usage: Usage,
  key: UsageKey,
  say: (bound: string, figure: number) => string,
): string | null {
  const figure = usageFigure(usage, key)
  const bound = atLeastWords(usage, key)
  return figure === null || (figure === 0 && bound !== '') ? null : say(bound, figure)
}

const joined = (parts: readonly (string | null)[]): string =>
  parts.filter((part) => part !== null).join(' · ') || nothingMeasured

function stragglersLine({ stragglers }: AttemptRecord): string {
  const [first, ...others] = stragglers.map(stragglerText)
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${fitWidth(first ?? '', textWidth - displayWidth(more))}${more}`
}
