import { z } from '@hono/zod-openapi'
import { figure, flag, textOrNull, texts, whole } from './values.ts'

const seriesColumn = z
  .object({
    name: z.string(),
    kind: z.enum(['rate', 'time', 'counter', 'gauge', 'other']),
    says: z.string(),
  })
  .openapi('SeriesColumn')

export const samples = z
  .object({
    task_id: z.string(),
    columns: z.array(seriesColumn),
    basis: z.record(z.string(), z.string()).openapi({
      description: 'how those columns were obtained that were worked out from others',
    }),
    sample_count: whole.openapi({ description: 'how many samples the time asked for has' }),
    is_whole: flag.openapi({
      description: 'whether all of them are here; else the least and greatest of each step of time',
    }),
    no_samples: textOrNull.openapi({ description: 'why there are none' }),
    values: z
      .array(z.array(figure))
      .openapi({ description: 'one array for each column, with a value for each sample' }),
  })
  .openapi('Samples')

const device = z.object({
  kind: z.string(),
  id: z.string(),
  columns: texts,
  values: z.array(z.array(figure)),
})

export const devices = z
  .object({ task_id: z.string(), devices: z.array(device) })
  .openapi('Devices', { description: 'samples of GPUs, networks and other devices, in columns' })

export type Samples = z.infer<typeof samples>
