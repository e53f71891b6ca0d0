import { sampleNames, type ColumnDefinition } from '../../model/sample.ts'
import type { Gauge } from './gauge.ts'

/** Those that belong to no gauge. */
const timeColumns: readonly ColumnDefinition[] = [
  {
    name: 'timestamp',
    kind: 'time',
    says: 'seconds since 1970: the start by the wall clock plus the elapsed time',
  },
  {
    name: 'elapsed_seconds',
    kind: 'time',
    says: 'since the job started, by a clock that never jumps',
  },
]

/** What is where in a sample that these gauges make. */
export interface SampleLayout {
  readonly columns: readonly string[]
  /** Where the columns of each gauge are. An object for each: large ones are slow to look things up in. */
  readonly places: readonly Readonly<Record<string, number>>[]
}

/** The columns that every sample has, whether or not one of the gauges fills them, and then those that only these bring. */
export function layOut(gauges: readonly Gauge[]): SampleLayout {
  const columns: string[] = [...sampleNames]
  const owners = new Map(timeColumns.map(({ name }) => [name, 'time']))
  for (const gauge of gauges)
    for (const { name } of gauge.columns) {
      const owner = owners.get(name)
      if (owner !== undefined)
        throw new Error(`${name} is a column of two gauges: ${owner} and ${gauge.name}`)
      owners.set(name, gauge.name)
      if (!columns.includes(name)) columns.push(name)
    }
  const places = gauges.map((gauge) =>
    Object.fromEntries(gauge.columns.map(({ name }) => [name, columns.indexOf(name)])),
  )
  return { columns, places }
}

const unknown = { kind: 'other', says: 'not known to this version' } as const

/** What these columns say. One that no gauge of this build knows is shown by its name alone. */
export function describeColumns<Name extends string>(
  names: readonly Name[],
  gauges: readonly Gauge[],
): ColumnDefinition<Name>[] {
  const described = [...timeColumns, ...gauges.flatMap(({ columns }) => columns)]
  const known = new Map(described.map((column) => [column.name, column]))
  return names.map((name) => {
    const { kind, says } = known.get(name) ?? unknown
    return { name, kind, says }
  })
}
