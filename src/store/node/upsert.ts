import { amountColumns, peakColumns } from './node-schema.ts'

/** NULL is "not measured": it neither adds nor takes away. */
const added = (table: string, name: string): string =>
  `${name} = CASE WHEN ${table}.${name} IS NULL THEN excluded.${name}
    ELSE ${table}.${name} + coalesce(excluded.${name}, 0) END`
const highest = (table: string, name: string): string =>
  `${name} = CASE WHEN ${table}.${name} IS NULL THEN excluded.${name}
    ELSE max(${table}.${name}, coalesce(excluded.${name}, ${table}.${name})) END`

interface Rollup {
  readonly table: string
  readonly keys: readonly string[]
  /** Besides the amounts. */
  readonly sums: readonly string[]
  readonly hasPeaks: boolean
}

interface RollupColumns {
  readonly table: string
  readonly keys: readonly string[]
  readonly sums: readonly string[]
  readonly peaks: readonly string[]
}

/** Adds to the row of these keys, or makes it: sums stay sums, and peaks peaks. */
export const upsertSql = ({ table, keys, sums, hasPeaks }: Rollup): string =>
  rollupSql({ table, keys, sums: [...sums, ...amountColumns], peaks: hasPeaks ? peakColumns : [] })

/** The same for any columns. */
export function rollupSql({ table, keys, sums, peaks }: RollupColumns): string {
  const columns = [...keys, ...sums, ...peaks]
  const changes = [
    ...sums.map((name) => added(table, name)),
    ...peaks.map((name) => highest(table, name)),
  ]
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}
