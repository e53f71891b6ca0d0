import type { ReportJob } from '../../render/page/report-content.ts'
import type { ReportResource } from '../../render/page/report-resources.ts'
import type { ResourceUse } from '../../render/page/resource-figures.ts'
import { briefSeconds } from '../../render/units/brief-figures.ts'
import { formatCount, notMeasured, orDash } from '../../render/units/figures.ts'
import { drawn, element } from '../dom.ts'
import { highestOf, lineThrough } from './chart.ts'
import type { SortKey } from './job-order.ts'
import { badge, shareCell } from './table-parts.ts'

export interface JobColumn {
  readonly title: string
  readonly kind: '' | 'figure' | 'job' | 'shape'
  /** By what it is sorted; what has none is not. */
  readonly key?: SortKey
  /** The way that is most asked for: figures from the highest, names from the first. */
  readonly firstDirection?: 1
  readonly isName?: true
  readonly cell: (job: ReportJob) => Node | string
  /** What is told of the cell when it is pointed at. */
  readonly hint?: (job: ReportJob) => string | null
}

export const jobTableColumns = (jobs: readonly ReportJob[]): JobColumn[] => [
  {
    title: 'ID',
    kind: 'figure',
    key: ({ id }) => id,
    firstDirection: 1,
    cell: ({ id }) => formatCount(id),
  },
  {
    title: 'Job',
    kind: 'job',
    key: ({ name }) => name,
    firstDirection: 1,
    isName: true,
    cell: nameCell,
  },
  {
    title: 'State',
    kind: '',
    key: ({ state }) => state,
    firstDirection: 1,
    cell: stateCell,
    hint: ({ reason }) => reason,
  },
  {
    title: 'Tries',
    kind: 'figure',
    key: ({ attempts }) => attempts,
    cell: ({ attempts }) => formatCount(attempts),
  },
  {
    title: 'Waited',
    kind: 'figure',
    key: waitedSeconds,
    cell: (job) => orDash(waitedSeconds(job), briefSeconds),
  },
  {
    title: 'Runtime',
    kind: 'figure',
    key: ({ use }) => use.runtime.used,
    cell: ({ use }) => use.runtime.text,
  },
  shareColumn('runtime'),
  peakColumn('Memory peak', 'memory'),
  shareColumn('memory'),
  peakColumn('CPU peak', 'cpu'),
  {
    title: 'CPU mean',
    kind: 'figure',
    key: ({ use }) => use.cpu.meanUsed,
    cell: ({ use }) => use.cpu.mean ?? notMeasured,
  },
  shareColumn('cpu'),
  ...(jobs.some(({ shape }) => shape !== null)
    ? [shapeColumn('Memory', 'memoryBytes'), shapeColumn('CPU', 'cpuPercent')]
    : []),
]

const waitedSeconds = ({ bars: [first], readyAt }: ReportJob): number | null =>
  first === undefined || readyAt === null ? null : first[0] - readyAt

function nameCell({ name, group, boundBy }: ReportJob): HTMLElement {
  const small = element('small', {}, group === null || group === name ? '' : group)
  return element('span', { title: boundBy }, name, small)
}

const stateCell = ({ state, warning }: ReportJob): HTMLElement =>
  warning === null ? badge(state) : element('span', { class: 'badge warned' }, `${state} ⚠`)

function shareColumn(resource: ReportResource): JobColumn {
  return {
    title: 'of request',
    kind: 'figure',
    key: ({ use }) => use[resource].share,
    cell: ({ use }) => shareCell(use[resource]),
  }
}

function peakColumn(title: string, resource: ReportResource): JobColumn {
  return {
    title,
    kind: 'figure',
    key: ({ use }) => use[resource].used,
    cell: ({ use }) => figureCell(use[resource]),
  }
}

/** Why a figure is missing is long; the cell says that it is, and the rest when it is pointed at. */
const figureCell = ({ used, text }: ResourceUse): Node | string =>
  used === null ? element('span', { class: 'quiet', title: text }, 'not measured') : text

function shapeColumn(title: string, metric: 'memoryBytes' | 'cpuPercent'): JobColumn {
  return {
    title,
    kind: 'shape',
    cell: ({ name, shape }) => spark(shape?.[metric] ?? [], `${title} of ${name} over time`),
  }
}

function spark(values: readonly number[], words: string): Node {
  if (values.length < 2) return element('span', { class: 'quiet' }, notMeasured)
  const most = highestOf(values) || 1
  const x = (index: number): number => (index / (values.length - 1)) * 60
  const y = (value: number): number => 17 - (value / most) * 16
  const d = lineThrough(values, x, y)
  const size = { viewBox: '0 0 60 18', width: 60, height: 18 }
  const said = { role: 'img', 'aria-label': words, class: 'spark' }
  return drawn('svg', { ...size, ...said }, drawn('path', { d }))
}
