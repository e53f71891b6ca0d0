import { megabyte } from '../model/bytes.ts'
import type { Prices } from '../model/prices.ts'
import { whyNot } from '../model/reading.ts'
import type { System } from '../system/system.ts'
import { formatSpecError } from '../workflow/spec/problem.ts'
import { pricePath } from './price-path.ts'
import { UserError } from './user-error.ts'

export interface PriceFile {
  readonly path: string
  readonly prices: Prices
}

/** Prices, where there are any. What is wrong with the file is said all at once, with the place. */
export async function loadPrices(
  system: System,
  named: string | undefined,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<PriceFile | undefined> {
  const path = pricePath(system, named, environment)
  if (path === undefined) return undefined
  // Whoever opens a pipe waits for somebody to write, and the job's exit code waits with him.
  const found = system.files.fingerprint(path)
  if (found.kind === 'ok' && found.value.hash === null)
    throw new UserError(`${path} is not a regular file of at most 1 MB`, 'usage')
  const text = system.files.readUtf8(path, megabyte)
  if (text.kind !== 'ok') throw new UserError(whyNot(text), 'usage')
  // The reader of YAML takes 20 ms to load, and most have no prices.
  const { readPrices } = await import('../workflow/prices/read-prices.ts')
  const result = readPrices(text.value, path)
  if (result.kind === 'ok') return { path, prices: result.prices }
  const { errors } = result
  const what = errors.length === 1 ? 'an error' : `${errors.length} errors`
  throw new UserError(
    `${what} in the price file\n${errors.map(formatSpecError).join('\n')}`,
    'usage',
  )
}
