import type { ParameterValue } from './parameter-values.ts'

export interface NamedValues {
  readonly name: string
  readonly values: readonly ParameterValue[]
}

type Row = readonly ParameterValue[]

/** How values of several parameters go together. The number of rows is known before any is made. */
export type Combinations =
  | { readonly kind: 'ok'; readonly count: number; readonly rows: () => readonly Row[] }
  | { readonly kind: 'wrong'; readonly message: string }

/** Every combination; the last parameter changes fastest, as in nested loops. */
export function product(parameters: readonly NamedValues[]): Combinations {
  const count = parameters.reduce((total, { values }) => total * values.length, 1)
  const rows = (): readonly Row[] =>
    parameters.reduce<readonly Row[]>(
      (before, { values }) => before.flatMap((row) => values.map((value) => [...row, value])),
      [[]],
    )
  return { kind: 'ok', count, rows }
}

/** The first values together, then the second, and so on. */
export function zip(parameters: readonly NamedValues[]): Combinations {
  const lengths = parameters.map(({ values }) => values.length)
  if (new Set(lengths).size > 1) {
    const each = parameters.map(({ name, values }) => `${name} has ${values.length}`)
    return {
      kind: 'wrong',
      message: `zip needs the same number of values for each parameter: ${each.join(', ')}`,
    }
  }
  const count = lengths[0]
  if (count === undefined) return { kind: 'ok', count: 1, rows: () => [[]] }
  const rows = (): readonly Row[] =>
    Array.from({ length: count }, (_, row) =>
      parameters.flatMap(({ values }) => values.slice(row, row + 1)),
    )
  return { kind: 'ok', count, rows }
}
