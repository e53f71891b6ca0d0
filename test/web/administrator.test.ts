import { describe, expect, it } from 'vitest'
import { chromiumMissing } from '../browser/chromium.ts'
import { makeSite } from '../synthetic/site.ts'
import { goByKeys, openByKeys, useDashboard } from './dashboard.ts'
import { axeProblems, expectFine, expectQuiet, openDashboard, serve, settled } from './served.ts'

const hosts = 12
const hours = 6
/** When its nodes were looked at last. */
const until = Math.floor(Date.now() / 1000) - 20

/** People who sign in elsewhere: a proxy on this machine tells who they are. */
const team = {
  authentication: { proxy: { header: 'X-User', trusted: ['127.0.0.1'] } },
  administrators: ['root'],
}

describe.skipIf(chromiumMissing)('the pages of administrators', () => {
  const dashboard = useDashboard(async (box) => {
    await box.run(['--', 'true'])
    const path = box.path('node.db')
    makeSite(path, { hosts, hours, seconds: 300, until })
    await box.shell(`$JOBMETER policies judge --db ${path}`)
    return { args: ['--node-db', path] }
  })

  const pages = [
    ['Nodes', '/nodes'],
    ['one chart for each node', '/nodes?show=cpu&order=cpu'],
    ['a node with GPUs', '/nodes/node001?jobs=then'],
    ['Usage', '/usage'],
    ['Hogs', '/hogs'],
    ['Reservations', '/reservations'],
    ['a job that an agent saw', '/node-jobs/slurm%3A13%40node001'],
    ['a node that nobody knows', '/nodes/nowhere'],
  ] as const

  it.each(pages)('%s: quiet, accessible and within every window', async (name, path) => {
    const watched = await dashboard.open(path)
    await expectFine(watched.page, path)
    // The browser itself tells of what was not found.
    if (name === 'a node that nobody knows') watched.complaints.length = 0
    await expectQuiet(watched)
  })

  it('shows every node, marks the silent one, and keeps filters in the address', async () => {
    const watched = await dashboard.open('/nodes')
    const { page } = watched
    await page.getByText(`${hosts} nodes · 1 silent`).waitFor()
    await expect.poll(() => page.locator('.node').count()).toBe(hosts)
    await expect.poll(() => page.locator('.node.silent a').allTextContents()).toEqual(['node012'])
    await page.getByLabel('Only').selectOption('gpu')
    await page.waitForURL(`${dashboard.served.origin}/nodes?only=gpu`)
    await expect.poll(() => page.locator('.node').count()).toBe(3)
    await page.reload()
    await settled(page)
    await page.getByText(`3 of ${hosts} nodes`).waitFor()
    await page.getByPlaceholder('Name of a node').fill('009')
    await page.waitForURL(/find=009/)
    await page.getByText(`1 of ${hosts} nodes`).waitFor()
    await expectQuiet(watched)
  })

  it('draws a gap as a gap, in small charts and in large ones', async () => {
    // Not the time up to now: nobody looks any more, and that is a gap too, once it is long enough.
    const seen = [until - hours * 3600, until].map((at) => new Date(at * 1000).toISOString())
    const span = new URLSearchParams({ from: seen[0] ?? '', to: seen[1] ?? '' }).toString()
    const watched = await dashboard.open(`/nodes?${span}`)
    const { page } = watched
    const path = page.locator('.node', { hasText: 'node002' }).locator('.line').first()
    // Each stretch that was looked at begins with a move.
    await expect.poll(async () => (await path.getAttribute('d'))?.match(/M/g)).toHaveLength(2)
    await page.goto(`${dashboard.served.origin}/nodes/node002?${span}`)
    await settled(page)
    await page.getByText('only the agent was down').waitFor()
    await expect.poll(() => page.locator('.uptime .gap').count()).toBe(1)
    await expectQuiet(watched)
  })

  it('leads from a node to whose jobs are on it, by keys alone', async () => {
    const watched = await dashboard.open('/')
    const { page } = watched
    await page.locator('nav a', { hasText: 'Nodes' }).waitFor()
    await goByKeys(page, 'n', `${dashboard.served.origin}/nodes`)
    await page.locator('.node').first().waitFor()
    await settled(page)
    await openByKeys(page, /\/nodes\/node001$/)
    await page.locator('.by-user').waitFor()
    const users = page.locator('.by-user strong')
    await expect.poll(() => users.allTextContents()).toEqual(['ada', 'bob', 'cyd'])
    await settled(page)
    await page.locator('main [data-row]').first().waitFor()
    await openByKeys(page, /\/node-jobs\//)
    await page.getByRole('heading', { name: 'What to ask for next time' }).waitFor()
    await expectQuiet(watched)
  })

  it('shows the week of one user, and hands out the figures', async () => {
    const watched = await dashboard.open('/usage')
    const { page } = watched
    await page.locator('.map td[data-hour]').first().waitFor()
    await expect.poll(() => page.locator('.map td[data-hour]').count()).toBe(168)
    await page.getByRole('button', { name: 'bob' }).click()
    await page.waitForURL(/of=bob/)
    await page.getByRole('heading', { name: 'By hour of the week: bob' }).waitFor()
    await page.getByRole('radio', { name: 'Memory' }).check()
    await page.waitForURL(/metric=memory/)
    const link = await page.getByRole('link', { name: 'CSV' }).getAttribute('href')
    const csv = await (await page.request.get(`${dashboard.served.origin}${link}`)).text()
    expect(csv).toMatch(/^user,byte_seconds,capacity,of_capacity\nada,/)
    await expectQuiet(watched)
  })

  it('says what was found, of whom, and why; and what the policies mean', async () => {
    const watched = await dashboard.open('/hogs?user=cyd&policy=zero-gpu')
    const { page } = watched
    await page.locator('.finding').first().waitFor()
    const [first = ''] = await page.locator('.finding').allTextContents()
    expect(first).toContain('Holds GPUs and does not use them at all.')
    await page.locator('.finding summary').first().click()
    await page.locator('.finding .jc-chart').first().waitFor()
    await page.locator('.policy summary').first().click()
    await page.getByText('users root').waitFor()
    await page.getByLabel('State').selectOption('resolved')
    await page.waitForURL(/state=resolved/)
    await expectQuiet(watched)
  })

  it('says who to talk to, with the words to send', async () => {
    const watched = await dashboard.open('/reservations')
    const { page } = watched
    const first = page.locator('.person').first()
    await first.waitFor()
    await expect.poll(() => first.textContent()).toMatch(/^cyd/)
    await expect
      .poll(() => first.locator('.message p').textContent())
      .toMatch(/^Hello cyd, .*Right now they hold 6 GPUs that do nothing/)
    await page.getByText('6 held idle now').waitFor()
    await page.locator('#table').getByRole('radio', { name: 'Job' }).check()
    await page.waitForURL(/by=job/)
    // Until the jobs are read, the table still has the links of users.
    await page.locator('#table a[data-row][href^="/node-jobs/"]').first().click()
    await page.waitForURL(/\/node-jobs\//)
    await expectQuiet(watched)
  })

  it('shows others only their own share, and says so', async () => {
    const { box, browser } = dashboard
    const args = ['--node-db', box.path('node.db')]
    const shared = await serve(box, { config: team, args })
    const context = await browser.newContext({ extraHTTPHeaders: { 'X-User': 'ada' } })
    const page = await context.newPage()
    await page.goto(`${shared.origin}/nodes`)
    await page.getByText(`${hosts} nodes · 1 silent`).waitFor()
    await page.goto(`${shared.origin}/reservations`)
    await page.getByText('You see your own share.').waitFor()
    const rows = page.locator('#table tbody th')
    await expect.poll(() => rows.allTextContents()).toEqual(['ada'])
    await page.goto(`${shared.origin}/usage`)
    await page.getByRole('button', { name: 'others' }).waitFor()
    await page.goto(`${shared.origin}/node-jobs/slurm%3A13%40node001`)
    await page.getByRole('heading', { name: 'Not found' }).waitFor()
    await context.close()
    shared.running.signal('SIGTERM')
    await shared.running.ended
  })

  it('says what to do where no node is watched', async () => {
    const { box, browser } = dashboard
    const empty = await serve(box, { args: ['--node-db', box.path('nothing.db')] })
    const watched = await openDashboard(browser, empty, '/')
    const { page } = watched
    for (const path of ['/nodes', '/usage', '/hogs', '/reservations']) {
      await page.goto(`${empty.origin}${path}`)
      await settled(page)
      await page.getByText('sudo jobmeter agent').waitFor()
      expect(await axeProblems(page), path).toEqual([])
    }
    await expectQuiet(watched)
    empty.running.signal('SIGTERM')
    await empty.running.ended
  })
})
