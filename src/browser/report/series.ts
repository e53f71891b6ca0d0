import type { JobShape, ReportData, ReportJob } from '../../render/page/report-content.ts'
import type { ResourceUse } from '../../render/page/resource-figures.ts'
import {
  briefBytes,
  briefNumber,
  briefPercent,
  briefRate,
  briefSeconds,
} from '../../render/units/brief-figures.ts'
import { ticks, type TickBase } from '../../render/units/ticks.ts'
import { drawn, element } from '../dom.ts'
import { chart, highestOf, levels, lineThrough, timeLabels } from './chart.ts'
import { keepDrawn } from './keep-drawn.ts'
import { section } from './section.ts'
import { hideTip, showTip } from './tip.ts'

/** One figure over time. */
interface Series {
  readonly metric: Exclude<keyof JobShape, 'seconds'>
  readonly title: string
  readonly words: (value: number) => string
  readonly base: TickBase
  /** The job's own figure where it has one: samples may have missed its peak. */
  readonly recorded: (job: ReportJob) => Partial<ResourceUse>
}

const allSeries: readonly Series[] = [
  {
    metric: 'cpuPercent',
    title: 'CPU',
    words: briefPercent,
    base: 10,
    recorded: ({ use }) => use.cpu,
  },
  {
    metric: 'memoryBytes',
    title: 'Memory',
    words: briefBytes,
    base: 1024,
    recorded: ({ use }) => use.memory,
  },
  {
    metric: 'processes',
    title: 'Processes',
    words: (value) => briefNumber(Math.round(value)),
    base: 10,
    recorded: ({ processesPeak: text }) => (text === null ? {} : { text }),
  },
  {
    metric: 'readBytesPerSecond',
    title: 'Read',
    words: briefRate,
    base: 1024,
    recorded: () => ({}),
  },
  {
    metric: 'writeBytesPerSecond',
    title: 'Written',
    words: briefRate,
    base: 1024,
    recorded: () => ({}),
  },
]

/** One job over time, each resource in a chart of its own. */
export function showSeries({ kind, jobs: [job] }: ReportData): void {
  if (kind !== 'job' || !job?.shape) return
  const { shape } = job
  const place = section(
    'series',
    'Over time',
    'The highest value at each moment; the dashed line is what the job asked for.',
  )
  for (const series of allSeries) {
    const values = shape[series.metric]
    const peak = highestOf(values ?? [])
    // A line along zero says no more than the table does.
    if (values === null || peak === 0) continue
    const recorded = series.recorded(job)
    const told = peakWords(series, recorded, peak)
    const body = element('div', { class: `series ${series.metric}` })
    place.append(element('h3', {}, series.title, element('small', {}, told)), body)
    keepDrawn(body, (width) =>
      body.replaceChildren(
        seriesChart(series, values, {
          width,
          seconds: shape.seconds,
          most: Math.max(peak, recorded.request ?? 0) * 1.06,
          request: recorded.request ?? null,
          told,
        }),
      ),
    )
  }
}

function peakWords({ words }: Series, recorded: Partial<ResourceUse>, peak: number): string {
  const { text, used = null } = recorded
  if (text === undefined) return `up to ${words(peak)} between two samples`
  const differs = used !== null && Math.abs(peak - used) > 0.01 * used
  return `peak ${text}${differs ? `; samples show up to ${words(peak)}` : ''}`
}

interface Frame {
  readonly width: number
  readonly seconds: number
  /** The upper end of the scale. */
  readonly most: number
  readonly request: number | null
  readonly told: string
}

const [height, left, bottom] = [150, 64, 22] as const

function seriesChart(series: Series, values: readonly number[], frame: Frame): SVGSVGElement {
  const { metric, title, words, base } = series
  const { width, seconds, most, request, told } = frame
  const right = width - 8
  const room = right - left
  const last = values.length - 1
  const x = (index: number): number => left + (index / last) * room
  const y = (value: number): number => 6 + (1 - value / most) * (height - bottom - 6)
  const marks = ticks(most, 4, base).filter((at) => metric !== 'processes' || Number.isInteger(at))
  const line = lineThrough(values, x, y)
  const cursor = drawn('path', { class: 'cursor' })
  const wanted = Math.max(3, Math.floor(width / 130))
  const svg = chart(
    width,
    height,
    `${title} over ${briefSeconds(seconds)}, ${told}`,
    ...levels(marks, y, words, [left, right]),
    ...timeLabels(seconds, wanted, (at) => left + (at / seconds) * room, width, height - 5),
    drawn('path', { class: 'area', d: `${line}V${y(0)}H${left}Z` }),
    drawn('path', { class: 'line', d: line }),
    ...(request === null
      ? []
      : [drawn('path', { class: 'request', d: `M${left} ${y(request).toFixed(1)}H${right}` })]),
    cursor,
  )
  svg.addEventListener('pointermove', (event) => {
    const at = (event.clientX - svg.getBoundingClientRect().left - left) / room
    const index = Math.max(0, Math.min(last, Math.round(at * last)))
    cursor.setAttribute('d', `M${x(index).toFixed(1)} 6V${height - bottom}`)
    const after = briefSeconds((index / last) * seconds)
    showTip(event, [words(values[index] ?? 0), `after ${after}`])
  })
  svg.addEventListener('pointerleave', () => {
    cursor.removeAttribute('d')
    hideTip()
  })
  return svg
}
