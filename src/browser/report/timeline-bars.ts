import type { ReportJob } from '../../render/page/report-content.ts'
import { drawn } from '../dom.ts'
import { nameLabel } from './chart.ts'

/** Where the bars of a timeline go. */
export interface BarPlace {
  readonly width: number
  readonly height: number
  /** How high the line of a job is. */
  readonly line: number
  readonly isNamed: boolean
  /** The room for names to the left. */
  readonly gutter: number
  readonly x: (seconds: number) => number
  /** Less than this is no waiting to be seen. */
  readonly leastWait: number
}

/** One job: its name, the time it waited and each of its attempts. */
export function barsOf(job: ReportJob, index: number, place: BarPlace): SVGGElement {
  const { width, line, isNamed, gutter } = place
  const top = index * line
  const name = nameLabel(gutter - 10, top + line / 2, job.name, job.isCritical ? ' strong' : '')
  return drawn(
    'g',
    { 'data-job': index, 'data-id': job.id },
    drawn('rect', { class: 'row', x: 0, y: top, width, height: line }),
    ...waitBar(job, top, place),
    ...job.bars.map((bar) => attemptBar(bar, job.isCritical, top, place)),
    ...(isNamed ? [name] : []),
  )
}

/** How thick a bar is, and where it begins within its line. */
function barWithin(line: number, top: number): { thick: number; y: number } {
  const thick = line >= 18 ? line * 0.58 : line > 4 ? line * 0.8 : line
  return { thick, y: top + (line - thick) / 2 }
}

function waitBar({ bars: [first], readyAt }: ReportJob, top: number, place: BarPlace): Node[] {
  const { line, x, leastWait } = place
  if (first === undefined || readyAt === null || first[0] - readyAt <= leastWait) return []
  const { thick, y } = barWithin(line, top)
  const isThin = line <= 4
  return [
    drawn('rect', {
      class: 'wait',
      x: x(readyAt),
      y: isThin ? y : y + thick * 0.25,
      width: Math.max(1, x(first[0]) - x(readyAt)),
      height: isThin ? thick : thick * 0.5,
    }),
  ]
}

const endedWell: ReadonlySet<string> = new Set(['success', 'unknown'])

/** What matters is seen however many jobs there are. */
const leastHeights = { critical: 5, failed: 2, running: 2, ran: 1.2 } as const

function kindOf(status: string, isCritical: boolean): keyof typeof leastHeights {
  if (status === 'running') return 'running'
  if (!endedWell.has(status)) return 'failed'
  return isCritical ? 'critical' : 'ran'
}

function attemptBar(
  [from, to, status]: ReportJob['bars'][number],
  isCritical: boolean,
  top: number,
  { line, height, x }: BarPlace,
): SVGRectElement {
  const kind = kindOf(status, isCritical)
  const { thick, y } = barWithin(line, top)
  const high = Math.max(thick, leastHeights[kind])
  return drawn('rect', {
    class: kind,
    x: x(from),
    y: Math.max(0, Math.min(height - high, y + (thick - high) / 2)),
    width: Math.max(kind === 'ran' ? 1.5 : 3, x(to) - x(from)),
    height: high,
    rx: line >= 18 ? 2 : 0,
  })
}
