import { writeFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { chromiumMissing } from '../browser/chromium.ts'
import type { Sandbox } from '../program.ts'
import { useDashboard } from './dashboard.ts'
import { axeProblems, expectFine, expectQuiet, openDashboard, serve, settled } from './served.ts'

/** One of its jobs fails until a file is there, and others wait for that. */
const broken = `name: broken
description: Builds everything, every night.
jobs:
  - name: fetch
    command: echo fetched
    resource_requirements: { cpus: 1, memory: 50m, runtime: PT1M }
  - name: build_{part}
    command: "if [ {part} = b ] && [ ! -e mended ]; then echo '<b>no such library</b>' >&2; exit 3; fi"
    parameters: { part: [a, b, c] }
    depends_on: [fetch]
    resource_requirements: { cpus: 1, memory: 50m, runtime: PT1M }
  - { name: "check_{i}", command: "true", parameters: { i: "1:30" }, depends_on: [fetch] }
  - name: pack
    command: echo packed
    depends_on_regexes: ["^build_"]
`

const many = `name: many
jobs:
  - { name: begin, command: "true" }
  - { name: "part_{i:03d}", command: "true", parameters: { i: "1:998" }, depends_on: [begin] }
  - { name: end, command: "true", depends_on_regexes: ["^part_"] }
`

/** Each of its jobs ends when its file is there. */
const gated = `name: gated
jobs:
  - name: gate_{i}
    command: "while [ ! -e go-{i} ]; do sleep 0.05; done"
    parameters: { i: "1:4" }
  - { name: last, command: "true", depends_on_regexes: ["^gate_"] }
`

function keep(box: Sandbox, name: string, text: string): string {
  writeFileSync(box.path(name), text)
  return box.path(name)
}

describe.skipIf(chromiumMissing)('workflows in the dashboard', () => {
  const dashboard = useDashboard(async (box) => {
    await box.jobmeter(['run', '--quiet', keep(box, 'broken.yaml', broken)])
    await box.jobmeter(['run', '--quiet', keep(box, 'many.yaml', many)])
    await box.jobmeter(['workflows', 'create-from-spec', keep(box, 'gated.yaml', gated)])
    return { config: { actions: { submit: true } } }
  })

  const tabs = ['timeline', 'jobs', 'resources', 'requests', 'plan', 'runs']

  it.each([
    ['the list', '/workflows'],
    ['a list of nothing', '/workflows?show=running'],
    ['one with failures', '/workflows/1'],
    ['one with its groups open', '/workflows/1?open=1.2'],
    ['one of a thousand jobs', '/workflows/2'],
    ['one that has not run', '/workflows/3'],
    ['requests before a run', '/workflows/3?tab=requests'],
    ...tabs.map((tab) => [tab, `/workflows/1?tab=${tab}`] as const),
  ] as const)('%s: quiet, accessible and within every window', async (_, path) => {
    const watched = await dashboard.open(path)
    await expectFine(watched.page, path)
    await expectQuiet(watched)
  })

  it('says first what failed and why, with the last that it wrote, as text', async () => {
    const watched = await dashboard.open('/workflows/1')
    const { page } = watched
    const failure = page.locator('.failure')
    await failure.getByText('<b>no such library</b>').waitFor()
    await expect.poll(() => failure.locator('.status').textContent()).toBe('failed')
    await page.getByText('1 job was cancelled').waitFor()
    await failure.getByRole('link', { name: 'build_b' }).click()
    await page.waitForURL(/\/jobs\/[0-9a-f]{32}$/)
    await page.getByRole('heading', { name: 'build_b' }).waitFor()
    await expectQuiet(watched)
  })

  it('draws what waits for what, each job a link to itself', async () => {
    const watched = await dashboard.open('/workflows/1')
    const { page } = watched
    const label = (name: string) => page.locator(`.graph-job[aria-label^="${name}: "]`)
    await expect
      .poll(() => label('build_b').getAttribute('aria-label'))
      .toContain('build_b: failed')
    await expect.poll(() => label('pack').getAttribute('aria-label')).toContain('pack: cancelled')
    // From left to right.
    const left = async (name: string): Promise<number> => (await label(name).boundingBox())?.x ?? -1
    await expect.poll(() => left('fetch')).toBeLessThan(await left('build_a'))
    await expect.poll(() => left('build_a')).toBeLessThan(await left('pack'))
    // One that never ran has no page of its own: it is told about here.
    await label('pack').click()
    await page.locator('.selected-job').getByText('echo packed', { exact: true }).waitFor()
    expect(new URL(page.url()).searchParams.get('job')).not.toBeNull()
    await label('build_a').click()
    await page.getByRole('heading', { name: 'build_a' }).waitFor()
    await expectQuiet(watched)
  })

  it('opens a group of a thousand jobs by keys alone, and the address has it', async () => {
    const watched = await dashboard.open('/workflows/2')
    const { page } = watched
    const focused = (): Promise<string> =>
      page.evaluate(
        `document.activeElement.getAttribute('aria-label') ?? document.activeElement.textContent`,
      )
    await page.locator('.graph-window [tabindex="0"]').focus()
    await expect.poll(focused).toMatch(/^begin: success/)
    await page.keyboard.press('ArrowRight')
    await expect.poll(focused).toContain('part_{i:03d}')
    await page.keyboard.press('Enter')
    await page.locator('.graph-job.mark').nth(997).waitFor()
    await expect.poll(() => page.locator('.graph-job.mark.success').count()).toBe(998)
    expect(new URL(page.url()).searchParams.get('open')).toBe('1')
    await page.keyboard.press('ArrowDown')
    await expect.poll(focused).toMatch(/^part_\d+: success/)
    await page.keyboard.press('Space')
    await page.locator('.selected-job').waitFor()
    const scale = (): Promise<number> =>
      page.evaluate(
        `new DOMMatrix(getComputedStyle(document.querySelector('.graph-sheet')).transform).a`,
      )
    const before = await scale()
    await page.keyboard.press('+')
    await expect.poll(scale).toBeCloseTo(before * 1.25)
    await page.keyboard.press('0')
    await page.reload()
    await settled(page)
    await page.locator('.selected-job').waitFor()
    await expect.poll(() => page.locator('.graph-job.mark').count()).toBe(998)
    await expectQuiet(watched)
  })

  it('moves and zooms the graph with the mouse, and a drag is no click', async () => {
    const watched = await dashboard.open('/workflows/1')
    const { page } = watched
    const place = (): Promise<{ x: number; scale: number }> =>
      page.evaluate(
        `(({ e, a }) => ({ x: e, scale: a }))(new DOMMatrix(getComputedStyle(document.querySelector('.graph-sheet')).transform))`,
      )
    // What is above the graph is there, and it stays where it is.
    await page.locator('.log-end').waitFor()
    await page.locator('.graph-window').scrollIntoViewIfNeeded()
    const before = await place()
    const job = await page.locator('.graph-job').first().boundingBox()
    const [x, y] = [(job?.x ?? 0) + 20, (job?.y ?? 0) + 10]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 60, y, { steps: 4 })
    await page.mouse.up()
    await expect.poll(async () => (await place()).x).toBeCloseTo(before.x + 60, 0)
    expect(page.url()).toBe(`${dashboard.served.origin}/workflows/1`)
    await page.keyboard.down('Control')
    await page.mouse.wheel(0, -120)
    await page.keyboard.up('Control')
    await expect.poll(async () => (await place()).scale).toBeGreaterThan(before.scale)
    await expectQuiet(watched)
  })

  it('lists a thousand jobs of which only those in sight are drawn', async () => {
    const watched = await dashboard.open('/workflows/2?tab=jobs&sort=name-up')
    const { page } = watched
    const names = (): Promise<string[]> => page.locator('tbody th a').allTextContents()
    await expect.poll(async () => (await names())[0]).toBe('part_998')
    expect((await names()).length).toBeLessThan(150)
    await page.evaluate('scrollTo(0, document.body.scrollHeight)')
    await page.locator('tbody th').filter({ hasText: 'begin' }).waitFor()
    await page.getByPlaceholder('Name of the job').fill('part_07')
    await page.getByText('10 of 1,000 jobs').waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('part_07')
    await expectQuiet(watched)
  })

  it('moves with a workflow, keeps what was opened, cancels it and resumes it for real', async () => {
    const watched = await dashboard.open('/workflows/3?open=0')
    const { box } = dashboard
    const { page } = watched
    await page.evaluate('globalThis.isSame = true')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByRole('button', { name: 'Run it' }).click()
    await page.getByText(/Started by process \d+/).waitFor()
    await page.locator('h1 + .status.running').waitFor()
    await page.locator('.graph-job.name.running').first().waitFor()
    await box.shell('touch go-1')
    await page.locator('.graph-job[aria-label^="gate_1: success"]').waitFor()
    await page.locator('.progress-card .key').getByText('1 success').waitFor()
    // It is not known before a job has succeeded.
    await page.getByText(/^about /).waitFor()
    await expect
      .poll(() => page.locator('[data-group="0"]').getAttribute('aria-expanded'))
      .toBe('true')

    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Let it run' }).click()
    await expect.poll(() => page.locator('h1 + .status').textContent()).toBe('running')
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel it' }).click()
    await page.getByText(/^Cancelled: \d job/).waitFor()
    await page.locator('h1 + .status:not(.running)').waitFor()
    await page.locator('.graph-job[aria-label^="last: cancelled"]').waitFor()

    await box.shell('touch go-2 go-3 go-4')
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByRole('button', { name: 'Resume it' }).click()
    await page.locator('h1 + .status.success').waitFor()
    await page.locator('.graph-job[aria-label^="last: success"]').waitFor()
    await expect.poll(() => page.locator('.progress-card .key').innerText()).toBe('5 success')
    await page.getByRole('link', { name: 'Runs', exact: true }).click()
    await page.getByRole('rowheader', { name: 'Run 2' }).waitFor()
    await expect.poll(() => page.evaluate('globalThis.isSame')).toBe(true)
    await expectQuiet(watched)
  })

  it('reads the report of a workflow that runs once, as long as nothing changes', async () => {
    const spec = `name: waiting\njobs: [{ name: wait, command: "while [ ! -e go-on ]; do sleep 0.05; done" }]\n`
    const { box } = dashboard
    const started = box.start(['run', keep(box, 'waiting.yaml', spec)])
    const watched = await dashboard.openApart('/workflows')
    const { page } = watched
    await page.clock.install()
    await page.reload()
    let reports = 0
    page.on('request', (request) => {
      if (request.url().endsWith('/report')) reports++
    })
    const line = page.locator('.workflow-line').filter({ hasText: 'waiting' })
    await line.getByText('1 running').waitFor()
    await line.getByRole('link').first().click()
    await page.locator('.graph-job.running').first().waitFor()
    await expect.poll(() => reports).toBe(1)
    await page.clock.runFor(40_000)
    await page.evaluate(`fetch('/api/v1/me').then(() => null)`)
    expect(reports).toBe(1)
    await box.shell('touch go-on')
    await started.ended
    await page.locator('h1 + .status.success').waitFor()
    await expect.poll(() => reports).toBeGreaterThan(1)
    await expectQuiet(watched)
  })

  it('lists a workflow that is started in a terminal, and how far it is', async () => {
    const watched = await dashboard.open('/workflows')
    const { page } = watched
    const { box } = dashboard
    const another = gated.replace('gated', 'another')
    const started = box.start(['run', keep(box, 'another.yaml', another)])
    const line = page.locator('.workflow-line').filter({ hasText: 'another' })
    await line.getByText('100% done').waitFor()
    await started.ended
    await line.locator('.status.success').waitFor()
    await expect.poll(() => line.locator('.workflow-bar small').textContent()).toBe('5 success')
    await expectQuiet(watched)
  })

  it('offers the command where the server starts nothing itself', async () => {
    const other = await serve(dashboard.box)
    const watched = await openDashboard(dashboard.browser, other, '/workflows/1')
    const { page } = watched
    await page.getByRole('button', { name: 'Resume' }).click()
    await page.getByText('jobmeter run --resume 1').waitFor()
    expect(await axeProblems(page)).toEqual([])
    await expectQuiet(watched)
    other.running.signal('SIGTERM')
    await other.running.ended
  })
})
