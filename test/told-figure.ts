import { isLowerBound, type Measured } from '../src/model/measured.ts'

/** A figure as some surface told it, read again without any of the code that wrote it. */
export interface ToldFigure {
  readonly isAtLeast: boolean
  /** null where it says that nothing was measured. */
  readonly value: number | null
  /** How far the truth may be from it, as it is rounded. */
  readonly tolerance: number
}

const unitOf: Readonly<Record<string, number>> = {
  '': 1,
  '%': 1,
  B: 1,
  KB: 2 ** 10,
  MB: 2 ** 20,
  GB: 2 ** 30,
  TB: 2 ** 40,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
}

const part = /^([\d,]*\.?\d+(?:e[+-]?\d+)?)\s*([KMGT]?B|%|[smhd])?$/

/** Reads `at least 0.82 GB`, `84.1%`, `2m 3s`, `1234.5`, `–`, `not measured: …`. */
export function readTold(text: string, unit = ''): ToldFigure {
  const isAtLeast = text.startsWith('at least ')
  const rest = text.slice(isAtLeast ? 'at least '.length : 0).trim()
  if (rest === '' || /^(–|null|not (measured|known))/.test(rest))
    return { isAtLeast, value: null, tolerance: 0 }
  let value = 0
  let tolerance = 0
  for (const word of rest.split(/(?<=[a-zA-Z%])\s+/)) {
    const [, digits, own] = part.exec(word) ?? []
    if (digits === undefined) throw new Error(`"${text}" is no figure`)
    const scale = unitOf[own ?? unit] ?? Number.NaN
    value += Number(digits.replaceAll(',', '')) * scale
    // Days are told without the seconds, which are left off and not rounded.
    tolerance = lastDigit(digits) * scale * (own === 'm' ? 2 : 1)
  }
  // Half of the last digit, and a little: people see what JSON has, which is rounded to one digit more or so.
  return { isAtLeast, value, tolerance: tolerance * 0.56 + Math.abs(value) * 1e-9 }
}

function lastDigit(digits: string): number {
  const [mantissa = '', exponent = '0'] = digits.split('e')
  const decimals = mantissa.split('.')[1]?.length ?? 0
  return 10 ** (Number(exponent) - decimals)
}

/** What is wrong with a figure that was told; undefined where it is the truth. */
export function untruth(truth: Measured, told: ToldFigure): string | undefined {
  if (truth.value === null || told.value === null)
    return truth.value === told.value ? undefined : `${told.value} instead of ${truth.value}`
  if (Math.abs(truth.value - told.value) > told.tolerance)
    return `${told.value} instead of ${truth.value}`
  if (told.isAtLeast !== isLowerBound(truth))
    return told.isAtLeast ? 'needlessly "at least"' : '"at least" was dropped'
  return undefined
}
