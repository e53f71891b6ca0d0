import { existsSync } from 'node:fs'
import { dirname } from 'node:path'
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core'
import { installDebian, type Missing } from '../debian.ts'
import { expect } from 'vitest'

const program = '/usr/bin/chromium'

export const chromiumMissing = !existsSync(program)

/** In milliseconds, what browsers may take for anything: machines are shared. */
export const patience = 90_000

export const installChromium = (): Missing =>
  installDebian(program, () => existsSync(program), 'chromium')

export function startChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath: program,
    headless: true,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** A page with all that it complained of and all that it tried to fetch but the Plotly beside it, which is refused. */
export interface WatchedPage {
  readonly page: Page
  readonly complaints: string[]
  readonly requests: string[]
}

export async function openPage(
  browser: Browser,
  path: string,
  options: Parameters<Browser['newContext']>[0] = {},
): Promise<WatchedPage> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width: 1400, height: 900 },
    acceptDownloads: true,
    ...options,
  })
  context.setDefaultTimeout(patience)
  const page = await context.newPage()
  const complaints: string[] = []
  const requests: string[] = []
  const address = `file://${path}`
  const plotly = `file://${dirname(path)}/plotly-`
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  await context.route('**/*', (route) => {
    const url = route.request().url()
    if (url === address || url.startsWith(plotly)) return route.continue()
    requests.push(url)
    return route.abort()
  })
  await page.goto(address)
  return { page, complaints, requests }
}

/** Nothing was complained about or asked for over the network; closes the page. */
export async function expectQuiet({ page, complaints, requests }: WatchedPage): Promise<void> {
  expect(complaints).toEqual([])
  expect(requests).toEqual([])
  await page.context().close()
}
