import * as z from 'zod'
import type { Prices } from '../../model/prices.ts'
import { ShapeReport } from '../spec/check-shape.ts'
import { readJson } from '../spec/json-reader.ts'
import type { JsonSchema } from '../spec/json-schema.ts'
import { presentValue } from '../spec/present-value.ts'
import { Problems, shownPath, type SpecError } from '../spec/problem.ts'
import { readYaml } from '../spec/yaml-reader.ts'
import { priceFile } from './definition.ts'

/** Prices, or all that is wrong with their file, in the order of the file. */
export type PricesResult =
  | { readonly kind: 'ok'; readonly prices: Prices }
  | { readonly kind: 'invalid'; readonly errors: readonly SpecError[] }

/** Reads a price file: JSON where its name says so, else YAML. */
export function readPrices(text: string, fileName: string): PricesResult {
  const { root, problems } = /\.json$/i.test(fileName) ? readJson(text) : readYaml(text)
  if (root?.kind !== 'map') {
    const message = 'expected a mapping (key: value pairs) with at least "currency" and one price'
    const found =
      problems.length > 0 ? problems : [{ at: { line: 1, column: 1 }, path: [], message }]
    return invalid(
      found.map(({ at, path, message: what }) => ({
        file: fileName,
        ...at,
        path: shownPath(null, path),
        message: what,
        suggestion: null,
      })),
    )
  }
  const found = new Problems(fileName, root)
  for (const problem of problems) found.addRead(problem)
  const schema: JsonSchema = z.toJSONSchema(priceFile)
  const document = presentValue(root, schema)
  const parsed = priceFile.safeParse(document)
  if (!parsed.success) new ShapeReport(found, document, schema).report(parsed.error.issues)
  return parsed.success && found.count === 0
    ? { kind: 'ok', prices: pricesOf(parsed.data) }
    : invalid(found.sorted())
}

const invalid = (errors: readonly SpecError[]): PricesResult => ({ kind: 'invalid', errors })

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
