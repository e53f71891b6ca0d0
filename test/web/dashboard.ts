import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect } from 'vitest'
import { startChromium } from '../browser/chromium.ts'
import { sandbox, type Sandbox } from '../program.ts'
import {
  openDashboard,
  serve,
  settled,
  wideWindow,
  type Place,
  type Served,
  type WatchedPage,
} from './served.ts'

/** The program serving a sandbox, and a browser that is signed in there, for all tests of a `describe`. */
export interface Dashboard {
  readonly box: Sandbox
  readonly browser: Browser
  /** Another one may be started in its place. */
  served: Served
  /** The page that the tests use in turn: loaded afresh for each, in a process and with cookies that are kept. */
  open(path: string): Promise<WatchedPage>
  /** A page of its own, for what would stay behind: routes, clocks, listeners and choices that are kept. */
  openApart(
    path: string,
    options?: Parameters<Browser['newContext']>[0],
  ): ReturnType<typeof openDashboard>
}

/** What is prepared in the sandbox before it is served, and how it is. */
type Prepare = (box: Sandbox) => Promise<Place | void>

export function useDashboard(prepare: Prepare): Dashboard {
  let box: Sandbox
  let browser: Browser
  let served: Served
  let shared: WatchedPage | undefined
  beforeAll(async () => {
    box = sandbox()
    served = await serve(box, (await prepare(box)) ?? {})
    browser = await startChromium()
  })
  afterAll(async () => {
    await browser.close()
    served.running.signal('SIGTERM')
    await served.running.ended
    box[Symbol.dispose]()
  })
  return {
    get box() {
      return box
    },
    get browser() {
      return browser
    },
    get served() {
      return served
    },
    set served(other: Served) {
      served = other
    },
    async open(path) {
      if (shared === undefined) {
        const first = await openDashboard(browser, served, path)
        shared = { ...first, close: () => leave(first) }
      } else await enter(shared, `${served.origin}${path}`)
      return shared
    },
    openApart: (path, options) => openDashboard(browser, served, path, options),
  }
}

/** Whatever it still reads, it reads for nobody: the server has nothing to do for it. */
const leave = async ({ page }: WatchedPage): Promise<void> => {
  await page.goto('about:blank')
}

/** Goes to a page by the keys `g` and another. Where a busy browser hears of the second too late, both are pressed again. */
export async function goByKeys(page: Page, key: string, address: string): Promise<void> {
  const pressed = async (): Promise<string> => {
    if (page.url() === address) return address
    await page.keyboard.press('g')
    await page.keyboard.press(key)
    return page.url()
  }
  await expect.poll(pressed).toBe(address)
}

/** Opens an entry of a list by the keys `j` and Enter. A list that is drawn anew in between has lost the focus. */
export async function openByKeys(page: Page, arrived: RegExp): Promise<void> {
  const focused = page.locator('main [data-row]:focus')
  const pressed = async (): Promise<string> => {
    if (arrived.test(page.url())) return page.url()
    await page.keyboard.press((await focused.count()) === 0 ? 'j' : 'Enter')
    return page.url()
  }
  await expect.poll(pressed).toMatch(arrived)
}

/** As a new page would be: in a wide window, with nothing under the mouse. */
async function enter(watched: WatchedPage, address: string): Promise<void> {
  const { page, complaints } = watched
  await leave(watched)
  complaints.length = 0
  await page.setViewportSize(wideWindow)
  await page.emulateMedia({ colorScheme: null })
  await page.mouse.move(0, 0)
  await page.goto(address)
  await settled(page)
}
