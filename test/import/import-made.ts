import { DatabaseSync } from 'node:sqlite'
import { writeFileSync } from 'node:fs'
import type { RecordReader } from '../../src/import/import-files.ts'
import { importFiles } from '../../src/import/import-files.ts'
import { SacctReader } from '../../src/import/slurm/sacct-reader.ts'
import { SonarReader } from '../../src/import/sonar/sonar-reader.ts'
import { ImportTally } from '../../src/import/tally.ts'
import type { RawRecord } from '../../src/import/text/raw-record.ts'
import type { ImportSummary } from '../../src/model/import-summary.ts'
import { openNodeHistory } from '../../src/store/node/history/open-history.ts'

/** As if it were the 15th of November 2026. */
export const nowSeconds = Date.UTC(2026, 10, 15) / 1e3

const daysAgo = (days: number): number => (nowSeconds - days * 86_400) * 1e3

export interface Imported extends ImportSummary {
  /** Lines of records that were not refused one by one. */
  readonly lines: ReadonlySet<number>
}

/** Imports a file through the program's own code. */
export async function importFile(
  kind: 'sonar' | 'sacct',
  content: string | Uint8Array,
  db: string,
): Promise<Imported> {
  const path = `${db}.input`
  writeFileSync(path, content)
  const history = openNodeHistory(db)
  const reader: RecordReader =
    kind === 'sacct'
      ? new SacctReader(history, nowSeconds)
      : new SonarReader(history, {
          kept: { rawMs: daysAgo(14), fiveMs: daysAgo(90) },
          longestSeconds: 3600,
          nowSeconds,
          idsAreSlurms: false,
        })
  const lines = new Set<number>()
  const take = reader.take.bind(reader)
  reader.take = (record: RawRecord) => {
    const taken = take(record)
    lines.add(record.line)
    return taken
  }
  const tally = new ImportTally()
  const files = [{ path, sizeBytes: 0 }]
  const { signal } = new AbortController()
  await importFiles(files, reader, tally, { read: () => undefined, signal })
  history.close()
  return { ...tally.summary(db, false), lines }
}

/** Everything that is in the database. */
export function dump(db: string): Record<string, unknown[]> {
  using database = new DatabaseSync(db, { readOnly: true })
  const tables = database
    .prepare(`SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`)
    .all() as { name: string }[]
  return Object.fromEntries(
    tables.map(({ name }) => [name, database.prepare(`SELECT * FROM ${name}`).all()]),
  )
}

/** CPU seconds by user, of each table that has them. */
export function storedUse(db: string): Record<string, ReadonlyMap<string, number>> {
  using database = new DatabaseSync(db, { readOnly: true })
  const by = (sql: string): ReadonlyMap<string, number> =>
    new Map(
      database
        .prepare(sql)
        .all()
        .map((row) => [String(row['name']), Number(row['used']) / 1e6]),
    )
  const perUser = (from: string): ReadonlyMap<string, number> =>
    by(`SELECT user.name, SUM(use.cpu_us) AS used FROM ${from}
        JOIN user ON user.id = user_id GROUP BY user.name HAVING SUM(use.cpu_us) IS NOT NULL`)
  return {
    usage_hour: perUser('usage_hour AS use'),
    usage_user_hour: perUser('usage_user_hour AS use'),
    job: perUser('job AS use'),
    job_hour: perUser('job_hour AS use JOIN job ON job.id = job_id'),
  }
}
