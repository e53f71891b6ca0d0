/** Writes the dashboards of docs/grafana: `node tools/grafana.ts`. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { dashboardJson, type Dashboard } from './grafana/dashboard.ts'
import { job } from './grafana/job.ts'
import { node } from './grafana/node.ts'
import { user } from './grafana/user.ts'
import { workflow } from './grafana/workflow.ts'

export const dashboards: readonly Dashboard[] = [node, user, job, workflow]

export const dashboardFolder = join(import.meta.dirname, '../docs/grafana/dashboards')

export const dashboardText = (dashboard: Dashboard): string =>
  `${JSON.stringify(dashboardJson(dashboard), null, 2)}\n`

if (import.meta.main)
  for (const dashboard of dashboards)
    writeFileSync(join(dashboardFolder, `${dashboard.id}.json`), dashboardText(dashboard))
