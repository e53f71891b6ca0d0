import type * as z from 'zod'
import type { Prices } from '../../model/prices.ts'
import { readChecked, type Checked } from '../spec/read-checked.ts'
import { priceFile } from './definition.ts'

/** Reads a price file: prices, or all that is wrong with it. */
export const readPrices = (text: string, fileName: string): Checked<Prices> =>
  readChecked(text, fileName, priceFile, {
    expected: 'at least "currency" and one price',
    make: pricesOf,
  })

function pricesOf(file: z.infer<typeof priceFile>): Prices {
  const { gpu_hour: gpu = {} } = file
  return {
    currency: file.currency,
    coreHour: file.core_hour ?? null,
    memoryGbHour: file.memory_gb_hour ?? null,
    gpuHour: typeof gpu === 'number' ? { default: gpu } : gpu,
    kwh: file.kwh ?? null,
    storageGbMonth: file.storage_gb_month ?? null,
    carbonGramsPerKwh: file.carbon_intensity_g_per_kwh ?? null,
    wattsPerCore: file.watts_per_core ?? null,
  }
}
