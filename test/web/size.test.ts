import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { chromiumMissing } from '../browser/chromium.ts'
import { repository } from '../workloads/compile.ts'
import { useDashboard } from './dashboard.ts'

const mostBytes = 120 * 1024

describe.skipIf(chromiumMissing)('what the dashboard loads', () => {
  let taskId: string
  const dashboard = useDashboard(async (box) => {
    taskId = (await box.run(['--', 'sleep', '0.3'])).record.task_id
  })

  it.each(['/', '/jobs', 'a job'])('%s is under 120 KB compressed', async (path) => {
    const context = await dashboard.browser.newContext()
    const loaded = new Set<string>()
    context.on('request', (request) => {
      const { pathname } = new URL(request.url())
      if (!pathname.startsWith('/api/'))
        loaded.add(pathname.includes('.') ? pathname : '/index.html')
    })
    const page = await context.newPage()
    await page.goto(dashboard.served.address)
    await page.goto(`${dashboard.served.origin}${path === 'a job' ? `/jobs/${taskId}` : path}`)
    await page.locator('main h1').waitFor()
    const bytes = [...loaded].map(
      (name) => gzipSync(readFileSync(join(repository, 'dist/web', name)), { level: 9 }).length,
    )
    expect(loaded.size).toBeGreaterThan(3)
    expect(bytes.reduce((sum, each) => sum + each, 0)).toBeLessThan(mostBytes)
    await context.close()
  })
})
