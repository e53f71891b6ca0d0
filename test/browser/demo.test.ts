import { spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { repository } from '../workloads/compile.ts'
import { chromiumMissing, openPage, startChromium } from './chromium.ts'

describe.skipIf(chromiumMissing)('the demo', () => {
  it('ends with the path of a page that shows its workflow, and complains of nothing', async () => {
    const ended = spawnSync(process.execPath, [join(repository, 'tools/demo.ts')], {
      encoding: 'utf8',
      timeout: 150_000,
    })
    expect(ended.status, ended.stderr).toBe(0)
    const path = ended.stdout.trimEnd().split('\n').at(-1) ?? ''
    expect(path).toMatch(/^\/.*\/report\.html$/)
    const browser = await startChromium()
    try {
      const { page, complaints, requests } = await openPage(browser, path)
      const names = await page.locator('#jobs tbody th').allTextContents()
      // Behind a name stands the group that it belongs to.
      expect(names.map((name) => name.replace('train_#', '').trim()).toSorted()).toEqual([
        'compare',
        'prepare',
        'train_12',
        'train_4',
        'train_8',
      ])
      await expect.poll(() => page.locator('#timeline .gantt g[data-job]').count()).toBe(5)
      expect({ complaints, requests }).toEqual({ complaints: [], requests: [] })
    } finally {
      await browser.close()
      rmSync(dirname(path), { recursive: true })
    }
  })
})
