import { formatCount } from '../../model/count.ts'
import { readJson5 } from './json-reader.ts'

export type ParameterValue = string | number | boolean

export type ParsedValues =
  | { readonly kind: 'ok'; readonly values: readonly ParameterValue[] }
  | { readonly kind: 'wrong'; readonly message: string; readonly suggestion?: string }

/** One parameter with more values than this is a slip, and a list of them would fill the memory. */
const mostValues = 1_000_000

const number = String.raw`[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?`
const range = new RegExp(`^(${number}):(${number})(?::(${number}))?$`)

/** `1:100`, `0:1:0.1`, `[1,2]`, `['a','b']`, a list of the format's own, or one value. */
export function parseParameter(value: ParameterValue | readonly ParameterValue[]): ParsedValues {
  if (typeof value === 'object') return nonEmpty(value)
  if (typeof value !== 'string') return { kind: 'ok', values: [value] }
  const text = value.trim()
  const match = range.exec(text)
  if (match !== null) return rangeValues(match[1] ?? '', match[2] ?? '', match[3])
  if (text.startsWith('[') && text.endsWith(']')) return listValues(text)
  return { kind: 'ok', values: [value] }
}

function nonEmpty(values: readonly ParameterValue[]): ParsedValues {
  if (values.length === 0) return { kind: 'wrong', message: 'has no values' }
  return values.length > mostValues ? tooManyValues(values.length) : { kind: 'ok', values }
}

const tooManyValues = (count: number): ParsedValues => ({
  kind: 'wrong',
  message: `has ${formatCount(count)} values; ${tooMany}`,
})

function listValues(text: string): ParsedValues {
  const { root, problems } = readJson5(text)
  if (root?.kind === 'list' && problems.length === 0) {
    const values = root.items.map((item) => (item.kind === 'scalar' ? item.value : null))
    if (values.every((item) => item !== null)) return nonEmpty(values)
    return {
      kind: 'wrong',
      message: 'a list of parameter values holds text, numbers, true or false',
    }
  }
  // [adam, sgd]: words without quotes, as YAML would have them.
  const words = text
    .slice(1, -1)
    .split(',')
    .map((word) => word.trim())
  if (words.every((word) => /^[^\s'"[\]{}]+$/.test(word))) return nonEmpty(words)
  const message = problems[0]?.message.replace('not valid JSON5', 'not a list') ?? 'not a list'
  return { kind: 'wrong', message: `${message}; quote each text in it` }
}

/** Counts in whole steps of the last decimal, because 0.1 + 0.2 is not 0.3. */
function rangeValues(from: string, to: string, by: string | undefined): ParsedValues {
  const decimals = Math.max(decimalsOf(from), decimalsOf(to), decimalsOf(by ?? '1'))
  const scale = 10 ** decimals
  const [start, end, step] = [from, to, by ?? '1'].map((text) => Math.round(Number(text) * scale))
  if (start === undefined || end === undefined || step === undefined) throw new RangeError(from)
  if (decimals > 15 || ![start, end, step].every(Number.isSafeInteger)) {
    return { kind: 'wrong', message: 'has more digits than a number can hold' }
  }
  if (step === 0) {
    const suggestion = `A text with colons goes into a list: ['${from}:${to}:${by ?? ''}'].`
    return { kind: 'wrong', message: 'a range with step 0 has no end', suggestion }
  }
  if (start !== end && end > start !== step > 0) {
    const suggestion = `Write ${from}:${to}:${-Number(by ?? 1)}.`
    return { kind: 'wrong', message: `the range never gets from ${from} to ${to}`, suggestion }
  }
  const count = Math.floor((end - start) / step) + 1
  if (count > mostValues) return tooManyValues(count)
  const values = Array.from({ length: count }, (_, k) => {
    return Number(`${start + k * step}e-${decimals}`)
  })
  return { kind: 'ok', values }
}

const tooMany = `at most ${formatCount(mostValues)} are allowed`

function decimalsOf(text: string): number {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  return Math.max(0, (mantissa.split('.')[1]?.length ?? 0) - Number(exponent))
}
