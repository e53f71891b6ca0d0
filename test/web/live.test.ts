import { rmSync, writeFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { chromiumMissing } from '../browser/chromium.ts'
import { freePort } from '../free-port.ts'
import { goByKeys, useDashboard } from './dashboard.ts'
import { axeProblems, expectQuiet, openDashboard, serve } from './served.ts'
import { layWire, type Wire } from './wire.ts'

/** Runs until a file is removed, and keeps a core busy meanwhile. */
const busyUntil = (file: string): string[] => [
  'sh',
  '-c',
  `touch ${file}; while [ -e ${file} ]; do i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; done`,
]

/** Opens a job once the ledger has its record, which may be a moment after events told of it. */
async function opened(page: Page, card: Locator): Promise<void> {
  const link = card.getByRole('link')
  const path = `/api/v1${await link.getAttribute('href')}`
  const record = new URL(path, page.url()).href
  await expect.poll(async () => (await page.request.get(record)).status()).toBe(200)
  await link.click()
}

describe.skipIf(chromiumMissing)('the dashboard while jobs run', () => {
  let wire: Wire
  const dashboard = useDashboard(async (box) => {
    await box.run(['--name', 'earlier', '--', 'true'])
    wire = await layWire()
    // Another server comes to the same place later.
    return { port: String(await freePort()), hosts: [wire.host] }
  })
  afterAll(() => wire.cut())

  it('shows a job that is started in a terminal, and moves with it, without being loaded again', async () => {
    const watched = await dashboard.open('/')
    const { page } = watched
    await page.evaluate('globalThis.isSame = true')
    const file = dashboard.box.path('stop-1')
    const job = dashboard.box.start([
      'run',
      '--name',
      'spinner',
      '--cpus',
      '1',
      '--interval',
      '0.2',
      '--',
      ...busyUntil(file),
    ])
    const card = page.locator('.running-job').filter({ hasText: 'spinner' })
    await card.waitFor()
    const figures = (): Promise<string[]> => card.locator('.meter-figure').allTextContents()
    await card
      .locator('.meter-figure')
      .filter({ hasText: /^\d+% of/ })
      .waitFor()
    await card
      .locator('.meter-figure')
      .filter({ hasText: /^[\d.]+ [KMG]B of/ })
      .waitFor()
    const [cpu = '', memory = ''] = await figures()
    expect(cpu).toMatch(/^\d+% of 1 core asked$/)
    expect(memory).toMatch(/^[\d.]+ [KMG]B of /)
    await opened(page, card)
    await page.locator('.job-charts').waitFor()
    // The charts go on while the page is looked at.
    const shown = (): Promise<number> =>
      page.evaluate(`parseFloat(document.querySelector('.jc-time').textContent)`)
    await expect.poll(shown).toBeGreaterThanOrEqual(0)
    const before = await shown()
    await expect.poll(shown).toBeGreaterThan(before)
    await dashboard.box.shell(`rm ${file}`)
    await job.ended
    await page.locator('h1 + .status').filter({ hasText: 'success' }).waitFor()
    await page.locator('.tiles').waitFor()
    await goByKeys(page, 'h', `${dashboard.served.origin}/`)
    await page.locator('#ended').getByText('spinner').waitFor()
    await card.waitFor({ state: 'detached' })
    await expect.poll(() => page.evaluate('globalThis.isSame')).toBe(true)
    await expectQuiet(watched)
  })

  it('misses nothing when the network drops and comes back', async () => {
    const watched = await openDashboard(dashboard.browser, wire.through(dashboard.served), '/jobs')
    const { context, page } = watched
    await page.locator('.link-state.live').waitFor()
    await page.locator('tbody').getByText('earlier').waitFor()
    const file = dashboard.box.path('stop-2')
    const job = dashboard.box.start([
      'run',
      '--name',
      'through',
      '--interval',
      '0.2',
      '--',
      ...busyUntil(file),
    ])
    const row = page.locator('tbody tr').filter({ hasText: 'through' })
    await row.locator('.status.running').waitFor()
    wire.cut()
    await page.locator('.link-state.lost').waitFor()
    for (const number of [1, 2, 3])
      await dashboard.box.run(['--name', `away-${number}`, '--', 'true'])
    await dashboard.box.shell(`rm ${file}`)
    await job.ended
    await expect.poll(() => page.locator('tbody').getByText('away').count()).toBe(0)
    await expect.poll(() => row.locator('.status').textContent()).toBe('running')
    wire.mend()
    await page.locator('.link-state.live').waitFor()
    for (const number of [1, 2, 3])
      await page.locator('tbody').getByText(`away-${number}`).waitFor()
    await row.locator('.status.success').waitFor()
    const names = await page.locator('tbody th a').allTextContents()
    expect(names.length).toBe(new Set(names).size)
    await context.close()
  })

  it('holds no connection while its tab is hidden, and misses nothing', async () => {
    const watched = await dashboard.open('/jobs')
    const { page } = watched
    await page.locator('.link-state.live').waitFor()
    await dashboard.box.run(['--name', 'seen', '--', 'true'])
    await page.locator('tbody').getByText('seen').waitFor()
    const isStream = (url: string): boolean => url.includes('/api/v1/events')
    const turn = (state: 'hidden' | 'visible'): Promise<unknown> =>
      page.evaluate(`Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`)
    const left = page.waitForEvent('requestfailed', (request) => isStream(request.url()))
    await turn('hidden')
    await left
    await dashboard.box.run(['--name', 'unseen', '--', 'true'])
    await expect.poll(() => page.locator('tbody').getByText('unseen').count()).toBe(0)
    const back = page.waitForRequest((request) => isStream(request.url()))
    await turn('visible')
    expect((await back).url()).toContain('after=')
    await page.locator('tbody').getByText('unseen').waitFor()
    await expectQuiet(watched)
  })

  it('tells of an alert when it fires, and of who looks after it', async () => {
    const watched = await dashboard.open('/alerts')
    const { page } = watched
    await page.getByText('nothing is watched').waitFor()
    const alerts = dashboard.box.path('alerts.yaml')
    writeFileSync(alerts, 'channels: [{name: log, type: file, path: alerts.jsonl}]\n')
    await dashboard.box.run(['--name', 'doomed', '--alerts', alerts, '--', 'sh', '-c', 'exit 3'])
    const alert = page.locator('.alert-line').filter({ hasText: 'doomed' })
    await alert.getByText('the job failed: exited with code 3').waitFor()
    await expect.poll(() => page.locator('.pages .count').textContent()).toBe('1 new')
    await alert.getByRole('button', { name: 'Acknowledge' }).click()
    await alert.getByText(/^acknowledged by /).waitFor()
    await page.locator('.pages .count').waitFor({ state: 'detached' })
    expect(await axeProblems(page)).toEqual([])
    await expectQuiet(watched)
  })

  it('follows what a job writes, and ends a job that is cancelled', async () => {
    const file = dashboard.box.path('stop-3')
    const spec = dashboard.box.path('talk.yaml')
    const talk = `touch ${file}; echo first; until [ ! -e ${file} ]; do sleep 0.1; done; echo last`
    writeFileSync(spec, JSON.stringify({ name: 'talk', jobs: [{ name: 'talker', command: talk }] }))
    const workflow = dashboard.box.start(['run', spec])
    const watched = await dashboard.open('/')
    const { page } = watched
    await opened(page, page.locator('.running-job').filter({ hasText: 'talker' }))
    const log = page.locator('.log')
    await log.filter({ hasText: 'first' }).waitFor()
    rmSync(file)
    await log.filter({ hasText: 'first\nlast' }).waitFor()
    await workflow.ended
    await page.locator('h1 + .status.success').waitFor()

    const sleeper = dashboard.box.start(['run', '--name', 'sleeper', '--', 'sleep', '600'])
    await goByKeys(page, 'h', `${dashboard.served.origin}/`)
    const card = page.locator('.running-job').filter({ hasText: 'sleeper' })
    await card
      .locator('.meter-figure')
      .filter({ hasText: / of \d/ })
      .first()
      .waitFor()
    await opened(page, card)
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('button', { name: 'End it' }).click()
    expect((await sleeper.ended).code).not.toBe(0)
    await page.locator('h1 + .status').filter({ hasNotText: 'running' }).waitFor()
    await expectQuiet(watched)
  })

  it('says that the server is gone, and asks to sign in at the next one', async () => {
    const watched = await dashboard.openApart('/jobs')
    const { context, page } = watched
    await page.locator('.link-state.live').waitFor()
    dashboard.served.running.signal('SIGTERM')
    await dashboard.served.running.ended
    await page.locator('.link-state.lost').waitFor()
    await expect.poll(() => page.locator('.link-state').textContent()).toBe('Offline, retrying')
    await dashboard.box.run(['--name', 'between', '--', 'true'])
    dashboard.served = await serve(dashboard.box, {
      port: new URL(dashboard.served.origin).port,
      hosts: [],
    })
    await page.getByLabel('Token').fill(dashboard.served.address)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('tbody').getByText('between').waitFor()
    await page.locator('.link-state.live').waitFor()
    await context.close()
  })
})
