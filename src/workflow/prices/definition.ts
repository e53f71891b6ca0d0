import * as z from 'zod'

/** Far beyond any price in any currency, and so small that no sum of costs leaves the numbers there are. */
const price = z.number().min(0).max(1e12)

/** It is printed beside every cost. */
const oneLine = /^[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}]*$/u

/** A price file. Only what has a price is part of a cost. */
export const priceFile = z.strictObject({
  currency: z
    .string()
    .min(1)
    .max(16)
    .regex(oneLine, 'must be one line, without control characters'),
  core_hour: price.optional(),
  memory_gb_hour: price.optional(),
  gpu_hour: z.union([price, z.record(z.string(), price)]).optional(),
  kwh: price.optional(),
  storage_gb_month: price.optional(),
  // Coal, the worst there is, stands for about 1,000 g.
  carbon_intensity_g_per_kwh: z.number().min(0).max(1e6).optional(),
  watts_per_core: z.number().min(0).max(1000).optional(),
})
