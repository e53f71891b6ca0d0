import * as z from 'zod'

const price = z.number().min(0).optional()

/** It is printed beside every cost. */
const oneLine = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u

/** A price file. Only what has a price is part of a cost. */
export const priceFile = z.strictObject({
  currency: z
    .string()
    .min(1)
    .max(16)
    .regex(oneLine, 'must be one line, without control characters'),
  core_hour: price,
  memory_gb_hour: price,
  gpu_hour: z.union([z.number().min(0), z.record(z.string(), z.number().min(0))]).optional(),
  kwh: price,
  storage_gb_month: price,
  carbon_intensity_g_per_kwh: price,
  watts_per_core: price,
})
