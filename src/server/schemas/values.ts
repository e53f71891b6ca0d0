import { z } from '@hono/zod-openapi'

/** null: not measured, or not known. */
export const figure = z.number().nullable()
export const whole = z.int()
export const wholeOrNull = z.int().nullable()
export const textOrNull = z.string().nullable()
export const flag = z.boolean()

/** A moment as the records have it. */
const moment = z.string().openapi({ format: 'date-time', description: 'UTC, ISO 8601 with a Z' })
export const momentOrNull = moment.nullable()

/** Seconds since 1970. */
export const secondsOrNull = z.number().nullable()

export const texts = z.array(z.string())

export const requirements = z
  .object({
    cpus: figure,
    memory_bytes: figure,
    gpus: figure,
    runtime_seconds: figure,
  })
  .openapi('Requirements', { description: 'what was asked for; null: nothing' })
