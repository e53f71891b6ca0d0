/**
 * Draws the page of a workflow of 1,000 jobs in Chromium, closed and with all its jobs, and prints how long scripts ran for
 * it, with its ratio to the limit of a second.
 */
import { writeFileSync } from 'node:fs'
import type { CDPSession } from 'playwright-core'
import { startChromium } from '../test/browser/chromium.ts'
import { sandbox } from '../test/program.ts'
import { openDashboard, serve } from '../test/web/served.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const limitSeconds = 1

const many = `name: many
jobs:
  - { name: begin, command: "true" }
  - { name: "part_{i:03d}", command: "true", parameters: { i: "1:998" }, depends_on: [begin] }
  - { name: end, command: "true", depends_on_regexes: ["^part_"] }
`

async function scriptSeconds(session: CDPSession): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  return metrics.find(({ name }) => name === 'ScriptDuration')?.value ?? Number.NaN
}

using box = sandbox()
writeFileSync(box.path('many.yaml'), many)
await box.jobmeter(['run', '--quiet', box.path('many.yaml')])
const served = await serve(box)
const browser = await startChromium()
const { page, context } = await openDashboard(browser, served, '/jobs')
const session = await context.newCDPSession(page)
await session.send('Performance.enable')

const parts = ['graph', 'graph, all jobs', 'jobs', 'timeline'] as const
const paths = ['?', '?open=1', '?tab=jobs', '?tab=timeline']
const shown = ['.graph-box', '.graph-job.mark >> nth=997', '.workflow-jobs tbody tr', '.gantt svg']
const seconds: number[] = []
for (const [index, path] of paths.entries()) {
  await page.goto(`${served.origin}/workflows/1${path}`)
  await page
    .locator(shown[index] ?? '')
    .first()
    .waitFor()
  seconds.push(await scriptSeconds(session))
}
await browser.close()
served.running.signal('SIGTERM')
await served.running.ended

printTable([
  ['part', 'script (s)', 'of the limit'],
  ...parts.map((part, index) => {
    const took = seconds[index] ?? Number.NaN
    return [part, rounded(took), rounded(took / limitSeconds)]
  }),
])
for (const [index, part] of parts.entries())
  verdict(`${part}: script`, seconds[index] ?? Number.NaN, limitSeconds, ' s')
