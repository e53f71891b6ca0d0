import { boundBy } from '../../analysis/job/bound-by.ts'
import { roughCores } from '../../model/rough-figures.ts'
import type { DerivedPoint } from '../../analysis/series/rates.ts'
import { saysEndedLeft } from '../../model/outcome.ts'
import { errorText, type AttemptRecord } from '../../model/record.ts'
import { containerCoresIn, furtherFigures, type Usage } from '../../model/usage.ts'
import { displayWidth, fitWidth, padEndWidth, wrapWords } from '../text/display-width.ts'
import { formatBytes, formatJoules, formatPercent, formatSeconds } from '../units/figures.ts'
import { count, countCores } from '../../model/count.ts'
import { gpuLine } from './gpu-line.ts'
import { stragglerText } from './job-facts.ts'
import { printable } from '../text/printable.ts'
import { inWords, joined, known, nothingMeasured, partsBetween } from './summary-words.ts'
import { statusColour } from './record-words.ts'
import { cpuSparkline, memorySparkline } from '../text/sparkline.ts'
import type { Style } from '../text/style.ts'
import { atLeastWords, durationBound, noneSeenWords, usageFigure } from '../units/usage-figure.ts'

const columns = 80
const labelWidth = 12
const textWidth = columns - labelWidth
const widestSparkline = 24
const narrowestSparkline = 6
const nextLine = `\n${' '.repeat(labelWidth)}`

/** What stands before a line, and the line. */
export type SummaryLine = readonly [label: string, text: string]

/** What `jobmeter run` says when a job ends: one line for each thing worth knowing at once. */
export function runSummary(
  job: AttemptRecord,
  series: readonly DerivedPoint[],
  style: Style,
  further: readonly SummaryLine[] = [],
): string {
  const cpu = partLines(cpuLine(job))
  const memory = partLines(memoryLine(job))
  const longest = Math.max(...[...cpu, ...memory].map(displayWidth))
  const room = Math.min(textWidth - longest - 2, widestSparkline)
  const withSparkline = (
    [text = '', ...rest]: readonly string[],
    draw: (series: readonly DerivedPoint[], width: number) => string,
  ): string => {
    // Samples may be those of a client whose container could not be measured.
    const hasRoom = room >= narrowestSparkline && text !== nothingMeasured
    const line = hasRoom ? draw(series, room) : ''
    const first = line === '' ? text : `${padEndWidth(text, longest)}  ${style.cyan(line)}`
    return [first, ...rest].join(nextLine)
  }
  const drawMemory = (points: readonly DerivedPoint[], width: number): string =>
    memorySparkline(points, width, job.usage.memoryPeakBytes.value ?? 0)
  const lines: [string, string][] = [
    ['CPU', withSparkline(cpu, cpuSparkline)],
    ['Memory', withSparkline(memory, drawMemory)],
    ['I/O', partLines(ioLine(job)).join(nextLine)],
    ['Processes', partLines(processesLine(job)).join(nextLine)],
    ['GPU', partLines(gpuLine(job) ?? '').join(nextLine)],
    ...energyLines(job),
    ...further.map(([label, text]): [string, string] => [label, partLines(text).join(nextLine)]),
    ['Left behind', style.yellow(fitWidth(stragglersLine(job), textWidth))],
    ...noteLines(job),
    ['Bound by', wrapWords(boundBy(job).sentence, textWidth).join(nextLine)],
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
    const { of, notes } = coresThere(usage, machine.cores, requirements.cpus)
    const busy = used / seconds
    const cores = bound === '' ? roughCores(busy) : `${bound}${busy.toFixed(1)}`
    // `at least under 0.1` would be no bound at all.
    if (bound === '' || busy >= 0.05) parts.push(`${cores} of ${of}${notes}`)
  }
  const peak = usageFigure(usage, 'cpuPercentPeak')
  if (peak !== null)
    parts.push(`peak ${atLeastWords(usage, 'cpuPercentPeak')}${formatPercent(peak)}`)
  return parts.join(partsBetween)
}

/** `2 cores (1 requested)`, or as many as its container may use. */
function coresThere(
  usage: Usage,
  machineCores: number,
  cpus: number | null,
): { readonly of: string; readonly notes: string } {
  const limit = containerCoresIn(usage)
  const isHeld = limit !== null && limit < machineCores
  const notes = [
    ...(isHeld ? ["the container's limit"] : []),
    ...(cpus === null ? [] : [`${cpus} requested`]),
  ]
  return {
    of: isHeld ? countCores(limit) : count(machineCores, 'core'),
    notes: notes.length === 0 ? '' : ` (${notes.join('; ')})`,
  }
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
  const moved = [
    known(usage, 'readBytes', (bound, bytes) => `${bound}${formatBytes(bytes)} read`),
    known(usage, 'writeBytes', (bound, bytes) => `${bound}${formatBytes(bytes)} written`),
  ]
  const isCounted = usage.readBytes.value !== null || usage.writeBytes.value !== null
  const noneSeen = isCounted && moved.every((part) => part === null)
  return joined([
    ...(noneSeen ? [noneSeenWords] : moved),
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

/** Only where there is a counter of it. */
function energyLines({ usage }: AttemptRecord): [string, string][] {
  const [, energy] = furtherFigures(usage).find(([key]) => key === 'energyJoules') ?? []
  const line = inWords(
    energy,
    'energyJoules',
    (bound, joules) => `${bound}${formatJoules(joules)}, by its share of the CPU time`,
  )
  return line === null ? [] : [['Energy', line]]
}

/** A line in as many as it takes: a figure that is cut off tells nothing. */
function partLines(text: string): string[] {
  const lines: string[] = []
  for (const part of text.split(partsBetween)) {
    const longer = [...lines.slice(-1), part].join(partsBetween)
    if (lines.length > 0 && displayWidth(longer) <= textWidth) lines[lines.length - 1] = longer
    else lines.push(...wrapWords(part, textWidth).map((line) => fitWidth(line, textWidth)))
  }
  return lines
}

/** What was ended for having been left, which a success does not say in its first line. */
const noteLines = ({ status, reason }: AttemptRecord): [string, string][] =>
  status === 'success' && saysEndedLeft(reason)
    ? [['Note', fitWidth(printable(reason), textWidth)]]
    : []

function stragglersLine({ stragglers }: AttemptRecord): string {
  const [first, ...others] = stragglers.map(stragglerText)
  const more = others.length === 0 ? '' : ` and ${others.length} more`
  return `${fitWidth(first ?? '', textWidth - displayWidth(more))}${more}`
}
