import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { heatMap } from '../../src/analysis/node/heat-map.ts'
import { saveHeatPage } from '../../src/cli/node/heat-page.ts'
import type { UsageMetric, UsageTable } from '../../src/model/node-usage.ts'
import { realSystem } from '../../src/system/real.ts'
import { singlePartProblems } from './accessibility-problems.ts'
import { chromiumMissing, expectQuiet, openPage, startChromium } from './chromium.ts'
import { heatLayoutProblems } from './layout-problems.ts'

const users = [
  'ada',
  '<img src=x onerror=alert(1)>',
  'a-user-with-a-name-that-is-much-too-long-for-it',
  'eve',
  'bob',
  'carol',
  'dave',
  'faythe',
]
const capacity = 16 * 3600

/** Every hour but those of Sunday afternoon was looked at; hour and user make the figures. */
const usage = (): UsageTable => {
  const hours = Array.from({ length: 160 }, (_, hour) => hour)
  const rows = hours.flatMap((hour) =>
    users.map((user, at) => ({
      keys: [hour, user],
      amount: (capacity * (hour % 24)) / 24 / (at + 1) / 3,
      capacity,
    })),
  )
  const total = rows.reduce((sum, { amount }) => sum + amount, 0)
  const room = hours.map((hour) => ({ keys: [hour], capacity, observedSeconds: 3600 }))
  return { rows, room, total, capacity: capacity * hours.length, observedSeconds: 3600 * 160 }
}

describe.skipIf(chromiumMissing)('a heat map in Chromium', () => {
  let directory: string
  let browser: Browser
  const make = (name: string, metric: UsageMetric, table: UsageTable): string => {
    const path = join(directory, `${name}.html`)
    const view = { by: ['hour-of-week', 'user'], metric, from: 1.774e9, to: 1.776e9 } as const
    const filters = [['Host', 'node01']] as const
    saveHeatPage(
      realSystem({ ownsProcess: false }),
      heatMap(table),
      { ...view, filters, zone: 'utc' },
      path,
    )
    return path
  }
  let path: string
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-heat-'))
    path = make('cpu', 'cpu', usage())
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(directory, { recursive: true })
  })

  it.each([
    { width: 1400, height: 900, colorScheme: 'light' },
    { width: 1400, height: 900, colorScheme: 'dark' },
    { width: 390, height: 800, colorScheme: 'dark' },
  ] as const)('is whole and readable at $width × $height, $colorScheme', async (window) => {
    const { width, height, colorScheme } = window
    const watched = await openPage(browser, path, { viewport: { width, height }, colorScheme })
    await expect.poll(() => watched.page.evaluate(heatLayoutProblems)).toEqual([])
    await expect.poll(() => watched.page.evaluate(singlePartProblems)).toEqual([])
    await expectQuiet(watched)
  })

  it('has every hour as a figure in a table, and says which nobody looked at', async () => {
    const watched = await openPage(browser, path)
    const { page } = watched
    const table = page.getByRole('table', { name: /^All: how full each hour/ })
    await expect.poll(() => table.getByRole('row').count()).toBe(8)
    await expect.poll(() => table.getByRole('columnheader').count()).toBe(26)
    const monday = await table.getByRole('row').nth(1).getByRole('cell').allTextContents()
    const share = users.reduce((sum, _, at) => sum + 1 / (at + 1) / 3, 0)
    expect(monday[12]).toBe(String(Math.round((100 * share) / 2)))
    const sunday = await table.getByRole('row').nth(7).getByRole('cell').allTextContents()
    expect(sunday.filter((text) => text === '–')).toHaveLength(8)
    await expect.poll(() => page.locator('.scale').textContent()).toContain('nobody looked')
    await expectQuiet(watched)
  })

  it('tells of an hour that is pointed at how full it was, of what, and by whom', async () => {
    const watched = await openPage(browser, path)
    const { page } = watched
    await page.hover('td[data-hour="36"]')
    const tip = (): Promise<string | null> => page.locator('#tip').textContent()
    await expect.poll(tip).toMatch(/^Tuesday 12:00–13:00, All: 45\.\d %7\.\d+ of 16\.00 core-hours/)
    expect(await tip()).toContain('ada 2.67')
    await page.hover('td[data-hour="165"]')
    await expect.poll(tip).toContain('Nobody looked')
    await page.hover('h1')
    await expect.poll(() => page.locator('#tip').isVisible()).toBe(false)
    await expectQuiet(watched)
  })

  it('shows one user alone, takes names for text, and changes its colours', async () => {
    const watched = await openPage(browser, path, { colorScheme: 'light' })
    const { page } = watched
    await expect.poll(() => page.locator('main img').count()).toBe(0)
    await page.getByLabel('Show user').selectOption('eve')
    await expect.poll(() => page.getByRole('table', { name: /^eve: / }).count()).toBe(1)
    await expect.poll(() => page.locator('.scale').textContent()).toContain('8 %')
    const paper = () => page.evaluate<string>(`getComputedStyle(document.body).backgroundColor`)
    const light = await paper()
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect.poll(paper).not.toBe(light)
    await expect.poll(() => page.evaluate(singlePartProblems)).toEqual([])
    await expectQuiet(watched)
  })

  it('shows what has no capacity as parts of the highest hour', async () => {
    const table = usage()
    const room = table.room.map((one) => ({ ...one, capacity: null }))
    const watched = await openPage(browser, make('io', 'io', { ...table, room, capacity: null }))
    const { page } = watched
    await expect.poll(() => page.locator('.scale').textContent()).toContain('% of the highest hour')
    await expect.poll(() => page.locator('td[data-hour="23"]').textContent()).toBe('100')
    await expect.poll(() => page.evaluate(heatLayoutProblems)).toEqual([])
    await expectQuiet(watched)
  })
})
