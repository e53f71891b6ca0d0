import { count } from '../../model/count.ts'
import type { ReportData, ReportJob } from '../../render/page/report-content.ts'
import { briefSeconds } from '../../render/units/brief-figures.ts'
import { ticks } from '../../render/units/ticks.ts'
import { drawn, element } from '../dom.ts'
import { chart, label, shortenNames, timeLabels, uprights } from './chart.ts'
import { keepDrawn } from './keep-drawn.ts'
import { section } from './section.ts'
import { barsOf, type BarPlace } from './timeline-bars.ts'
import { indexUnder, tellOf } from './tip.ts'

/** Shows these jobs and no others. */
export type ShowOnly = (jobs: readonly ReportJob[]) => void

/** All jobs over time: waiting, running, the chain that decided how long it took. */
export function showTimeline(report: ReportData): ShowOnly {
  if (!hasTimeline(report)) return () => {}
  return drawTimeline(section('timeline', 'Timeline', timelineNote), report)
}

export const timelineNote =
  'Each line is a job, in the order in which they started. Grey is the time a job was ready to run but waited for room.'

/** One job, or none that took any time, needs no timeline. */
export const hasTimeline = ({ jobs, timeline }: ReportData): boolean =>
  jobs.length > 1 && timeline.seconds > 0

/** Draws the timeline in a place that is in the page. */
export function drawTimeline(place: HTMLElement, report: ReportData): ShowOnly {
  const { seconds } = report.timeline
  const axis = element('div', { class: 'axis' })
  const body = element('div', { class: 'gantt' })
  const lowerAxis = element('div', { class: 'axis' })
  place.append(timelineKey(report.jobs), axis, body, lowerAxis)
  const ran = report.jobs
    .filter((job) => job.bars.length > 0)
    .toSorted((a, b) => startOf(a) - startOf(b) || a.id - b.id)
  let shown: ReadonlySet<ReportJob> = new Set(ran)
  const redraw = keepDrawn(body, (width) => {
    const jobs = ran.filter((job) => shown.has(job))
    const frame = frameFor(jobs.length, width, seconds)
    axis.replaceChildren(times(frame))
    // Who has scrolled to the last of many jobs does not see the first axis any more.
    lowerAxis.hidden = frame.height < 500
    lowerAxis.replaceChildren(...(lowerAxis.hidden ? [] : [times(frame)]))
    const svg = timelineChart(jobs, report, frame)
    body.replaceChildren(svg)
    shortenNames(svg, frame.gutter - 16)
  })
  return (jobs) => {
    shown = new Set(jobs)
    redraw()
  }
}

const startOf = ({ bars: [first] }: ReportJob): number => first?.[0] ?? 0

function timelineKey(jobs: readonly ReportJob[]): HTMLElement {
  const critical = jobs.filter((job) => job.isCritical).length
  return element(
    'ul',
    { class: 'key' },
    element('li', { class: 'success' }, 'ran'),
    jobs.some(({ state }) => state === 'running')
      ? element('li', { class: 'running' }, 'runs now')
      : null,
    element('li', { class: 'failed' }, 'did not succeed'),
    element('li', { class: 'wait' }, 'waited'),
    element('li', { class: 'critical' }, `critical path: ${count(critical, 'job')}`),
  )
}

interface Frame extends BarPlace {
  readonly seconds: number
  /** How many marks of time have room. */
  readonly wanted: number
}

function frameFor(jobs: number, width: number, seconds: number): Frame {
  // Many jobs are drawn thinner, so that all of them are seen together; the search below the timeline makes them fewer.
  const line = jobs <= 40 ? 24 : jobs <= 110 ? 18 : Math.max(0.6, Math.min(13, 2000 / jobs))
  const isNamed = line >= 12
  const gutter = isNamed ? Math.min(220, Math.floor(width * 0.28)) : 8
  const room = width - gutter - 12
  return {
    width,
    // What is wider than its line needs room at both ends.
    height: Math.max(6, jobs * line),
    line,
    isNamed,
    gutter,
    x: (at) => gutter + (at / seconds) * room,
    leastWait: seconds / 2000,
    seconds,
    wanted: Math.max(3, Math.floor(room / 110)),
  }
}

const times = ({ width, seconds, wanted, x }: Frame): SVGSVGElement =>
  chart(
    width,
    22,
    `Time since the start, from 0 to ${briefSeconds(seconds)}`,
    ...timeLabels(seconds, wanted, x, width, 15),
  )

function timelineChart(
  jobs: readonly ReportJob[],
  { timeline }: ReportData,
  frame: Frame,
): SVGSVGElement {
  const { width, height, line, isNamed, x, seconds, wanted } = frame
  const bars = jobs.map((job, index) => ({ job, bar: barsOf(job, index, frame) }))
  const inFront = bars.toSorted((a, b) => Number(a.job.isCritical) - Number(b.job.isCritical))
  const svg = chart(
    width,
    height,
    `Timeline of ${jobs.length} jobs over ${briefSeconds(seconds)}; the table of jobs has the same times`,
    uprights(ticks(seconds, wanted, 60), x, height),
    ...inFront.map(({ bar }) => bar),
    ...breaksBetween(timeline.runs, frame),
  )
  tellOf(svg, (event) => {
    const job = jobs[indexUnder(event, 'job') ?? -1]
    return job && jobWords(job)
  })
  svg.classList.toggle('dense', line < 4)
  svg.classList.toggle('close', isNamed && line < 18)
  return svg
}

/** A run's name stands before its mark where it would be cut behind it; one that would run into the last is left out. */
function breaksBetween(
  runs: ReportData['timeline']['runs'],
  { width, height, gutter, x }: Frame,
): SVGGElement[] {
  let taken = gutter
  return runs.slice(1).map((run) => {
    const words = `run ${run.runId}`
    const wide = words.length * 8
    const at = x(run.at)
    const isBefore = at + 4 + wide > width
    const from = isBefore ? at - 4 - wide : at + 4
    const hasRoom = from >= taken
    if (hasRoom) taken = from + wide
    const name = label(at + (isBefore ? -4 : 4), 11, words, {
      'text-anchor': isBefore ? 'end' : 'start',
    })
    const mark = drawn('path', { d: `M${at.toFixed(1)} 0V${height}` })
    return drawn('g', { class: 'break' }, mark, ...(hasRoom ? [name] : []))
  })
}

function jobWords(job: ReportJob): string[] {
  const from = startOf(job)
  const waited = briefSeconds(from - (job.readyAt ?? from))
  return [
    job.name,
    `${job.state}${job.attempts > 1 ? `, ${job.attempts} attempts` : ''}`,
    `started after ${briefSeconds(from)}, waited ${waited}`,
    `ran ${job.use.runtime.text}`,
    ...(job.isCritical ? ['on the critical path'] : []),
    ...(job.boundBy === null ? [] : [job.boundBy]),
  ]
}
