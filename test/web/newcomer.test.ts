import { mkdirSync, writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chromiumMissing } from '../browser/chromium.ts'
import { useDashboard } from './dashboard.ts'
import { expectQuiet, layoutProblems } from './served.ts'

/** What somebody meets who sees the dashboard for the first time. */
describe.skipIf(chromiumMissing)('the dashboard to a newcomer', () => {
  let taskId: string
  const dashboard = useDashboard(async (box) => {
    taskId = (await box.run(['--name', 'train', '--', 'sleep', '0.3'])).record.task_id
    await box.run(['--name', 'fails', '--', 'sh', '-c', 'exit 7'])
  })

  it('says that a peak is a peak, and never that it is the most there can have been', async () => {
    const watched = await dashboard.open('/')
    const line = watched.page.locator('#ended li', { hasText: 'train' })
    await line.waitFor()
    await expect.poll(() => line.textContent()).toMatch(/peak (≥ )?\d/)
    await expect.poll(() => line.textContent()).not.toContain('at most')
    await expectQuiet(watched)
  })

  it('names jobs in windows of any width', async () => {
    const watched = await dashboard.openApart('/alerts')
    const { page } = watched
    await page.route(/\/api\/v1\/jobs\?/, async (route) => {
      const response = await route.fetch()
      const answer = (await response.json()) as { jobs: { task_id: string }[] }
      const jobs = Array.from({ length: 200 }, (_, index) => ({
        ...answer.jobs[0],
        task_id: String(index).padStart(32, '0'),
      }))
      await route.fulfill({ response, json: { ...answer, jobs, next: null } })
    })
    await page.goto(`${dashboard.served.origin}/jobs`)
    const first = page.locator('.name-cell a').first()
    await first.waitFor()
    for (const width of [720, 768, 800, 830, 900, 1000]) {
      await page.setViewportSize({ width, height: 900 })
      const seen = `in a window of ${width} pixels`
      const nameWidth = async () => (await first.boundingBox())?.width
      await expect.poll(nameWidth, { message: seen }).toBeGreaterThan(120)
      await expect.poll(() => layoutProblems(page), { message: seen }).toEqual([])
    }
    await expectQuiet(watched)
  })

  it('says that nothing is watched where no alerts are set up', async () => {
    const watched = await dashboard.open('/alerts')
    const { page } = watched
    await page.getByText('No alerts are set up').waitFor()
    await expect.poll(() => page.locator('main').textContent()).not.toContain('Nothing is wrong')
    await page.goto(`${dashboard.served.origin}/`)
    await page.getByText('No alerts are set up').waitFor()
    await expect.poll(() => page.locator('main').textContent()).not.toContain('Nothing is wrong')
    await expectQuiet(watched)
  })

  it('says nothing of what it has not read yet', async () => {
    const watched = await dashboard.openApart('/alerts')
    const { page } = watched
    await page.route(/\/api\/v1\/(jobs\?|alerts)/, () => undefined)
    await page.goto(`${dashboard.served.origin}/`)
    await page.locator('#failed').waitFor()
    const said = await page.locator('main').textContent()
    for (const words of ['Nothing has failed', 'No job has ended', 'Nothing is wrong'])
      expect(said).not.toContain(words)
    expect(said).toContain('Looking…')
    await watched.context.close()
  })

  it('leads a browser with an old token to where people sign in, and says why', async () => {
    const context = await dashboard.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${dashboard.served.origin}/jobs?token=old`)
    await page.getByText('is not the one that').waitFor()
    await expect.poll(() => page.locator('h1').textContent()).toBe('Sign in')
    expect(page.url()).not.toContain('old')
    await context.close()
    const program = await fetch(`${dashboard.served.origin}/jobs?token=old`, { redirect: 'manual' })
    expect([program.status, program.headers.get('content-type')]).toEqual([
      401,
      'application/problem+json',
    ])
  })

  it('knows a job by the beginning of its id, and shows all of it in the address', async () => {
    const watched = await dashboard.open(`/jobs/${taskId.slice(0, 12)}`)
    await watched.page.waitForURL(`${dashboard.served.origin}/jobs/${taskId}`)
    await expect.poll(() => watched.page.locator('h1').textContent()).toBe('train')
    await expectQuiet(watched)
  })

  it('keeps a long path within a telephone', async () => {
    const folder = dashboard.box.path(
      'a_folder_of_a_project_with_quite_a_long_name_that_goes_on_and_on/another',
    )
    mkdirSync(folder, { recursive: true })
    const file = `${folder}/alerts-of-the-whole-group.yaml`
    writeFileSync(file, '{}')
    const page = await dashboard.openApart('/alerts', {
      viewport: { width: 390, height: 844 },
    })
    await page.page.route('**/api/v1/alerts/rules', (route) =>
      route.fulfill({ json: { file, rules: [] } }),
    )
    await page.page.reload()
    await page.page.getByText(file).waitFor()
    await expect.poll(() => layoutProblems(page.page)).toEqual([])
    await expectQuiet(page)
  })
})
