import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writePlots } from '../../src/cli/reports/plot-files.ts'
import { saveReport } from '../../src/cli/reports/save-report.ts'
import { atLeast } from '../../src/model/measured.ts'
import { realSystem } from '../../src/system/real.ts'
import { anyJobs, makeSeriesOf, phasedJobs, reportOf } from './any-jobs.ts'
import { chromiumMissing, openPage, startChromium, type WatchedPage } from './chromium.ts'
import {
  brokenWords,
  overlappingNotes,
  plotLayoutProblems,
  reportLayoutProblems,
  seenNotes,
} from './layout-problems.ts'

const windows = [
  { width: 1400, height: 900 },
  { width: 1024, height: 768 },
]
const narrowWindows = [
  { width: 800, height: 1000 },
  { width: 390, height: 800 },
]
// JOBMETER_LAYOUT_SEED=… looks at other jobs than the usual ones.
const seed = Number(process.env['JOBMETER_LAYOUT_SEED'] ?? 1)
/** Whether the page has taken notice of its window: plots fill their place, and charts theirs. */
const fills = `(() => {
  const plot = document.getElementById('plot')
  const place = plot ?? document.querySelector('.jc-plot, .bars') ?? document.body
  const picture = place.querySelector('canvas, svg')
  const { paddingLeft, paddingRight } = getComputedStyle(place)
  return picture === null || Math.abs(picture.clientWidth - place.clientWidth + parseFloat(paddingLeft) + parseFloat(paddingRight)) < 2
})()`
const system = realSystem({ ownsProcess: false })

describe.skipIf(chromiumMissing)('whatever the jobs are, nothing is cut or covered', () => {
  let directory: string
  let browser: Browser
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-layout-'))
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(directory, { recursive: true })
  })

  /** The same page in each window, as if somebody had made it smaller. */
  async function problemsOf(
    watched: WatchedPage,
    look: (page: Page) => Promise<string[]>,
    sizes = windows,
  ): Promise<string[]> {
    const { page, complaints, requests } = watched
    const found: string[] = []
    for (const window of sizes) {
      await page.setViewportSize(window)
      await expect.poll(() => page.evaluate(fills), { interval: 20 }).toBe(true)
      const problems = await look(page)
      found.push(...problems.map((problem) => `${window.width} × ${window.height}: ${problem}`))
    }
    await page.context().close()
    return [...found, ...complaints, ...requests]
  }
  const inPlot = (page: Page) => page.evaluate<string[]>(plotLayoutProblems)
  /** With each resource, as measured and in percent, where there is a choice. */
  async function inReport(page: Page): Promise<string[]> {
    const found: string[] = []
    for (const unit of ['raw', 'share'])
      for (const resource of ['memory', 'cpu', 'runtime']) {
        for (const value of [unit, resource]) {
          const choice = page.locator(`.choice input[value=${value}]`)
          if ((await choice.count()) > 0) await choice.check()
        }
        const problems = await page.evaluate<string[]>(reportLayoutProblems)
        found.push(...problems.map((problem) => `${resource}, ${unit}: ${problem}`))
      }
    return found
  }
  it.each(anyJobs(seed + 200, [1, 2, 60]).map((jobs) => [jobs.length, jobs] as const))(
    'in a report on %i jobs on half a screen and on a telephone',
    async (count, jobs) => {
      const path = join(directory, `narrow_${count}.html`)
      saveReport(system, reportOf(jobs, count === 1 ? 'job' : 'workflow'), path)
      const watched = await openPage(browser, path)
      expect(await problemsOf(watched, inReport, narrowWindows)).toEqual([])
    },
  )

  it('breaks no short word in a narrow window', async () => {
    const jobs = anyJobs(seed + 300, [12])[0]?.map((job, index) => ({ ...job, name: `w_${index}` }))
    const path = join(directory, 'words.html')
    saveReport(system, reportOf(jobs ?? [], 'workflow'), path)
    for (const viewport of narrowWindows) {
      const { page } = await openPage(browser, path, { viewport })
      await expect
        .poll(() => page.evaluate(brokenWords), { message: String(viewport.width) })
        .toEqual([])
      await page.context().close()
    }
  })

  it('has a lower bound on one line of its card', async () => {
    const whole = reportOf(anyJobs(seed + 600, [4])[0] ?? [], 'workflow')
    const memoryPeakBytes = atLeast(3.02 * 2 ** 20, 'looks')
    const jobs = whole.jobs.map((job) => ({
      ...job,
      attempts: job.attempts.map((one) => ({
        ...one,
        record: { ...one.record, usage: { ...one.record.usage, memoryPeakBytes } },
      })),
    }))
    const path = join(directory, 'bound.html')
    saveReport(system, { ...whole, jobs }, path)
    const { page } = await openPage(browser, path)
    const figure = page.locator('.tiles strong', { hasText: 'at least 3.02 MB' })
    const other = page.locator('.tiles strong', { hasText: ' of 4' })
    const height = async (one: typeof figure) => (await one.boundingBox())?.height
    expect(await height(figure)).toBe(await height(other))
    await page.context().close()
  })

  const longNamed = (jobs: number) =>
    (anyJobs(seed + 700, [jobs])[0] ?? []).map((job, index) => ({
      ...job,
      name: `preprocess_the_long_sample_with_a_name_${index}`,
    }))

  it('leaves most of the window to a plot of many jobs with long names, and names the highest bars', async () => {
    const series = makeSeriesOf(directory, longNamed(50))
    writePlots(system, { paths: [series], directory, prefix: 'long' })
    const overview = join(directory, 'long_cpu_all_jobs.html')
    for (const viewport of narrowWindows) {
      const { page } = await openPage(browser, overview, { viewport })
      await page.waitForSelector('#plot[data-drawn=yes]')
      const legend = await page.locator('#legend').boundingBox()
      expect(legend?.height).toBeLessThanOrEqual(0.3 * viewport.height + 1)
      await page.context().close()
    }
    const summary = join(directory, 'long_summary.html')
    const { page } = await openPage(browser, summary, { viewport: windows[0] ?? null })
    await page.waitForSelector('#plot[data-drawn=yes]')
    expect(await page.locator('#plot .xtick text').count()).toBe(40)
    await page.context().close()
  })

  it('scrolls the table of jobs sideways rather than break their names into many lines', async () => {
    const path = join(directory, 'scrolls.html')
    saveReport(system, reportOf(longNamed(12), 'workflow'), path)
    const { page } = await openPage(browser, path, { viewport: narrowWindows[0] ?? null })
    const name = await page.locator('.scroll.jobs tbody .job').first().boundingBox()
    expect(name?.width).toBeGreaterThan(300)
    const [shown, whole] = await page.evaluate<[number, number]>(
      `(({ clientWidth, scrollWidth }) => [clientWidth, scrollWidth])(document.querySelector('.scroll.jobs'))`,
    )
    expect(shown).toBeLessThan(800)
    expect(whole).toBeGreaterThan(shown)
    await page.context().close()
  })

  it('keeps the titles of strips apart on a telephone', async () => {
    const series = makeSeriesOf(directory, phasedJobs)
    const { pages } = writePlots(system, { paths: [series], directory, prefix: 'strips' })
    const { page } = await openPage(browser, pages[0] ?? '', { viewport: narrowWindows[1] ?? null })
    await page.waitForSelector('#plot[data-drawn=yes]')
    const titles = page.locator('#plot [class^=g-y] text')
    await expect.poll(() => titles.count()).toBe(4)
    const boxes = await Promise.all([0, 1, 2, 3].map((at) => titles.nth(at).boundingBox()))
    const ends = boxes.map((box) => [box?.y ?? 0, (box?.y ?? 0) + (box?.height ?? 0)] as const)
    for (const [at, [, bottom]] of ends.slice(0, -1).entries())
      expect(bottom + 8, `title ${at}`).toBeLessThan(ends[at + 1]?.[0] ?? 0)
    await page.context().close()
  })

  it('tells long names apart that have both their ends in common', async () => {
    const [some = []] = anyJobs(seed + 500, [3])
    const jobs = some.map((job, index) => ({
      ...job,
      name: `a_very_long_name_of_a_job_that_goes_on_and_on_${index}_with_a_suffix`,
    }))
    const path = join(directory, 'names.html')
    saveReport(system, reportOf(jobs, 'workflow'), path)
    for (const viewport of [...windows, ...narrowWindows]) {
      const { page } = await openPage(browser, path, { viewport })
      const names = page.locator('#timeline .gantt .name')
      await expect
        .poll(async () => new Set(await names.allTextContents()), {
          message: String(viewport.width),
        })
        .toEqual(
          new Set<unknown>([0, 1, 2].map((at): unknown => expect.stringContaining(`_${at}_`))),
        )
      await page.context().close()
    }
  })

  it('names the run that was resumed last in full, however late it began', async () => {
    const whole = reportOf(anyJobs(seed + 400, [5])[0] ?? [], 'workflow')
    const [first] = whole.runs
    const startedAt = Math.max(
      ...whole.jobs.flatMap(({ attempts }) => attempts.map(({ record }) => record.endedAt ?? 0)),
    )
    const record = whole.jobs[0]?.attempts[0]?.record
    if (first === undefined || record === undefined) throw new Error('no job')
    const again = { ...record, startedAt, endedAt: startedAt + 1, durationSeconds: 1 }
    const source = {
      ...whole,
      runs: [first, ...[2, 3].map((runId) => ({ runId, startedAt, endedAt: startedAt + 1 }))],
      jobs: whole.jobs.map((job, index) =>
        index > 0
          ? job
          : {
              ...job,
              attempts: [2, 3].map((runId) => ({
                runId,
                attempt: runId,
                record: again,
                curves: null,
                marks: null,
              })),
            },
      ),
    }
    const path = join(directory, 'resumed.html')
    saveReport(system, source, path)
    for (const viewport of [...windows, ...narrowWindows]) {
      const { page } = await openPage(browser, path, { viewport })
      await expect
        .poll(() => page.evaluate(reportLayoutProblems), { message: String(viewport.width) })
        .toEqual([])
      await expect.poll(() => page.locator('.break path').count()).toBe(2)
      await expect.poll(() => page.locator('.break text').allTextContents()).toEqual(['run 2'])
      await page.context().close()
    }
  })

  it('shows the notes of a plot that have room on a telephone, and no others', async () => {
    const path = makeSeriesOf(directory, phasedJobs)
    const { pages } = writePlots(system, { paths: [path], directory, prefix: 'phased' })
    const { page } = await openPage(browser, pages[0] ?? '')
    await page.waitForSelector('#plot[data-drawn=yes]')
    const wide = await page.evaluate<string[]>(seenNotes)
    await page.setViewportSize({ width: 390, height: 800 })
    await expect.poll(() => page.evaluate(fills), { interval: 20 }).toBe(true)
    await expect.poll(() => page.evaluate(overlappingNotes)).toEqual([])
    const narrow = await page.evaluate<string[]>(seenNotes)
    expect(narrow.length).toBeGreaterThan(0)
    expect(narrow.length).toBeLessThan(wide.length)
    await page.setViewportSize({ width: 1400, height: 900 })
    await expect.poll(() => page.evaluate(seenNotes)).toEqual(wide)
    await page.context().close()
  })

  it.each(anyJobs(seed, [1, 18, 60]).map((jobs) => [jobs.length, jobs] as const))(
    'in plots of %i jobs',
    async (count, jobs) => {
      const path = makeSeriesOf(directory, jobs)
      const { pages } = writePlots(system, { paths: [path], directory, prefix: `of_${count}` })
      for (const page of [pages[0] ?? '', ...pages.slice(-2)]) {
        const watched = await openPage(browser, page)
        await watched.page.waitForSelector('#plot[data-drawn=yes]')
        expect(await problemsOf(watched, inPlot), page).toEqual([])
      }
    },
  )

  it.each(anyJobs(seed + 100, [1, 2, 60, 180]).map((jobs) => [jobs.length, jobs] as const))(
    'in a report on %i jobs',
    async (count, jobs) => {
      const path = join(directory, `report_${count}.html`)
      saveReport(system, reportOf(jobs, count === 1 ? 'job' : 'workflow'), path)
      expect(await problemsOf(await openPage(browser, path), inReport)).toEqual([])
    },
  )
})
