import { z } from '@hono/zod-openapi'
import { figure, textOrNull, whole, wholeOrNull } from './values.ts'

const mark = z
  .object({
    timestamp: z.number(),
    elapsed_seconds: z.number(),
    step: figure,
    epoch: figure,
    phase: textOrNull,
    message: textOrNull,
  })
  .openapi('Mark', { description: 'what the program of a job told of itself' })

const markedPart = z.object({
  label: z.string(),
  times: whole,
  from_seconds: z.number(),
  to_seconds: z.number(),
  duration_seconds: z.number(),
  first_step: wholeOrNull,
  last_step: wholeOrNull,
  cpu_cores: figure,
  memory_peak_bytes: figure,
})

export const markReport = z
  .object({
    count: whole,
    epochs: z.array(markedPart),
    phases: z.array(markedPart),
  })
  .openapi('MarkReport')

export const marks = z.object({ task_id: z.string(), marks: z.array(mark) }).openapi('Marks')
