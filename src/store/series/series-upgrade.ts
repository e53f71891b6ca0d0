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
  // From 3 to 4: nothing was known of marks.
  ['job_marks'],
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
 * Other programs keep only the rate: this adds how many CPU seconds that makes so far, and how long it is since the first
 * sample, where the file does not have it. What part of it was the kernel's nobody can tell, so that both halves stay
 * unknown. The only place where a rate is ever added up again.
 */
export function withCounters(found: NamedRows, percents: Float64Array): Reconstructed {
  const times = found.rows.map((row) => row[found.columns.indexOf('timestamp')] ?? Number.NaN)
  const start = times[0] ?? Number.NaN
  const total = cpuSecondsSoFar(times, percents)
  const isLess = total.some(Number.isNaN)
  const made = [
    {
      name: 'elapsed_seconds',
      figures: times.map((time) => time - start),
      basis: 'reconstructed from timestamp',
    },
    {
      name: 'cpu_total_seconds',
      figures: total,
      basis: `${isLess ? 'at least: ' : ''}reconstructed from cpu_percent`,
    },
  ].filter(({ name }) => !found.columns.includes(name))
  return {
    columns: [...found.columns, ...made.map(({ name }) => name)],
    rows: found.rows.map((row, index) =>
      Float64Array.of(...row, ...made.map(({ figures }) => figures[index] ?? Number.NaN)),
    ),
    basis: Object.fromEntries(made.map(({ name, basis }) => [name, basis])),
  }
}

/** A rate covers the time since the sample before it, and the first one none. Where one is missing, nobody knows: NaN. */
function cpuSecondsSoFar(times: readonly number[], percents: Float64Array): number[] {
  let seconds = 0
  return times.map((time, index) => {
    const step = index === 0 ? 0 : time - (times[index - 1] ?? Number.NaN)
    const increase = step > 0 ? ((percents[index] ?? Number.NaN) / 100) * step : 0
    if (!(increase >= 0)) return Number.NaN
    seconds += increase
    return seconds
  })
}
