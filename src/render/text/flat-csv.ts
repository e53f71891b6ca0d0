import { csv } from './csv.ts'

type Figure = string | number | boolean | null

/** Everything a report says, one line a figure: `phases.0.cpu_cores,0.2`. Null is an empty cell. */
export function flatCsv(report: object): string {
  return csv([['key', 'value'], ...flatFigures(report)])
}

function flatFigures(value: object, prefix = ''): [string, string | number | null][] {
  return Object.entries(value).flatMap(([key, inner]: [string, Figure | object]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`
    if (typeof inner === 'object' && inner !== null) return flatFigures(inner, path)
    return [[path, typeof inner === 'boolean' ? String(inner) : inner]]
  })
}
