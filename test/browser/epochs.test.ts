import { appendFileSync, readFileSync, writeFileSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import { chromiumMissing, openPage, startChromium } from './chromium.ts'

const columns =
  'gpu_0_util,gpu_0_memory_pct,gpu_1_util,cpu_percent,cpu_process_percent,memory_available_mb,memory_process_mb,io_read_rate_mbps,io_write_rate_mbps,io_wait_pct,batch_time_mean_ms,batch_time_p95_ms'

/** Two cards, of which the second has nothing to do, over some hundred batches. */
function epochText(epoch: number): string {
  const rows = Array.from({ length: 30 }, (_, index) => {
    const time = new Date(1.76e12 + epoch * 300_000 + index * 5000).toISOString()
    const wave = Math.sin(index / 4)
    const figures = [
      80 + 10 * wave,
      50,
      3,
      45,
      180,
      8000,
      2000 + index,
      75 + 5 * wave,
      6,
      2,
      10,
      14,
    ]
    return `${index * 10},${time},${figures.map((figure) => figure.toFixed(2)).join(',')}\n`
  })
  return `step,timestamp,${columns}\n${rows.join('')}`
}

describe('plot-epochs', () => {
  let box: Sandbox
  beforeAll(() => {
    box = sandbox()
    for (const epoch of [0, 1, 2]) writeFileSync(box.path(`epoch_${epoch}.csv`), epochText(epoch))
  })
  afterAll(() => box[Symbol.dispose]())

  it('writes a page that can be passed on alone, and says what is in it', async () => {
    const ended = await box.jobmeter(['plot-epochs', '.', '-o', 'a.html', '--format', 'json'])
    expect(JSON.parse(ended.stdout)).toEqual({
      page: 'a.html',
      epochs: 3,
      rows: 90,
      earlier_rows: 0,
    })
    expect(readFileSync(box.path('a.html'), 'utf8')).not.toMatch(/<script src|<link/)
    const plain = await box.jobmeter(['plot-epochs', '.'])
    expect(plain.stdout).toBe('resource_timeline.html: 3 epochs · 90 logged batches\n')
  })

  it.each([
    [['plot-epochs', 'nowhere'], /nowhere does not exist/],
    [['plot-epochs', 'empty'], /no rows of epoch_0.csv, epoch_1.csv … in empty/],
    [['plot-epochs', '.', '-o', 'no/such/a.html'], /not written/],
    [['plot-epochs'], /DIR/i],
  ])('%j is refused in words', async (args, words) => {
    await box.shell('mkdir -p empty; touch empty/other.csv')
    const ended = await box.jobmeter(args)
    expect(ended.code).not.toBe(0)
    expect(ended.stderr).toMatch(words)
    expect(ended.stderr).not.toContain('a bug in jobmeter')
  })

  it('names a file that it cannot read', async () => {
    await box.shell('mkdir -p odd; echo "name,price" > odd/epoch_3.csv')
    const ended = await box.jobmeter(['plot-epochs', 'odd'])
    expect(ended.stderr).toMatch(/odd\/epoch_3\.csv does not begin with step,timestamp/)
  })

  describe.skipIf(chromiumMissing)('in Chromium', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await startChromium()
    })
    afterAll(() => browser.close())

    it('draws GPUs, CPU, memory and I/O over the steps of all epochs', async () => {
      appendFileSync(box.path('epoch_2.csv'), '300,cut')
      await box.jobmeter(['plot-epochs', '.', '-o', 'b.html'])
      const { page, complaints, requests } = await openPage(browser, box.path('b.html'))
      await page.waitForSelector('#plot[data-drawn=yes]')
      await expect
        .poll(() => page.locator('#note').textContent())
        .toBe('3 epochs · 90 logged batches · 1 broken line left out')
      const legend = await page.locator('#legend .name').allTextContents()
      expect(legend).toEqual([
        'GPU 0',
        'GPU 1',
        'GPU 0 memory',
        'CPU of the machine',
        'CPU of the process',
        'I/O wait',
        'memory of the process',
        'memory available',
        'read',
        'written',
        'batch, mean',
        'batch, 95th percentile',
      ])
      const notes = await page.locator('#plot .annotation-text').allTextContents()
      expect(notes).toEqual(['epoch 0', 'epoch 1', 'epoch 2'])
      const span = await page.evaluate<[number, number]>(
        `document.getElementById('plot')._fullLayout.xaxis.range`,
      )
      expect(span[1]).toBeGreaterThan(880)
      const plot = await page.locator('#plot .nsewdrag').first().boundingBox()
      await page.mouse.move((plot?.x ?? 0) + (plot?.width ?? 0) * 0.5, (plot?.y ?? 0) + 20)
      await page.mouse.move((plot?.x ?? 0) + (plot?.width ?? 0) * 0.5 + 2, (plot?.y ?? 0) + 20)
      await page.waitForSelector('.hoverlayer text')
      const said = async () => (await page.locator('.hoverlayer text').allTextContents()).join(' ')
      await expect.poll(said).toMatch(/GPU 0 : \d+(\.\d+)? % · epoch 1, step \d+0 /)
      expect(complaints).toEqual([])
      expect(requests).toEqual([])
      await page.context().close()
    })
  })
})
