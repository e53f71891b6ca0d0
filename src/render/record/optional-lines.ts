import { busiestThread } from '../../analysis/job/busiest-thread.ts'
import { count } from '../../model/count.ts'
import type { Measured } from '../../model/measured.ts'
import { furtherFigures, type Usage } from '../../model/usage.ts'
import { formatBytes, formatPercent, formatSeconds } from '../units/figures.ts'
import { boundWords, figureValue, noneSeenWords } from '../units/usage-figure.ts'
import { printable } from '../text/printable.ts'
import type { SummaryLine } from './summary-text.ts'

type Figures = ReadonlyMap<string, Measured>

/** A line for each thing that is measured only where somebody asks for it, or where there is such a thing. */
export function optionalLines(usage: Usage): readonly SummaryLine[] {
  const figures = new Map(furtherFigures(usage))
  const lines: readonly (readonly [label: string, parts: readonly (string | null)[]])[] = [
    ['Network', networkParts(figures)],
    ['Thread', threadParts(usage, figures)],
    ['Container', containerParts(figures)],
  ]
  return lines.flatMap(([label, parts]): SummaryLine[] => {
    const told = parts.filter((part) => part !== null)
    return told.length === 0 ? [] : [[label, told.join(' · ')]]
  })
}

/** Of a container its own interfaces tell more than the sockets of its processes. */
function networkParts(figures: Figures): (string | null)[] {
  const counted = (...keys: readonly string[]): string | undefined =>
    keys.find((each) => (figures.get(each)?.value ?? null) !== null)
  const bytes = (key: string | undefined, verb: string): string | null =>
    key === undefined ? null : words(figures, key, (value) => `${formatBytes(value)} ${verb}`)
  const received = counted('containerNetReceivedBytes', 'netReceivedBytes')
  const sent = counted('containerNetSentBytes', 'netSentBytes')
  const parts = [bytes(received, 'received'), bytes(sent, 'sent')]
  const isCounted = received !== undefined || sent !== undefined
  return isCounted && parts.every((part) => part === null) ? [noneSeenWords] : parts
}

function threadParts(usage: Usage, figures: Figures): (string | null)[] {
  const thread = busiestThread(usage)
  return thread === undefined
    ? []
    : [
        words(
          figures,
          'busiestThreadPercent',
          (percent) =>
            `${formatPercent(percent)} of the time in the busiest, ${printable(thread.name)}`,
        ),
      ]
}

function containerParts(figures: Figures): (string | null)[] {
  // One that ran before ran for longer than the job, or the watching, that the summary is of.
  const ranBefore = (figures.get('containerStartupSeconds')?.value ?? null) === null
  return [
    words(figures, 'containerStartupSeconds', (seconds) => `started in ${formatSeconds(seconds)}`),
    words(
      figures,
      'containerRunSeconds',
      (seconds) => `ran ${formatSeconds(seconds)}${ranBefore ? ' in all' : ''}`,
    ),
    words(figures, 'containerThrottledPercent', (percent) =>
      percent === 0 ? null : `throttled in ${formatPercent(percent)} of periods`,
    ),
    words(figures, 'containerOomKills', (kills) =>
      kills === 0 ? null : `${count(kills, 'process', 'processes')} killed for memory`,
    ),
  ]
}

/** null where it was not measured. */
function words(
  figures: Figures,
  key: string,
  say: (value: number) => string | null,
): string | null {
  const figure = figures.get(key)
  const value = figure === undefined ? null : figureValue(figure, key)
  if (figure === undefined || value === null) return null
  const bound = boundWords(figure)
  // "at least 0" says nothing.
  const said = value === 0 && bound !== '' ? null : say(value)
  return said === null ? null : `${bound}${said}`
}
