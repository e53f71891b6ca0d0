import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundBy } from '../../src/analysis/job/bound-by.ts'
import { reportSource } from '../../src/render/page/report-words.ts'
import { markReport } from '../../src/analysis/series/marked.ts'
import { gatherJob } from '../../src/service/gather-job.ts'
import { gatherWorkflow } from '../../src/service/gather-report.ts'
import { jobSeries } from '../../src/service/job-series.ts'
import { saveReport } from '../../src/cli/reports/save-report.ts'
import { atLeast, measured } from '../../src/model/measured.ts'
import { emptyUsage } from '../../src/model/usage.ts'
import { readerOf } from '../../src/store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../../src/store/ledger/open.ts'
import { realSystem } from '../../src/system/real.ts'
import { chromiumMissing, expectQuiet, openPage, startChromium } from './chromium.ts'
import { someEnd, someSamples, someStart } from '../contracts/attempts.ts'
import { accessibilityProblems } from './accessibility-problems.ts'
import { reportLayoutProblems } from './layout-problems.ts'
import { someRun, someWorkflow, WorkflowInLedger } from '../contracts/workflows.ts'
import { recordAttempt } from '../recorded-workflow.ts'
import { hostileName, makeWorkflow } from './made-workflow.ts'

const colourSchemes = ['light', 'dark'] as const

const inUtc = { zone: 'utc', version: '1.2.3' } as const

describe.skipIf(chromiumMissing)('a report in Chromium', () => {
  let directory: string
  let browser: Browser
  let path: string
  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'jobmeter-report-'))
    const { workflowId } = makeWorkflow(join(directory, 'ledger.db'), 1000, true)
    const ledger = openSqliteLedger(join(directory, 'ledger.db'))
    const system = realSystem({ ownsProcess: false })
    const stored = ledger.workflows.findWorkflow(workflowId)
    if (stored === undefined) throw new Error('no workflow')
    path = join(directory, 'report.html')
    const gathered = await gatherWorkflow(system, readerOf(ledger), stored)
    saveReport(system, reportSource(gathered, inUtc), path)
    ledger.close()
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    rmSync(directory, { recursive: true })
  })

  const jobIds = (page: Page) =>
    page.evaluate<number[]>(
      `[...document.querySelectorAll('#jobs tbody tr')].map((row) => Number(row.dataset.job))`,
    )

  it('shows one job over time', async () => {
    const system = realSystem({ ownsProcess: false })
    const ledger = openSqliteLedger(join(directory, 'ledger.db'))
    const attempt = ledger.jobs.begin(someStart('f'.repeat(32)))
    const seconds = Array.from({ length: 60 }, (_, index) => index)
    const figures = {
      timestamp: seconds.map((second) => 1_700_000_000 + second),
      elapsed_seconds: seconds,
      cpu_user_seconds: seconds,
      cpu_system_seconds: seconds,
      memory_bytes: seconds.map((second) => second * 2 ** 26),
    }
    ledger.jobs.writer(attempt).add(someSamples(60, figures), 60)
    // Not what the samples show, which may have missed the peak.
    const usage = {
      ...emptyUsage('not in this test'),
      cpuPercentPeak: measured(210, 'cgroup'),
      memoryPeakBytes: atLeast(3.9 * 2 ** 30, 'looks'),
    }
    ledger.jobs.finish(attempt, someEnd({ usage }))
    const [record] = ledger.jobs.findByPrefix('f'.repeat(32))
    if (record === undefined) throw new Error('no record')
    const page = join(directory, 'job.html')
    const series = ledger.jobs.series(record.taskId).read()
    const nothing = { timestamp: 0, step: null, message: null }
    const marks = [
      { ...nothing, elapsedSeconds: 0, epoch: 1, phase: '<b>load' },
      { ...nothing, elapsedSeconds: 20, epoch: 2, phase: 'train' },
    ]
    const source = gatherJob(system, record, series, {
      marks: markReport(marks, series.rows, 59),
      charts: await jobSeries(readerOf(ledger), record, { points: 400 }),
    })
    saveReport(system, reportSource(source, inUtc), page)
    ledger.close()
    const watched = await openPage(browser, page)
    const parts = await watched.page.locator('#marks tbody tr').allInnerTexts()
    expect(parts.map((line) => line.split('\t')[1])).toEqual([
      'epoch 1',
      'epoch 2',
      '<b>load',
      'train',
    ])
    const charts = watched.page.locator('#series .jc-plot')
    await expect
      .poll(() => charts.nth(0).getAttribute('aria-label'))
      .toBe('CPU over 59s: in use peak 2.1 cores, samples show up to 2 cores, requested 2 cores')
    await expect
      .poll(() => charts.nth(1).getAttribute('aria-label'))
      .toBe(
        'Memory over 59s: in use peak at least 3.9 GB, samples show up to 3.69 GB, requested 4 GB',
      )
    const told = watched.page.locator('#series .jc-key b')
    await expect.poll(() => told.first().textContent()).toBe('peak 2.1 cores')
    await charts.nth(1).hover()
    await expect
      .poll(() => watched.page.locator('.jc-time').textContent())
      .toMatch(/^after 2\d(\.\d+)?s/)
    // One cursor for all charts.
    await expect.poll(() => told.first().textContent()).toBe('2 cores')
    await expect
      .poll(() => watched.page.locator('[data-chart=memory] .jc-key b').first().textContent())
      .toMatch(/^1\.\d+ GB$/)
    await expect.poll(() => watched.page.evaluate(accessibilityProblems)).toEqual([])
    await expectQuiet(watched)
  })

  it('tells of a short job what its record does: time, warning and what held it back', async () => {
    const system = realSystem({ ownsProcess: false })
    const ledger = openSqliteLedger(join(directory, 'ledger.db'))
    const attempt = ledger.jobs.begin(someStart('e'.repeat(32), { job: { name: 'part_0001' } }))
    const seconds = [0, 0.2, 0.4, 0.6]
    const figures = {
      timestamp: seconds.map((second) => 1_700_000_000 + second),
      elapsed_seconds: seconds,
      cpu_user_seconds: seconds,
      cpu_system_seconds: seconds.map(() => 0),
      memory_bytes: seconds.map(() => 50 * 2 ** 20),
    }
    ledger.jobs.writer(attempt).add(someSamples(4, figures), 4)
    const usage = {
      ...emptyUsage('not in this test'),
      cpuTotalSeconds: measured(0.25, 'cgroup'),
      cpuPercentPeak: measured(62.6, 'cgroup'),
      memoryPeakBytes: measured(200 * 2 ** 20, 'cgroup'),
    }
    const outcome = {
      status: 'success' as const,
      exitCode: 0,
      signal: null,
      reason: 'out of memory: the kernel killed a process',
      stragglers: [],
    }
    ledger.jobs.finish(attempt, someEnd({ usage, outcome, durationSeconds: 0.6 }))
    const [record] = ledger.jobs.findByPrefix('e'.repeat(32))
    if (record === undefined) throw new Error('no record')
    const shortPath = join(directory, 'short.html')
    saveReport(
      system,
      reportSource(
        gatherJob(system, record, ledger.jobs.series(record.taskId).read(), {
          marks: null,
          charts: await jobSeries(readerOf(ledger), record, { points: 400 }),
        }),
        inUtc,
      ),
      shortPath,
    )
    ledger.close()
    for (const width of [1400, 390]) {
      const watched = await openPage(browser, shortPath, { viewport: { width, height: 800 } })
      const { page } = watched
      const told = await page.locator('#series .jc-legend').allInnerTexts()
      expect(told[0]).toMatch(/peak 0\.63 cores[^]*in shorter steps up to 1 core$/)
      expect(told[1]).toMatch(/peak 200 MB[^]*samples show up to 50 MB$/)
      await page.getByText('The same in figures').click()
      const inFigures = page.locator('.jc-figures')
      await expect
        .poll(() => inFigures.locator('.note').innerText())
        .toBe(
          'These are figures of the lines as drawn through samples; what was recorded may differ.',
        )
      const highest = inFigures.locator('tr', { hasText: 'in use' }).locator('[data-label=Highest]')
      await expect
        .poll(() => highest.allInnerTexts())
        .toEqual(['1 core (recorded peak 0.63 cores)', '50 MB (recorded peak 200 MB)'])
      const tile = page.locator('.tiles li').first()
      await expect.poll(() => tile.getAttribute('class')).toBe('warn')
      await expect.poll(() => tile.textContent()).toContain('warning: out of memory')
      await expect.poll(() => page.locator('.tiles').textContent()).toContain('0.25 s')
      await expect
        .poll(() => page.locator('#outcome .bound').textContent())
        .toBe(`Bound by ${boundBy(record).sentence}`)
      await expect
        .poll(() => page.locator('#jobs .badge').getAttribute('class'))
        .toBe('badge warned')
      // Digits as # say no more than the name.
      await expect.poll(() => page.locator('#jobs tbody th').textContent()).toBe('part_0001')
      await expect.poll(() => page.evaluate(accessibilityProblems)).toEqual([])
      await expectQuiet(watched)
    }
  })

  it('has the time at both ends of a long timeline, and the name of each line in it', async () => {
    const watched = await openPage(browser, path)
    const { page } = watched
    const times = page.locator('#timeline .axis svg')
    await expect.poll(() => times.count()).toBe(2)
    await expect.poll(() => times.nth(1).textContent()).toBe(await times.nth(0).textContent())
    const lines = page.locator('#timeline .gantt g[data-job] .row')
    await lines.nth(500).scrollIntoViewIfNeeded()
    const seen = await lines.nth(500).boundingBox()
    if (seen === null) throw new Error('no line')
    await page.mouse.move(seen.x + 3, seen.y + seen.height / 2)
    await expect.poll(() => page.locator('#tip strong').textContent()).toMatch(/_\d+$/)
    await expect.poll(() => page.locator('#tip').textContent()).toMatch(/busy|bound|core/i)
    await expectQuiet(watched)
  })

  it('is small, and shows every job', async () => {
    expect(statSync(path).size).toBeLessThan(2_000_000)
    const watched = await openPage(browser, path)
    const { page } = watched
    await expect.poll(() => page.locator('#jobs output').textContent()).toBe('1,000 jobs')
    await expect.poll(() => page.evaluate(reportLayoutProblems)).toEqual([])
    await page.getByRole('button', { name: 'Show all 1,000' }).click()
    await expect.poll(() => jobIds(page)).toHaveLength(1000)
    await expectQuiet(watched)
  })

  it('takes names for text, whatever is in them', async () => {
    const watched = await openPage(browser, path)
    const { page } = watched
    await expect
      .poll(() => page.locator('#jobs tbody th').nth(1).textContent())
      .toContain(hostileName)
    await expect.poll(() => page.locator('main img').count()).toBe(0)
    await expectQuiet(watched)
  })

  it('is searched without delay, and the timeline follows', async () => {
    const watched = await openPage(browser, path)
    const { page } = watched
    await page.getByLabel('Search').fill('train_model_1')
    await expect
      .poll(() => page.locator('#jobs output').textContent())
      .toMatch(/^\d+ of 1,000 jobs$/)
    const found = await jobIds(page)
    expect(found.length).toBeGreaterThan(5)
    await expect.poll(() => page.locator('#timeline .gantt g[data-job]').count()).toBe(found.length)
    await page.getByLabel('Search').fill('')
    await page.getByLabel('State').selectOption('timeout')
    const states = async () => new Set(await page.locator('#jobs tbody .badge').allTextContents())
    await expect.poll(states).toEqual(new Set(['timeout']))
    // Others may keep the machine busy: once is enough to show that it can be so fast.
    const milliseconds = () =>
      page.evaluate<number>(`(() => {
        const search = document.getElementById('search')
        const start = performance.now()
        search.value = 'e'
        search.dispatchEvent(new Event('input'))
        return performance.now() - start
      })()`)
    await expect.poll(milliseconds).toBeLessThan(300)
    await expectQuiet(watched)
  })

  it('is sorted by a click or a key on a heading, unknown figures last', async () => {
    const watched = await openPage(browser, path)
    const { page } = watched
    const heading = page.getByRole('columnheader', { name: 'Memory peak' })
    await heading.getByRole('button').click()
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
    const top = (await jobIds(page))[0]
    await heading.getByRole('button').press('Enter')
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    expect((await jobIds(page))[0]).not.toBe(top)
    await expectQuiet(watched)
  })

  it('shows each resource as measured and in percent of the request', async () => {
    const watched = await openPage(browser, path)
    const { page } = watched
    const bars = page.locator('#resources .bars svg')
    await expect
      .poll(() => bars.getAttribute('aria-label'))
      .toMatch(/^Memory of 1000 jobs, from [\d.]+ GB/)
    await page.getByRole('radio', { name: '% of request' }).check()
    await page.getByRole('radio', { name: 'Runtime' }).check()
    await expect
      .poll(() => bars.getAttribute('aria-label'))
      .toMatch(/^Runtime of 1000 jobs, from \d+%/)
    await expect.poll(() => page.locator('#resources .boxes .box').count()).toBe(3)
    const box = await bars.boundingBox()
    await page.mouse.move((box?.x ?? 0) + 200, (box?.y ?? 0) + 120)
    await expect.poll(() => page.locator('#tip').textContent()).toMatch(/asked for/)
    await expectQuiet(watched)
  })

  it('calls groups without a figure so, and not smaller', async () => {
    const ledger = openSqliteLedger(join(directory, 'unmeasured.db'))
    const workflow = new WorkflowInLedger(ledger, someWorkflow(['known', 'unknown']))
    ledger.workflows.beginRun(workflow.id, someRun)
    recordAttempt(ledger, workflow, 'known', { figures: { memoryPeakBytes: 2 ** 30 } })
    recordAttempt(ledger, workflow, 'unknown', {})
    const stored = ledger.workflows.findWorkflow(workflow.id)
    if (stored === undefined) throw new Error('no workflow')
    const system = realSystem({ ownsProcess: false })
    const gathered = await gatherWorkflow(system, readerOf(ledger), stored)
    ledger.close()
    const own = join(directory, 'unmeasured.html')
    saveReport(system, reportSource(gathered, inUtc), own)
    const watched = await openPage(browser, own)
    const below = watched.page.locator('#resources .boxes .none')
    await expect.poll(() => below.textContent()).toBe('and 1 group not measured')
    await expectQuiet(watched)
  })

  it('is readable by everyone: landmarks, labels, names of pictures, contrast', async () => {
    for (const colorScheme of colourSchemes) {
      const watched = await openPage(browser, path, { colorScheme })
      await expect.poll(() => watched.page.evaluate(accessibilityProblems)).toEqual([])
      await expectQuiet(watched)
    }
  })

  it('changes its colours when told to', async () => {
    const watched = await openPage(browser, path, { colorScheme: 'light' })
    const { page } = watched
    const paper = () => page.evaluate<string>(`getComputedStyle(document.body).backgroundColor`)
    const light = await paper()
    await page.getByRole('button', { name: 'Dark' }).click()
    await expect.poll(paper).not.toBe(light)
    await expect.poll(() => page.evaluate(accessibilityProblems)).toEqual([])
    await page.getByRole('button', { name: 'Light' }).click()
    await expect.poll(paper).toBe(light)
    await expectQuiet(watched)
  })

  it('prints dark on white, all jobs, without what only works on a screen', async () => {
    const watched = await openPage(browser, path, { colorScheme: 'dark' })
    const { page } = watched
    await page.emulateMedia({ media: 'print' })
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await expect
      .poll(() => page.evaluate(`getComputedStyle(document.body).backgroundColor`))
      .toBe('rgb(255, 255, 255)')
    await expect.poll(() => page.locator('nav').isVisible()).toBe(false)
    await expect.poll(() => page.locator('.filter').isVisible()).toBe(false)
    await expect.poll(() => jobIds(page)).toHaveLength(1000)
    expect((await page.pdf()).length).toBeGreaterThan(50_000)
    await expectQuiet(watched)
  })
})
