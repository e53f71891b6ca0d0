import { measured, unmeasured, type Measured } from '../../model/measured.ts'
import { usageNames } from '../../model/usage-names.ts'
import type { Usage, UsageKey } from '../../model/usage.ts'
import { unknownThen } from '../figure.ts'
import { isObject, isText } from '../valid.ts'

/**
 * A usage as a series file has it: a column for each figure, by its name, so that people can ask for it with `sqlite3`;
 * and in one more, as JSON, how each figure was obtained (`basis`) or why there is none (`unmeasured`).
 */
export const figureNames: readonly string[] = usageNames.map(([, name]) => name)

export function figureValues(usage: Usage): (number | null)[] {
  return usageNames.map(([key]) => finite(usage[key]).value)
}

/** What the columns do not say of a usage. */
export function figureWays(usage: Usage): string {
  const ways = { basis: {} as Record<string, string>, unmeasured: {} as Record<string, string> }
  for (const [key, name] of usageNames) {
    const figure = finite(usage[key])
    if (figure.value === null) ways.unmeasured[name] = figure.why
    else ways.basis[name] = figure.basis
  }
  return JSON.stringify(ways)
}

/** SQLite has no NaN: such a figure was not measured. */
const finite = (figure: Measured): Measured =>
  figure.value === null ? figure : measured(figure.value, figure.basis)

/** The usage again. A figure that the file does not have was not known to the build that wrote it. */
export function usageOfRow(row: Readonly<Record<string, unknown>>, ways: unknown): Usage {
  const told = parsedWays(ways)
  const figures = usageNames.map(([key, name]): [UsageKey, Measured] => {
    const value = row[name]
    const [basis, why] = [told.basis[name], told.unmeasured[name]]
    if (typeof value === 'number')
      return [key, measured(value, isText(basis) ? basis : 'not recorded')]
    return [key, isText(why) ? unmeasured(why) : unknownThen]
  })
  return Object.fromEntries(figures) as Usage
}

interface Ways {
  readonly basis: Readonly<Record<string, unknown>>
  readonly unmeasured: Readonly<Record<string, unknown>>
}

/** Somebody may have edited the file: then only the words are lost. */
function parsedWays(text: unknown): Ways {
  let parsed: unknown
  try {
    parsed = JSON.parse(String(text))
  } catch {
    parsed = null
  }
  const part = (name: keyof Ways): Readonly<Record<string, unknown>> => {
    const found = isObject(parsed) ? parsed[name] : undefined
    return isObject(found) ? found : {}
  }
  return { basis: part('basis'), unmeasured: part('unmeasured') }
}
