import { mostValues, tooMany, type ParameterValue } from './parameter-values.ts'

export type Combinations =
  | { readonly kind: 'ok'; readonly rows: readonly (readonly ParameterValue[])[] }
  | { readonly kind: 'wrong'; readonly message: string }

export interface NamedValues {
  readonly name: string
  readonly values: readonly ParameterValue[]
}

/** Every combination; the last parameter changes fastest, as in nested loops. */
export function product(parameters: readonly NamedValues[]): Combinations {
  const count = parameters.reduce((total, { values }) => total * values.length, 1)
  if (count > mostValues) {
    return { kind: 'wrong', message: `the parameters have ${count} combinations; ${tooMany}` }
  }
  const rows = parameters.reduce<readonly (readonly ParameterValue[])[]>(
    (before, { values }) => before.flatMap((row) => values.map((value) => [...row, value])),
    [[]],
  )
  return { kind: 'ok', rows }
}

/** The first values together, then the second, and so on. */
export function zip(parameters: readonly NamedValues[]): Combinations {
  const lengths = parameters.map(({ values }) => values.length)
  if (new Set(lengths).size > 1) {
    const each = parameters.map(({ name, values }) => `${name} has ${values.length}`)
    return { kind: 'wrong', message: `zip needs as many values of each: ${each.join(', ')}` }
  }
  const count = lengths[0]
  if (count === undefined) return { kind: 'ok', rows: [[]] }
  const rows = Array.from({ length: count }, (_, row) =>
    parameters.flatMap(({ values }) => values.slice(row, row + 1)),
  )
  return { kind: 'ok', rows }
}
