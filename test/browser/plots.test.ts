import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePlots } from '../../src/cli/reports/plot-files.ts'
import { palette } from '../../src/render/palette.ts'
import { realSystem } from '../../src/system/real.ts'
import {
  chromiumMissing,
  expectQuiet,
  openPage,
  startChromium,
  type WatchedPage,
} from './chromium.ts'
import { makeSeries } from './made-series.ts'

describe.skipIf(chromiumMissing)('plots in Chromium', () => {
  let directory: string
  let series: string
  let browser: Browser
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-plots-'))
    series = makeSeries(directory, { jobs: 60, samplesPerJob: 200, retryEvery: 3 })
    writePlots(realSystem({ ownsProcess: false }), { paths: [series], directory, prefix: 'x' })
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(directory, { recursive: true })
  })

  const open = async (name: string, options = {}): Promise<WatchedPage> => {
    const watched = await openPage(browser, join(directory, `x_${name}.html`), options)
    await watched.page.waitForSelector('#plot[data-drawn=yes]')
    return watched
  }
  /** The middle of the uppermost panel. */
  const middle = async (page: Page) => {
    const box = await page.locator('#plot .nsewdrag').first().boundingBox()
    if (box === null) throw new Error('nothing is drawn')
    return { x: box.x + box.width * 0.7, y: box.y + box.height / 2, width: box.width }
  }
  /** How many milliseconds are in view. */
  const span = (page: Page) =>
    page.evaluate<number>(`(() => {
      const [from, to] = document.getElementById('plot')._fullLayout.xaxis.range
      return Date.parse(to) - Date.parse(from)
    })()`)

  it('show what a job used when pointed at', async () => {
    const watched = await open('job_3')
    const { page } = watched
    const { x, y } = await middle(page)
    await page.mouse.move(x, y)
    await page.mouse.move(x + 3, y)
    await page.waitForSelector('.hoverlayer .legend text, .hoverlayer .hovertext text')
    const said = async () => (await page.locator('.hoverlayer text').allTextContents()).join(' ')
    await expect.poll(said).toMatch(/CPU, attempt 2 : \d[\d,.]* %/)
    await expect.poll(said).toMatch(/Memory, attempt 2 : \d[\d.]* GB/)
    await expect.poll(said).toMatch(/Processes, attempt 2 : \d+/)
    await expect.poll(() => page.title()).toBe('evaluate_model')
    await expectQuiet(watched)
  })

  it('zoom into a stretch of time and back', async () => {
    const watched = await open('job_3')
    const { page } = watched
    const before = await span(page)
    const { x, y, width } = await middle(page)
    await page.mouse.move(x - width * 0.3, y)
    await page.mouse.down()
    await page.mouse.move(x, y, { steps: 5 })
    await page.mouse.up()
    await expect.poll(() => span(page)).toBeLessThan(before * 0.5)
    // Plotly takes two clicks for one twice, where a busy browser hears of the second too late.
    const spanOfAll = async (): Promise<number> => {
      await page.mouse.dblclick(x, y)
      return span(page)
    }
    await expect.poll(spanOfAll, { interval: 1000 }).toBeCloseTo(before, -2)
    await expectQuiet(watched)
  })
  it('switch lines off and on in the legend', async () => {
    const watched = await open('memory_all_jobs')
    const { page } = watched
    const lines = page.locator('.scatterlayer .trace')
    // 60 jobs, a third of them twice: the twenty highest and the line above all.
    await expect.poll(() => lines.count()).toBe(21)
    const entry = page.locator('#legend button').nth(1)
    await entry.click()
    await expect.poll(() => lines.count()).toBe(20)
    await expect.poll(() => entry.getAttribute('aria-pressed')).toBe('false')
    await entry.click()
    await expect.poll(() => lines.count()).toBe(21)
    await entry.dblclick()
    await expect.poll(() => lines.count()).toBe(1)
    await entry.dblclick()
    await expect.poll(() => lines.count()).toBe(21)
    await expectQuiet(watched)
  })

  it('add lines that are not drawn at first', async () => {
    const watched = await open('memory_all_jobs')
    const { page } = watched
    const others = page.getByLabel('Add')
    const before = await others.locator('option').count()
    expect(before).toBe(61)
    await others.selectOption({ index: 5 })
    await expect.poll(() => page.locator('.scatterlayer .trace').count()).toBe(22)
    await expect.poll(() => page.locator('#legend button').count()).toBe(22)
    await expect.poll(() => others.locator('option').count()).toBe(before - 1)
    await expectQuiet(watched)
  })

  it('have room for their words on a telephone, beside a choice of lines', async () => {
    const watched = await open('memory_all_jobs', { viewport: { width: 390, height: 800 } })
    const { page } = watched
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
    for (const part of ['h1', '#note', '#more', '#align']) {
      const { x, width } = (await page.locator(part).boundingBox()) ?? { x: 0, width: 0 }
      expect.soft(x + width, part).toBeLessThanOrEqual(390)
      expect.soft(width, part).toBeGreaterThan(part === '#align' ? 80 : 200)
    }
    await expectQuiet(watched)
  })

  it('put all starts on one another', async () => {
    const watched = await open('cpu_all_jobs')
    const { page } = watched
    await page.getByRole('button', { name: 'Align starts' }).click()
    await expect
      .poll(() => page.locator('.xtitle').textContent())
      .toBe('Seconds since each one started')
    const [from = 0, to = 0] = (await page.evaluate(
      `document.getElementById('plot')._fullLayout.xaxis.range`,
    )) as number[]
    expect(from).toBeLessThanOrEqual(2)
    expect(to).toBeLessThan(450)
    await expectQuiet(watched)
  })

  it('are saved as PNG and as SVG, and sent nowhere', async () => {
    const watched = await open('summary')
    const { page } = watched
    await expect
      .poll(() => page.locator('.modebar-btn[data-title*="loud"], .plotlyjsicon').count())
      .toBe(0)
    for (const [title, name, magic, part] of [
      // Who is sent a picture has no page with a legend beside it; in a PNG that cannot be read.
      ['Save as PNG', 'x_summary.png', '\u0089PNG', 'IHDR'],
      ['Save as SVG', 'x_summary.svg', '<svg', 'Memory, requested'],
    ] as const) {
      const download = page.waitForEvent('download')
      await page.locator(`.modebar-btn[data-title="${title}"]`).click()
      const saved = await download
      expect(saved.suggestedFilename()).toBe(name)
      const content = readFileSync(await saved.path(), 'latin1')
      expect(content.slice(0, 4)).toBe(magic)
      expect(content.length).toBeGreaterThan(10_000)
      expect(content.includes(part)).toBe(true)
    }
    await expectQuiet(watched)
  })

  it('follow the colours that the reader prefers', async () => {
    for (const colorScheme of ['light', 'dark'] as const) {
      const digits = palette.sheet[colorScheme].slice(1).match(/../g) ?? []
      const channels = digits.map((two) => Number.parseInt(two, 16)).join(', ')
      const watched = await open('summary', { colorScheme })
      const drawing = watched.page.locator('.main-svg').first()
      await expect.poll(() => drawing.getAttribute('style')).toContain(`rgb(${channels})`)
      await expectQuiet(watched)
    }
  })

  it('change their colours with the reader’s, lines and legend alike', async () => {
    const watched = await open('memory_all_jobs', { colorScheme: 'light' })
    const { page } = watched
    const colours = () =>
      page.evaluate<string[]>(`[
        document.querySelectorAll('.scatterlayer .trace')[1].querySelector('.js-line'),
        document.querySelectorAll('#legend path')[1],
      ].map((line) => getComputedStyle(line).stroke)`)
    await expect.poll(colours).toEqual(['rgb(21, 82, 186)', 'rgb(21, 82, 186)'])
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(colours).toEqual(['rgb(153, 177, 225)', 'rgb(153, 177, 225)'])
    await expectQuiet(watched)
  })

  it('say what is missing where the Plotly beside them is', async () => {
    const alone = join(directory, 'alone')
    mkdirSync(alone)
    copyFileSync(join(directory, 'x_summary.html'), join(alone, 'page.html'))
    const { page } = await openPage(browser, join(alone, 'page.html'))
    await expect
      .poll(() => page.locator('#plot').textContent())
      .toMatch(/plotly-[\d.]+-[\da-f]{16}\.min\.js is not/)
    await page.context().close()
  })

  it('are complete in themselves where that is asked for', async () => {
    const alone = join(directory, 'mailed')
    const isSelfContained = true
    const request = { paths: [series], directory: alone, prefix: 'x', jobIds: [3], isSelfContained }
    const { pages, plotly } = writePlots(realSystem({ ownsProcess: false }), request)
    expect(plotly).toBe(null)
    expect(readdirSync(alone).filter((name) => name.endsWith('.js'))).toEqual([])
    const watched = await openPage(browser, pages[0] ?? '')
    await watched.page.waitForSelector('#plot[data-drawn=yes]')
    await expectQuiet(watched)
  })
})
