import { describe, expect, it } from 'vitest'
import { chromiumMissing } from '../browser/chromium.ts'
import { useDashboard } from './dashboard.ts'
import { axeProblems, expectFine, expectQuiet, settled } from './served.ts'

const workflow = `name: demo
jobs:
  - name: greet
    command: echo hello from the workflow; echo careful >&2; exit 3
`

/** Every page, wide and on a telephone, light and dark. */
describe.skipIf(chromiumMissing)('the dashboard', () => {
  let first: string
  let second: string
  let failed: string
  let logged: string
  const dashboard = useDashboard(async (box) => {
    const train = ['--name', 'train', '--cpus', '1', '--memory', '64m', '--tag', 'nightly']
    const sampled = [...train, '--interval', '0.1', '--', 'sh', '-c', 'sleep 0.5']
    first = (await box.run(sampled)).record.task_id
    second = (await box.run(sampled)).record.task_id
    failed = (await box.run(['--name', '<b>bold</b>', '--', 'sh', '-c', 'exit 7'])).record.task_id
    const spec = box.path('demo.yaml')
    await box.shell(`cat > ${spec} <<'END'\n${workflow}END\n$JOBMETER run ${spec}`)
    logged = (await box.history())[0]?.task_id ?? ''
  })

  const pages = [
    ['Home', () => '/'],
    ['Jobs', () => '/jobs'],
    ['jobs that match nothing', () => '/jobs?name=nobody'],
    ['a job', () => `/jobs/${second}`],
    ['a job that failed', () => `/jobs/${failed}`],
    ['a job of a workflow', () => `/jobs/${logged}`],
    ['two runs', () => `/compare?left=${first}&right=${second}`],
    ['nothing to compare', () => '/compare'],
    ['Alerts', () => '/alerts'],
    ['no such page', () => '/nowhere'],
  ] as const

  it.each(pages)('%s: quiet, accessible and within every window', async (_, path) => {
    const watched = await dashboard.open(path())
    await expectFine(watched.page, path())
    await expectQuiet(watched)
  })

  it('says what a job wrote, why it failed, and never runs what somebody named it', async () => {
    const watched = await dashboard.open(`/jobs/${failed}`)
    const { page } = watched
    expect(await page.locator('h1').textContent()).toBe('<b>bold</b>')
    expect(await page.locator('.why-ended').textContent()).toBe('exited with code 7')
    await page.goto(`${dashboard.served.origin}/jobs/${logged}`)
    await settled(page)
    expect(await page.locator('.log').textContent()).toBe('careful\n')
    await page.getByRole('radio', { name: 'Output' }).check()
    await page.locator('.log').filter({ hasText: 'hello from the workflow' }).waitFor()
    await expectQuiet(watched)
  })

  it('keeps the whole view in the address', async () => {
    const watched = await dashboard.open('/jobs')
    const { page } = watched
    await page.locator('select[name=status]').selectOption('success')
    await page.waitForURL(`${dashboard.served.origin}/jobs?status=success`)
    await expect.poll(() => page.locator('tbody th').count()).toBe(2)
    await page.reload()
    await settled(page)
    expect(await page.locator('tbody th').count()).toBe(2)
    await expectQuiet(watched)
  })

  it('is led by keys alone', async () => {
    const watched = await dashboard.open('/')
    const { page } = watched
    const focused = (): Promise<string> =>
      page.evaluate('document.activeElement.textContent.trim()')
    await page.keyboard.press('g')
    await page.keyboard.press('j')
    await page.waitForURL(`${dashboard.served.origin}/jobs`)
    await settled(page)
    expect(await focused()).toBe('Jobs')
    await page.locator('tbody th').first().waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('k')
    const name = await focused()
    await page.keyboard.press('Enter')
    await page.waitForURL(/\/jobs\/[0-9a-f]{32}$/)
    await settled(page)
    expect(await focused()).toBe(name)
    expect(await page.title()).toBe(`${name} – jobmeter`)
    await page.keyboard.press('?')
    expect(await page.locator('dialog').isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('/')
    await page.keyboard.type('bold')
    await page.locator('.found li').filter({ hasText: '<b>bold</b>' }).waitFor()
    await page.keyboard.press('Enter')
    await page.waitForURL(`${dashboard.served.origin}/jobs/${failed}`)
    await page.goBack()
    await page.waitForURL((url) => !url.pathname.endsWith(failed))
    await expectQuiet(watched)
  })

  it('compares two that were chosen', async () => {
    const watched = await dashboard.open('/jobs?name=train')
    const { page } = watched
    await page.getByLabel('Compare train').nth(1).check()
    await page.getByLabel('Compare train').nth(0).check()
    await page.getByRole('link', { name: 'Compare the two' }).click()
    await page.waitForURL(`${dashboard.served.origin}/compare?left=${first}&right=${second}`)
    await page.getByText('What they used').waitFor()
    await expect.poll(() => page.locator('.job-charts').count()).toBe(2)
    await expectQuiet(watched)
  })

  it('keeps the theme that was chosen', async () => {
    const watched = await dashboard.openApart('/', { colorScheme: 'light' })
    const { page } = watched
    const paper = (): Promise<string> =>
      page.evaluate('getComputedStyle(document.body).backgroundColor')
    const light = await paper()
    await page.getByRole('button', { name: /^Theme: system/ }).click()
    await page.getByRole('button', { name: /^Theme: light/ }).click()
    const dark = await paper()
    expect(dark).not.toBe(light)
    await page.reload()
    await settled(page)
    expect(await paper()).toBe(dark)
    await expectQuiet(watched)
  })

  it('asks whoever is not signed in for the token, and takes the whole address too', async () => {
    const context = await dashboard.browser.newContext()
    const page = await context.newPage()
    await page.goto(`${dashboard.served.origin}/jobs`)
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    await page.getByLabel('Token').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await page.getByLabel('Token').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText('This token is not the one').waitFor()
    await page.getByLabel('Token').fill(dashboard.served.address)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Jobs' }).waitFor()
    await context.close()
  })
})
