import { z } from '@hono/zod-openapi'
import { momentExamples, parseMoment } from '../../model/moment.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { Problem } from '../problem.ts'

const longestName = 200
const mostNames = 100

const split = (given: unknown): unknown =>
  given === undefined
    ? undefined
    : [given].flat().flatMap((one) => (typeof one === 'string' ? one.split(',') : [one]))

/** Several values: the parameter is repeated, or has commas in it. */
export const several = <T extends z.ZodType>(one: T, description: string) =>
  z.preprocess(split, z.array(one).max(mostNames).optional()).openapi({
    param: { explode: true, style: 'form' },
    description: `${description}; may be repeated, or hold several with commas between`,
  })

export const names = (description: string) =>
  several(z.string().min(1).max(longestName), description)

export const limit = (most: number, usual: number) =>
  z.coerce
    .number()
    .int()
    .min(1)
    .max(most)
    .default(usual)
    .openapi({ description: 'how many at most' })

export const yesOrNo = (description: string) =>
  z
    .enum(['true', 'false'])
    .default('false')
    .transform((said) => said === 'true')
    .openapi({ description, type: 'string', enum: ['true', 'false'], default: 'false' })

/** A moment as people write it; `momentIn` reads it. */
export const when = (description: string) =>
  z
    .string()
    .min(1)
    .max(100)
    .optional()
    .openapi({ description: `${description}: seconds since 1970, ${momentExamples}` })

export const zone = z
  .enum(['local', 'utc'])
  .default('local')
  .openapi({ description: 'whose hours and days: those of the server, or UTC' })

/** The latest moment that can be shown: the end of the year 9999. */
const mostSeconds = 253_402_300_799

export function momentIn(
  name: string,
  text: string | undefined,
  edge: 'from' | 'to',
  nowSeconds: number,
  inZone: 'local' | 'utc' = 'local',
): number | undefined {
  if (text === undefined) return undefined
  const isSeconds = /^\d{1,12}(\.\d{1,9})?$/.test(text)
  const found = isSeconds ? Number(text) : parseMoment(text, nowSeconds, edge, inZone)
  if (found !== undefined && found >= 0 && found <= mostSeconds) return found
  throw new Problem(
    400,
    `${name}: this is not a time. These are, for instance: 1772361000, ${momentExamples}`,
  )
}

export interface Span {
  readonly from: number
  readonly to: number
}

interface SpanAsked {
  readonly from?: string | undefined
  readonly to?: string | undefined
  readonly zone?: 'local' | 'utc'
}

/** Between when; without a beginning, so many days up to the end. */
export function spanIn(asked: SpanAsked, nowSeconds: number, usualDays: number): Span {
  const to = momentIn('to', asked.to, 'to', nowSeconds, asked.zone) ?? nowSeconds
  const from =
    momentIn('from', asked.from, 'from', nowSeconds, asked.zone) ??
    Math.max(0, Math.min(to, nowSeconds) - usualDays * daySeconds)
  if (to <= from) throw new Problem(400, 'to: it must be after from')
  return { from, to }
}
