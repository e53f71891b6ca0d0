import { datasource, type Panel } from './panel.ts'

/** What a reader chooses at the top of a dashboard; several at once, or all. */
export interface Choice {
  readonly name: string
  readonly label: string
  /** `label_values(…)`. */
  readonly query: string
}

export interface Dashboard {
  /** Also the name of its file. */
  readonly id: string
  readonly title: string
  readonly says: string
  readonly choices: readonly Choice[]
  /** A row of the page has a title and panels that fill it from the left. */
  readonly rows: readonly { readonly title: string; readonly panels: readonly Panel[] }[]
}

const columns = 24

/** As Grafana imports it. */
export const dashboardJson = (dashboard: Dashboard): object => ({
  uid: dashboard.id,
  title: dashboard.title,
  description: dashboard.says,
  tags: ['jobmeter'],
  schemaVersion: 39,
  version: 1,
  editable: true,
  graphTooltip: 1,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  timepicker: {},
  links: [
    {
      type: 'dashboards',
      title: 'jobmeter',
      tags: ['jobmeter'],
      asDropdown: false,
      includeVars: true,
      keepTime: true,
    },
  ],
  annotations: { list: [] },
  templating: { list: [sourceVariable, ...dashboard.choices.map(variable)] },
  panels: placed(dashboard.rows),
})

const sourceVariable = {
  name: 'datasource',
  label: 'Prometheus',
  type: 'datasource',
  query: 'prometheus',
  current: {},
  hide: 0,
}

const variable = ({ name, label, query }: Choice) => ({
  name,
  label,
  type: 'query',
  datasource,
  definition: query,
  query: { query, refId: `variable-${name}` },
  refresh: 2,
  sort: 1,
  multi: true,
  includeAll: true,
  allValue: '.*',
  current: { selected: true, text: ['All'], value: ['$__all'] },
})

function placed(rows: Dashboard['rows']): object[] {
  const panels: object[] = []
  let y = 0
  for (const { title, panels: inRow } of rows) {
    panels.push({
      id: panels.length + 1,
      type: 'row',
      title,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: columns, h: 1 },
    })
    y += 1
    let x = 0
    let tallest = 0
    for (const { width, height, ...panel } of inRow) {
      if (x + width > columns) {
        y += tallest
        x = 0
        tallest = 0
      }
      panels.push({ id: panels.length + 1, ...panel, gridPos: { x, y, w: width, h: height } })
      x += width
      tallest = Math.max(tallest, height)
    }
    y += tallest
  }
  return panels
}
