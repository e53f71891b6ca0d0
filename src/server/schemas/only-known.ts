import { z } from '@hono/zod-openapi'
import { didYouMean } from '../../model/suggest.ts'

type Shape = Readonly<Record<string, z.ZodType>>

const mostShown = 40

/** A name that nobody knows is a slip, and what it was to narrow or to limit would be done without it. */
export function onlyKnown<Known extends Shape>(kind: 'parameter' | 'key', shape: Known) {
  const known = Object.keys(shape)
  const words = (name: string): string => {
    const shown = name.slice(0, mostShown)
    return `there is no ${kind} ${shown} here.${didYouMean(shown, known)}`
  }
  const message = (issue: {
    readonly code?: string
    readonly keys?: unknown
  }): string | undefined =>
    issue.code === 'unrecognized_keys' && Array.isArray(issue.keys)
      ? issue.keys.map((key) => words(String(key))).join('; ')
      : undefined
  return z.strictObject(shape, { error: message as never })
}
