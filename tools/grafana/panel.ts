/** A panel without its place: the width is in 24ths of the page. */
export interface Panel {
  readonly title: string
  readonly type: 'stat' | 'timeseries' | 'table'
  readonly width: number
  readonly height: number
  readonly [more: string]: unknown
}

/** A query of a panel, and what its lines are called. */
export interface Query {
  readonly expr: string
  readonly legend?: string
}

interface Look {
  readonly title: string
  readonly says: string
  /** As Grafana calls units: `bytes`, `percentunit`, `s`. */
  readonly unit: string
  readonly width?: number
}

export const datasource = { type: 'prometheus', uid: '${datasource}' } as const

const target = ({ expr, legend }: Query, at: number, kind: 'instant' | 'range') => ({
  refId: String.fromCodePoint(65 + at),
  datasource,
  expr,
  legendFormat: legend ?? '__auto',
  instant: kind === 'instant',
  range: kind === 'range',
  editorMode: 'code',
})

/** From when on a figure is a reason to look closer, and from when on to act. */
export interface Limits {
  readonly warn: number
  readonly act: number
}

const thresholds = (limits: Limits | undefined) => ({
  mode: 'absolute',
  steps: [
    { color: limits === undefined ? 'blue' : 'green', value: null },
    ...(limits === undefined
      ? []
      : [
          { color: 'orange', value: limits.warn },
          { color: 'red', value: limits.act },
        ]),
  ],
})

/** One large number, with its course behind it. */
export const stat = (
  { title, says, unit, width = 4 }: Look,
  query: Query,
  limits?: Limits,
): Panel => ({
  title,
  description: says,
  type: 'stat',
  width,
  height: 4,
  datasource,
  targets: [target(query, 0, 'range')],
  fieldConfig: {
    defaults: { unit, thresholds: thresholds(limits), color: { mode: 'thresholds' }, min: 0 },
    overrides: [],
  },
  options: {
    reduceOptions: { calcs: ['lastNotNull'], fields: '', values: false },
    colorMode: limits === undefined ? 'none' : 'value',
    graphMode: 'area',
    textMode: 'value',
    justifyMode: 'auto',
  },
})

/** Lines over time; stacked where they are parts of a whole. */
export const lines = (
  { title, says, unit, width = 12 }: Look,
  queries: readonly Query[],
  { stack = false, dashed }: { readonly stack?: boolean; readonly dashed?: string } = {},
): Panel => ({
  title,
  description: says,
  type: 'timeseries',
  width,
  height: 8,
  datasource,
  targets: queries.map((query, at) => target(query, at, 'range')),
  fieldConfig: {
    defaults: {
      unit,
      min: 0,
      color: { mode: 'palette-classic' },
      custom: {
        drawStyle: 'line',
        lineWidth: 1,
        fillOpacity: stack ? 30 : 8,
        showPoints: 'never',
        spanNulls: false,
        stacking: { mode: stack ? 'normal' : 'none', group: 'A' },
      },
    },
    // What was asked for is a line above what was used, and not one of its parts.
    overrides:
      dashed === undefined
        ? []
        : [
            {
              matcher: { id: 'byRegexp', options: dashed },
              properties: [
                { id: 'custom.lineStyle', value: { fill: 'dash', dash: [8, 6] } },
                { id: 'custom.fillOpacity', value: 0 },
                { id: 'custom.stacking', value: { mode: 'none', group: 'B' } },
              ],
            },
          ],
  },
  options: {
    legend: { displayMode: 'table', placement: 'bottom', calcs: ['mean', 'max', 'lastNotNull'] },
    tooltip: { mode: 'multi', sort: 'desc' },
  },
})

/** A column of a table: its name, its unit and, where it leads somewhere, the link. */
export interface Column extends Query {
  readonly title: string
  readonly unit: string
}

export interface TableLink {
  readonly label: string
  readonly title: string
  readonly url: string
}

/** Rows by labels, a column for each query. */
export const table = (
  { title, says, width = 24 }: Omit<Look, 'unit'>,
  labels: readonly string[],
  columns: readonly Column[],
  links: readonly TableLink[] = [],
): Panel => ({
  title,
  description: says,
  type: 'table',
  width,
  height: 9,
  datasource,
  targets: columns.map((column, at) => ({ ...target(column, at, 'instant'), format: 'table' })),
  transformations: [
    { id: 'merge', options: {} },
    {
      id: 'organize',
      options: {
        excludeByName: { Time: true },
        indexByName: Object.fromEntries(
          [...labels, ...columns.map((_, at) => valueName(at, columns.length))].map((name, at) => [
            name,
            at,
          ]),
        ),
        renameByName: Object.fromEntries(
          columns.map((column, at) => [valueName(at, columns.length), column.title]),
        ),
      },
    },
  ],
  fieldConfig: {
    defaults: { custom: { align: 'auto', filterable: true } },
    overrides: [
      ...columns.map((column) => ({
        matcher: { id: 'byName', options: column.title },
        properties: [{ id: 'unit', value: column.unit }],
      })),
      ...links.map(({ label, title: says2, url }) => ({
        matcher: { id: 'byName', options: label },
        properties: [{ id: 'links', value: [{ title: says2, url }] }],
      })),
    ],
  },
  options: { showHeader: true, cellHeight: 'sm', footer: { show: false } },
})

/** What Grafana calls the value of a query in a merged table. */
const valueName = (at: number, of: number): string =>
  of === 1 ? 'Value' : `Value #${String.fromCodePoint(65 + at)}`
