import type { Prices } from '../model/prices.ts'
import type { System } from '../system/system.ts'
import type { Environment } from './config-path.ts'
import { pricePath } from './price-path.ts'
import { settingsError, settingsText } from './settings-file.ts'

export interface PriceFile {
  readonly path: string
  readonly prices: Prices
}

/** Prices, where there are any. What is wrong with the file is said all at once, with the place. */
export async function loadPrices(
  system: System,
  named: string | undefined,
  environment: Environment,
): Promise<PriceFile | undefined> {
  const path = pricePath(system, named, environment)
  if (path === undefined) return undefined
  const text = settingsText(system, path)
  // The reader of YAML takes 20 ms to load, and most have no prices.
  const { readPrices } = await import('../workflow/prices/read-prices.ts')
  const result = readPrices(text, path)
  if (result.kind === 'ok') return { path, prices: result.value }
  throw settingsError('price file', result.errors)
}
