import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { build } from 'rolldown'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ChartSeries, JobChartData } from '../../src/model/job-chart-data.ts'
import { repository } from '../workloads/compile.ts'
import { chromiumMissing, startChromium } from './chromium.ts'

const seconds = Array.from({ length: 101 }, (_, second) => second)

function series(name: string, unit: ChartSeries['unit'], values: number[]): ChartSeries {
  const figures = { lowest: 0, mean: 1, highest: Math.max(...values), highest_at_seconds: 100 }
  return { name, label: 'in use', unit, values, figures }
}

const data: JobChartData = {
  task_id: 'a'.repeat(32),
  name: 'train',
  started_at: 1_700_000_000,
  duration_seconds: null,
  from_seconds: 0,
  to_seconds: 100,
  sample_count: 101,
  is_whole: true,
  charts: [
    {
      id: 'cpu',
      title: 'CPU',
      times: seconds,
      series: [series('cpu_percent', 'core_percent', seconds)],
      lines: [{ kind: 'request', label: 'requested', unit: 'core_percent', value: 200 }],
    },
    {
      id: 'memory',
      title: 'Memory',
      times: seconds,
      series: [
        series(
          'memory_bytes',
          'bytes',
          seconds.map((second) => second * 2 ** 20),
        ),
      ],
      lines: [],
    },
  ],
  absent: [{ id: 'io', title: 'Storage', why: 'nothing was read' }],
  phases: [{ from_seconds: 0, to_seconds: 50, label: 'load', origin: 'marked' }],
  marks: [{ at_seconds: 60, label: 'epoch 2' }],
}

/** The policy of the dashboard, but for files. */
const policy =
  "default-src 'none'; script-src file:; style-src file:; img-src data:; base-uri 'none'; form-action 'none'"

describe.skipIf(chromiumMissing)('the charts of a job in Chromium', () => {
  let directory: string
  let browser: Browser
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-charts-'))
    const entry = join(directory, 'entry.js')
    const charts = join(repository, 'src/browser/job/job-charts.ts')
    writeFileSync(
      entry,
      `import { jobCharts } from ${JSON.stringify(charts)}
       globalThis.asked = []
       const options = { onRange: (...range) => globalThis.asked.push(range) }
       globalThis.charts = jobCharts(document.querySelector('main'), ${JSON.stringify(data)}, options)`,
    )
    const { output } = await build({ input: entry, write: false, output: { format: 'iife' } })
    writeFileSync(join(directory, 'charts.js'), output[0].code)
    writeFileSync(
      join(directory, 'page.html'),
      `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>charts</title>
       <meta http-equiv="Content-Security-Policy" content="${policy}"></head>
       <body><main></main><script src="charts.js"></script></body></html>`,
    )
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(directory, { recursive: true })
  })

  /** Whatever the page complains of fails the test that uses it. */
  async function withPage(use: (page: Page) => Promise<void>, width = 1200): Promise<void> {
    const context = await browser.newContext({ viewport: { width, height: 800 } })
    const page = await context.newPage()
    const complaints: string[] = []
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', (error) => complaints.push(error.message))
    await page.goto(`file://${join(directory, 'page.html')}`)
    await use(page)
    expect(complaints).toEqual([])
    await context.close()
  }
  const figures = (page: Page) => page.locator('.jc-key:not(.request) b').allTextContents()
  const range = (page: Page) => page.evaluate<number[]>('[...charts.range()]')
  const rounded = async (page: Page) => (await range(page)).map(Math.round)
  const asked = (page: Page) => page.evaluate<number[][]>('asked')
  async function plotBox(page: Page) {
    const box = await page.locator('.u-over').first().boundingBox()
    if (box === null) throw new Error('no plot')
    return box
  }

  it('say what is not there and why, and have the figures as a table', () =>
    withPage(async (page) => {
      await expect
        .poll(() => page.locator('.jc-absent').textContent())
        .toBe('Storage: nothing was read.')
      await expect
        .poll(() => page.locator('.jc-plot[role=img]').first().getAttribute('aria-label'))
        .toBe('CPU over 1m 40s: in use up to 1 core, requested 2 cores')
      await page.locator('summary').click()
      await expect
        .poll(() => page.locator('tbody tr').first().textContent())
        .toContain('requested 2 cores')
    }))

  it('are zoomed together by dragging, and ask for finer data once; a double click shows all', () =>
    withPage(async (page) => {
      const { x, y, width } = await plotBox(page)
      await page.mouse.move(x + width * 0.25, y + 20)
      await page.mouse.down()
      await page.mouse.move(x + width * 0.75, y + 20, { steps: 4 })
      await page.mouse.up()
      await expect.poll(() => rounded(page)).toEqual([25, 75])
      await expect.poll(() => asked(page)).toHaveLength(1)
      await expect.poll(() => page.getByRole('button', { name: 'Show all' }).isVisible()).toBe(true)
      await page.mouse.dblclick(x + width / 2, y + 20)
      await expect.poll(() => range(page)).toEqual([0, 100])
      await expect.poll(() => asked(page)).toHaveLength(2)
    }))

  it('are walked through with keys, all at the same moment', () =>
    withPage(async (page) => {
      await page.locator('.job-charts').focus()
      for (let step = 0; step < 11; step += 1) await page.keyboard.press('ArrowRight')
      await expect.poll(() => page.locator('.jc-time').textContent()).toBe('after 10s · load')
      await expect.poll(() => figures(page)).toEqual(['0.1 cores', '10 MB'])
      await page.keyboard.press('ArrowLeft')
      await expect.poll(() => figures(page)).toEqual(['0.09 cores', '9 MB'])
      await page.keyboard.press('+')
      const length = async () => {
        const [from = 0, to = 0] = await range(page)
        return to - from
      }
      await expect.poll(length).toBeCloseTo(50, 0)
      await page.keyboard.press('0')
      await expect.poll(() => range(page)).toEqual([0, 100])
    }))

  it('are zoomed with two fingers, and one moves the cursor', () =>
    withPage(async (page) => {
      const { x, y, width } = await plotBox(page)
      const touch = (type: string, pointerId: number, share: number) =>
        page.evaluate(
          `document.querySelector('.u-over').dispatchEvent(new PointerEvent('${type}', { bubbles: true,
            pointerType: 'touch', pointerId: ${pointerId}, clientX: ${x + width * share}, clientY: ${y + 20} }))`,
        )
      await touch('pointerdown', 1, 0.4)
      await touch('pointermove', 1, 0.5)
      await expect.poll(() => page.locator('.jc-time').textContent()).toMatch(/^after 50/)
      await touch('pointerdown', 2, 0.6)
      await touch('pointermove', 2, 0.7)
      await expect.poll(() => rounded(page)).toEqual([25, 75])
    }))

  it('follow a job that runs, and stay where they are when zoomed', () =>
    withPage(async (page) => {
      const append = (at: number) =>
        page.evaluate(
          `charts.append({ columns: ['elapsed_seconds', 'cpu_percent', 'memory_bytes'],
            rows: [[${at}, 350, ${2 ** 31}], [${at + 0.5}, null, ${2 ** 31}]] })`,
        )
      await append(101)
      await expect.poll(() => range(page)).toEqual([0, 101.5])
      await expect.poll(() => figures(page)).toEqual(['up to 3.5 cores', 'up to 2 GB'])
      await page.evaluate('charts.setRange(20, 40)')
      await append(103)
      await expect.poll(() => range(page)).toEqual([20, 40])
    }))

  it('keep what is shown when finer data comes, and forget nothing that was seen', () =>
    withPage(async (page) => {
      await page.evaluate('charts.setRange(20, 40)')
      await page.evaluate(
        (finer) =>
          (globalThis as unknown as { charts: { update(data: unknown): void } }).charts.update(
            finer,
          ),
        { ...data, phases: [], from_seconds: 16, to_seconds: 48 },
      )
      await expect.poll(() => range(page)).toEqual([20, 40])
      await expect.poll(() => page.locator('.jc-phases').textContent()).toBe('load')
    }))

  it('are drawn in the colours of the page and as wide as it is, and leave nothing behind', () =>
    withPage(async (page) => {
      const picture = () =>
        page.evaluate<string>(`document.querySelector('.jc-plot canvas').toDataURL()`)
      const light = await picture()
      await page.evaluate(`document.documentElement.dataset.theme = 'dark'`)
      await expect.poll(picture).not.toBe(light)
      await page.setViewportSize({ width: 390, height: 800 })
      const fits = `(() => { const place = document.querySelector('.jc-plot')
        return place.clientWidth < 390 && place.clientWidth - place.querySelector('canvas').clientWidth < 2 })()`
      await expect.poll(() => page.evaluate<boolean>(fits)).toBe(true)
      await page.evaluate('charts.destroy()')
      await expect.poll(() => page.locator('main *').count()).toBe(0)
    }))
})
