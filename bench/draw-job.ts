/**
 * Draws a job of 1,000,000 samples in Chromium: from its data in the page to the frame with all charts in it, of the answer
 * that was thinned to 2,000 points a chart and of every sample of one series. Prints the ratio to uPlot alone.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'rolldown'
import { median } from '../src/analysis/statistics/median.ts'
import { jobSeries } from '../src/service/job-series.ts'
import { readerOf } from '../src/store/ledger/ledger-reader.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import { startChromium } from '../test/browser/chromium.ts'
import { addLongJob } from '../test/synthetic/long-job.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const samples = Number(process.env['JOBMETER_BENCH_SAMPLES'] ?? 1_000_000)
const repeats = 5
const points = 2000
const limitMilliseconds = 300

/** In the page: how long each takes until the frame after it. */
const inPage = `
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)))
  const place = () => {
    document.body.replaceChildren(document.createElement('div'))
    return document.body.firstChild
  }
  globalThis.drawn = async (draw) => {
    const host = place()
    await frame()
    const started = performance.now()
    const made = draw(host)
    await frame()
    const took = performance.now() - started
    made.destroy()
    return took
  }
  globalThis.alone = (times, values) => (host) => new uPlot({
    width: 1200, height: 148, scales: { x: { time: false } }, series: [{}, { stroke: 'blue' }],
  }, [times, values], host)
  globalThis.jobCharts = jobCharts
`

async function pageScript(directory: string): Promise<string> {
  const entry = join(directory, 'entry.js')
  const root = join(import.meta.dirname, '..')
  writeFileSync(
    entry,
    `import uPlot from ${JSON.stringify(join(root, 'node_modules/uplot/dist/uPlot.esm.js'))}
     import { jobCharts } from ${JSON.stringify(join(root, 'src/browser/job/job-charts.ts'))}
     ${inPage}`,
  )
  const { output } = await build({ input: entry, write: false, output: { format: 'iife' } })
  return output[0].code
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
const browser = await startChromium()
try {
  const ledger = openSqliteLedger(join(directory, 'ledger.db'))
  const record = addLongJob(ledger, samples)
  const thin = await jobSeries(readerOf(ledger), record, { points })
  const whole = await jobSeries(readerOf(ledger), record, { points: null })
  ledger.close()
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  await page.setContent('<!doctype html><title>charts</title><body></body>')
  await page.addScriptTag({ content: await pageScript(directory) })
  const memory = whole.charts.filter(({ id }) => id === 'memory')
  const [series] = memory
  await page.evaluate((given) => Object.assign(globalThis, given), {
    thin,
    raw: { ...whole, charts: memory },
    times: series?.times,
    values: series?.series[0]?.values,
    thinTimes: thin.charts[1]?.times,
    thinValues: thin.charts[1]?.series[0]?.values,
  })
  const milliseconds = async (draw: string): Promise<number> => {
    const taken: number[] = []
    for (let turn = 0; turn < repeats; turn += 1)
      taken.push(await page.evaluate<number>(`drawn(${draw})`))
    return median(taken) ?? Number.NaN
  }
  const aloneThin = await milliseconds('alone(thinTimes, thinValues)')
  const drawnThin = await milliseconds('(host) => jobCharts(host, thin)')
  const aloneRaw = await milliseconds('alone(times, values)')
  const drawnRaw = await milliseconds('(host) => jobCharts(host, raw)')
  printTable([
    ['', 'milliseconds', '× uPlot alone'],
    [
      `uPlot alone, one series of ${thin.charts[1]?.times.length ?? 0} points`,
      rounded(aloneThin),
      1,
    ],
    [
      `${thin.charts.length} charts of the thinned job`,
      rounded(drawnThin),
      rounded(drawnThin / aloneThin),
    ],
    [`uPlot alone, one series of ${series?.times.length ?? 0} points`, rounded(aloneRaw), 1],
    ['the memory chart with every sample', rounded(drawnRaw), rounded(drawnRaw / aloneRaw)],
  ])
  verdict('the thinned job drawn', drawnThin, limitMilliseconds, ' ms')
} finally {
  await browser.close()
  rmSync(directory, { recursive: true })
}
