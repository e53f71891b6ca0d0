import * as z from 'zod'
import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import { compilePattern } from './name-pattern.ts'

/** Values that several parts of the definition share. */

export const name = z
  .string()
  .regex(/^\P{Cc}+$/u, { error: 'must be one line of text, and not empty' })
  .meta({ examples: ['train', 'train_{i:03d}'] })

/** Programs get texts that end at the first NUL: what follows would be lost without a word. */
export function refuseNul(text: string, context: z.RefinementCtx): void {
  if (text.includes('\0'))
    context.addIssue({ code: 'custom', message: 'must not contain a NUL character' })
}

const anyText = z.string().superRefine(refuseNul)

export const scalar = z.union([anyText, z.number(), z.boolean()])

export const names = z.union([anyText, z.array(anyText)])

export const patterns = z.union([
  z.string().superRefine(checkPattern),
  z.array(z.string().superRefine(checkPattern)),
])

function checkPattern(text: string, context: z.RefinementCtx): void {
  const compiled = compilePattern(text)
  if (compiled.kind === 'wrong') context.addIssue({ code: 'custom', message: compiled.message })
}

export const wholeNumber = (least: number): z.ZodNumber => z.number().int().min(least)

const variableName = z
  .string()
  .regex(/^[A-Za-z_]\w*$/, { error: 'must be a word of letters, digits and _' })

export const textsByName = z.record(variableName, scalar)

export const environment = textsByName.meta({ examples: [{ LOG_LEVEL: 'info' }] })

export const parameters = z
  .record(variableName, z.union([scalar, z.array(scalar)]))
  .meta({ examples: [{ i: '1:100', lr: '[0.1, 0.01]' }] })

const fewestBytes = 1024

export const size = z
  .union([z.string(), z.number()])
  .superRefine((value, context) => {
    const bytes = parseBytes(String(value))
    if (bytes === undefined) {
      context.addIssue({
        code: 'custom',
        message: `${JSON.stringify(value)} is not a size; write 512m, 8g or 1.5t`,
      })
    } else if (bytes < fewestBytes) {
      const message = `${bytes} bytes is too small to be intended; add a unit, such as ${value}g`
      context.addIssue({ code: 'custom', message })
    }
  })
  .meta({ examples: ['512m', '8g'] })

const durationWords = (value: unknown): string =>
  `${JSON.stringify(value)} is not a duration; write PT2H30M, 2h30m or 02:30:00`

export const duration = z
  .union([z.string(), z.number()])
  .superRefine((value, context) => {
    const seconds = parseDuration(String(value))
    if (seconds === undefined) context.addIssue({ code: 'custom', message: durationWords(value) })
    else if (seconds === 0) context.addIssue({ code: 'custom', message: 'must be more than 0' })
  })
  .meta({ examples: ['PT2H30M', '90m'] })

/** The same, for what may take no time at all. */
export const durationOrNone = z.union([z.string(), z.number()]).superRefine((value, context) => {
  if (parseDuration(String(value)) === undefined)
    context.addIssue({ code: 'custom', message: durationWords(value) })
})
