import type { DatabaseSync } from 'node:sqlite'
import type { NamedRows } from './held-series.ts'
import { seriesTables } from './series-schema.ts'

/**
 * Lets a file of an earlier version, or of another program, be read as one of this version. It is not changed: tables that
 * it lacks are made beside it, in memory, step by step.
 */
export function upgradeSeries(database: DatabaseSync, version: number): void {
  for (const tables of steps.slice(Math.max(0, version - 1)))
    for (const table of tables) makeIfMissing(database, table)
}

type SeriesTable = keyof typeof seriesTables

const steps: readonly (readonly SeriesTable[])[] = [
  // From 1 to 2: there were only samples and `job_metadata`.
  ['job_attempts', 'series_run'],
  // From 2 to 3: nothing was known of devices.
  ['job_device_samples'],
]

/** Another program's file has no version, and may have some of them all the same. */
function makeIfMissing(database: DatabaseSync, table: SeriesTable): void {
  const found = database.prepare('SELECT 1 FROM sqlite_schema WHERE name = ? COLLATE NOCASE')
  if (found.get(table) !== undefined) return
  database.exec(`PRAGMA temp_store = MEMORY; CREATE TEMP TABLE ${table} (${seriesTables[table]})`)
}

/** Rows of which some columns were worked out from others. */
export interface Reconstructed extends NamedRows {
  readonly basis: Readonly<Record<string, string>>
}

/**
 * Other programs keep only the rate: how many CPU seconds that makes so far, and how long it is since the first sample.
 * What part of it was the kernel's nobody can tell, so that both halves stay unknown. The only place where a rate is ever
 * added up again.
 */
export function withCounters({ columns, rows }: NamedRows, percents: Float64Array): Reconstructed {
  const time = columns.indexOf('timestamp')
  const start = rows[0]?.[time] ?? Number.NaN
  let before = start
  let cpuSeconds = 0
  let hasGap = false
  const made = rows.map((row, index) => {
    const now = row[time] ?? Number.NaN
    const percent = percents[index] ?? Number.NaN
    // A rate covers the time since the sample before it, and the first one none.
    const increase = now > before ? (percent / 100) * (now - before) : 0
    before = now
    const isGap = !(increase >= 0)
    hasGap ||= isGap
    if (!isGap) cpuSeconds += increase
    return Float64Array.of(...row, now - start, isGap ? Number.NaN : cpuSeconds)
  })
  return {
    columns: [...columns, 'elapsed_seconds', 'cpu_total_seconds'],
    rows: made,
    basis: {
      elapsed_seconds: 'reconstructed from timestamp',
      cpu_total_seconds: `${hasGap ? 'at least: ' : ''}reconstructed from cpu_percent`,
    },
  }
}
