import type { Columns } from '../../../model/series.ts'
import { firstColumns } from '../../series/first-columns.ts'

/**
 * Names of columns that are written as their place in this list. It only ever grows at its end: chunks in the field name
 * columns by it.
 */
export const namesByPlace: Columns = [...firstColumns]

export const placeOfName: ReadonlyMap<string, number> = new Map(
  namesByPlace.map((name, place) => [name, place]),
)
