import { amountColumns, cardColumns, peakColumns } from './node-schema.ts'

/** NULL is "not measured": it neither adds nor takes away. */
const added = (table: string, name: string): string =>
  `${name} = CASE WHEN ${table}.${name} IS NULL THEN excluded.${name}
    ELSE ${table}.${name} + coalesce(excluded.${name}, 0) END`
const highest = (table: string, name: string): string =>
  `${name} = CASE WHEN ${table}.${name} IS NULL THEN excluded.${name}
    ELSE max(${table}.${name}, coalesce(excluded.${name}, ${table}.${name})) END`

/**
 * SQL that says of one of the two rows whether a NULL in it was not told. What was told is a lower bound then; and that it
 * was at least 0 says nothing.
 */
export type IsUntold = (row: string) => string

const toldSum = (table: string, name: string, isUntold: IsUntold): string => {
  const [old, more] = [`${table}.${name}`, `excluded.${name}`]
  return `${name} = CASE WHEN ${old} IS NOT NULL AND ${more} IS NOT NULL THEN ${old} + ${more}
    WHEN (${old} IS NULL AND ${isUntold(table)}) OR (${more} IS NULL AND ${isUntold('excluded')})
      THEN nullif(coalesce(${old}, ${more}), 0)
    ELSE coalesce(${old}, ${more}) END`
}

/** What jobs and users did on cards is not told, and not nothing, if they had memory there. */
const wasOnCards: IsUntold = (row) => `${row}.gpu_memory_kib_ms IS NOT NULL`
const alwaysUntold: IsUntold = () => 'true'

interface Rollup {
  readonly table: string
  readonly keys: readonly string[]
  /** Besides the amounts. */
  readonly sums: readonly string[]
  readonly hasPeaks: boolean
  /** Of what cards did. */
  readonly isUntold?: IsUntold
}

interface RollupColumns {
  readonly table: string
  readonly keys: readonly string[]
  readonly sums: readonly string[]
  /** Sums of which a part may not be told. */
  readonly toldSums: readonly string[]
  readonly isUntold?: IsUntold
  readonly peaks: readonly string[]
}

/** Adds to the row of these keys, or makes it: sums stay sums, and peaks peaks. */
export const upsertSql = ({ table, keys, sums, hasPeaks, isUntold = wasOnCards }: Rollup): string =>
  rollupSql({
    table,
    keys,
    sums: [...sums, ...amountColumns],
    toldSums: cardColumns,
    isUntold,
    peaks: hasPeaks ? peakColumns : [],
  })

/** The same for any columns. */
export function rollupSql({
  table,
  keys,
  sums,
  toldSums,
  isUntold = alwaysUntold,
  peaks,
}: RollupColumns): string {
  const columns = [...keys, ...sums, ...peaks]
  const changes = [
    ...sums.map((name) =>
      toldSums.includes(name) ? toldSum(table, name, isUntold) : added(table, name),
    ),
    ...peaks.map((name) => highest(table, name)),
  ]
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${changes.join(', ')}`
}
