import { parseBytes } from '../../model/bytes.ts'
import { parseDuration } from '../../model/duration.ts'
import type { OptionDefinition } from './define.ts'
import { didYouMean } from '../../model/suggest.ts'

/** An option that takes a value. */
export type ValuedOption = Exclude<OptionDefinition, { readonly type: 'boolean' }>

export type ParsedValue =
  | { readonly kind: 'ok'; readonly value: string | number | readonly string[] }
  | { readonly kind: 'error'; readonly message: string }

/** Reads the text given to an option; `flag` is how it was written, for the error. */
export function parseValue(option: ValuedOption, flag: string, text: string): ParsedValue {
  switch (option.type) {
    case 'string':
      return { kind: 'ok', value: text }
    case 'list':
      return parseList(option, flag, text)
    case 'choice':
      return parseChoice(option.choices, flag, named(option.also ?? {}, text))
    case 'number':
    case 'bytes':
    case 'duration':
      return parseQuantity(option, flag, text)
  }
}

function parseList(
  option: Extract<OptionDefinition, { readonly type: 'list' }>,
  flag: string,
  text: string,
): ParsedValue {
  const parts = option.commas === undefined ? [text] : partsOf(text)
  const { choices } = option
  if (choices === undefined) {
    // The whole as well: a name may have a comma in it.
    const whole = option.commas === 'always' && parts.length > 0 ? [] : [text]
    return { kind: 'ok', value: [...new Set([...whole, ...parts])] }
  }
  const asked = parts.length === 0 ? [text] : parts
  const chosen = asked.map((part) => parseChoice(choices, flag, part))
  const wrong = chosen.find(({ kind }) => kind === 'error')
  return (
    wrong ?? {
      kind: 'ok',
      value: chosen.flatMap((one) => ('value' in one ? String(one.value) : [])),
    }
  )
}

/** `a,b` is two, and so is `a, b`. */
const partsOf = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

/** The choice that another name stands for; the text itself where it is none of those. */
const named = (also: Readonly<Record<string, string>>, text: string): string =>
  (Object.hasOwn(also, text.toLowerCase()) ? also[text.toLowerCase()] : undefined) ?? text

/** Capitals do not matter: no two choices differ by them alone. */
function parseChoice(choices: readonly string[], flag: string, text: string): ParsedValue {
  const small = text.toLowerCase()
  const chosen = choices.find((choice) => choice.toLowerCase() === small)
  if (chosen !== undefined) return { kind: 'ok', value: chosen }
  return refuse(`${flag} ${quote(text)} is not one of ${choices.join(', ')}.`, () =>
    didYouMean(small, choices),
  )
}

type Quantity = Extract<OptionDefinition, { readonly type: 'number' | 'bytes' | 'duration' }>

function parseQuantity(option: Quantity, flag: string, text: string): ParsedValue {
  const value = readers[option.type](text)
  if (value === undefined || (option.whole === true && !Number.isSafeInteger(value))) {
    const what = option.whole === true ? 'a whole number' : nouns[option.type]
    return refuse(`${flag} ${quote(text)} is not ${what}.`, () => goodOne(option, flag))
  }
  if (option.needsUnit === true && /^[\d.]+$/.test(text))
    return refuse(`${flag} ${quote(text)} has no unit.`, () => goodOne(option, flag))
  const min = option.min ?? -Infinity
  const max = option.max ?? Infinity
  if (value < min) return refuse(`${flag} ${quote(text)} is too small: the minimum is ${min}.`)
  if (value > max) return refuse(`${flag} ${quote(text)} is too large: the maximum is ${max}.`)
  return { kind: 'ok', value }
}

const readers = { number: parseNumber, bytes: parseBytes, duration: parseDuration }
const nouns = { number: 'a number', bytes: 'a size', duration: 'a duration' }

/** A plain decimal number; `0x10`, `1e3` and an empty text are slips, not numbers. */
function parseNumber(text: string): number | undefined {
  if (!/^-?(\d+(\.\d+)?|\.\d+)$/.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

/** ` Example: --memory 8GiB` */
export function goodOne(option: ValuedOption, flag: string): string {
  return ` Example: ${flag} ${exampleOf(option)}`
}

function exampleOf(option: ValuedOption): string {
  if (option.example !== undefined) return option.example
  switch (option.type) {
    case 'string':
    case 'list':
      return option.value ?? 'VALUE'
    case 'choice':
      return option.choices[0] ?? 'VALUE'
    case 'number':
      // The least that is allowed is seldom what anybody wants.
      return String(option.default ?? Math.max(1, option.min ?? 4))
    case 'bytes':
      return '8GiB'
    case 'duration':
      return option.default === undefined ? '1h30m' : `${option.default}s`
  }
}

const refuse = (message: string, advice?: () => string): ParsedValue => ({
  kind: 'error',
  message: message + (advice?.() ?? ''),
})

/** As typed where that is clear, in quotes where the eye would miss its ends. */
const quote = (text: string): string => (/^[^\s"']+$/.test(text) ? text : JSON.stringify(text))
