import { writeFileSync } from 'node:fs'
import axe from 'axe-core'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { patience } from '../browser/chromium.ts'
import type { Running, Sandbox } from '../program.ts'

/** The real program serving a ledger, as somebody starts it in a terminal. */
export interface Served {
  readonly running: Running
  /** With the token, as it was printed. */
  readonly address: string
  readonly origin: string
}

export interface Place {
  readonly port?: string
  /** Names that it goes by besides its own. */
  readonly hosts?: readonly string[]
  /** More of its configuration. */
  readonly config?: Readonly<Record<string, unknown>>
  /** What it is started with besides. */
  readonly args?: readonly string[]
}

export async function serve(
  sandbox: Sandbox,
  { port = '0', hosts = [], config = {}, args = [] }: Place = {},
): Promise<Served> {
  const file = sandbox.path('server.yaml')
  writeFileSync(file, JSON.stringify({ hosts, ...config }))
  const place = ['--listen', `127.0.0.1:${port}`, '--config', file, ...args]
  const running = sandbox.start(['serve', ...place], { timeoutMs: 300_000 })
  const printed = await running.saw('http://')
  const [address = ''] = /http:\/\/\S+/.exec(printed) ?? []
  return { running, address, origin: new URL(address).origin }
}

/** A page of the dashboard, with everything that the browser complained about. */
export interface WatchedPage {
  readonly context: BrowserContext
  readonly page: Page
  readonly complaints: string[]
  readonly close: () => Promise<void>
}

export const wideWindow = { width: 1440, height: 900 }

/** In a browser that nobody else uses, signed in by the token in the address. */
export async function openDashboard(
  browser: Browser,
  { address, origin }: Served,
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<WatchedPage> {
  const context = await browser.newContext({ viewport: wideWindow, ...options })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => complaints.push(message.text()))
  page.on('pageerror', (error) => complaints.push(error.message))
  // The browser complains of a refusal without saying what was asked for.
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()} ${response.url()}`)
  })
  const signingIn = new URL(path, origin)
  signingIn.searchParams.set('token', new URL(address).searchParams.get('token') ?? '')
  await page.goto(signingIn.href)
  await settled(page)
  return { context, page, complaints, close: () => context.close() }
}

/** The page has its heading, and nothing is still being read. */
export async function settled(page: Page): Promise<void> {
  await page.locator('main h1').waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
}

export async function expectQuiet({ close, complaints }: WatchedPage): Promise<void> {
  expect(complaints).toEqual([])
  await close()
}

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

/** What keeps somebody from using the page, by the rules of WCAG 2.2 AA: each rule with the elements that break it. */
export async function axeProblems(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  // Some 500 KB, which a page needs once.
  if (!(await page.evaluate<boolean>(`'axe' in globalThis`))) await page.evaluate(axe.source)
  const only = rules === 'all' ? tags : ['color-contrast']
  return page.evaluate<string[]>(`
    axe.run(document, { runOnly: ${JSON.stringify(only)} })
      .then(({ violations }) => violations.map(({ id, nodes }) =>
        id + ': ' + nodes.map(({ target, failureSummary }) => target.join(' ') + ' ' + failureSummary).join(' | ')))`)
}

/** Nothing is wider than the window, and no text runs out of its place. */
export const layoutProblems = (page: Page): Promise<string[]> =>
  page.evaluate<string[]>(String.raw`(() => {
    const problems = []
    const width = document.documentElement.scrollWidth
    if (width > innerWidth) problems.push('the page scrolls sideways: ' + width)
    const isSeen = (node) => node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
    for (const node of document.querySelectorAll('main *, header *')) {
      if (!isSeen(node) || node.closest('svg, .uplot, .unseen, caption, legend, .scroll, .graph-window')) continue
      const { left, right } = node.getBoundingClientRect()
      if (left < -1 || right > innerWidth + 1) problems.push(node.tagName + '.' + node.className + ' is outside: ' + Math.round(right))
    }
    for (const node of document.querySelectorAll('button, .button, .status, h1, h2, .meter-figure')) {
      if (isSeen(node) && node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0) problems.push('cut: ' + node.textContent.slice(0, 40))
    }
    return problems
  })()`)

const looks = [
  { width: 1440, colorScheme: 'light', isRead: true },
  { width: 1440, colorScheme: 'dark', isRead: false },
  { width: 390, colorScheme: 'light', isRead: false },
  { width: 390, colorScheme: 'dark', isRead: true },
] as const

/**
 * A page as it is seen in every window and theme. The rules of accessibility take long and are the same for each: every
 * width and every theme is read by them once.
 */
export async function expectFine(page: Page, path: string): Promise<void> {
  for (const { width, colorScheme, isRead } of looks) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 })
    await page.emulateMedia({ colorScheme })
    const where = `${path} at ${width}, ${colorScheme}`
    // Charts take the width of a window a moment after it has it.
    await expect.poll(() => layoutProblems(page), { message: where }).toEqual([])
    if (isRead) expect(await axeProblems(page), where).toEqual([])
  }
}
