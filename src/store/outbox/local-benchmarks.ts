import type { BenchmarkRows, Values } from '../postgres/write/batch.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number, numberOrNull } from '../sqlite/row.ts'

const heads = `
  SELECT id, id AS source_benchmark_id, name, started_at, ended_at, definition,
    (SELECT count(*) FROM benchmark_run WHERE benchmark_id = benchmark.id) AS run_count
  FROM benchmark ORDER BY id`

/** Benchmarks of a local ledger that are not as the team knows them, by their marks. */
export function changedBenchmarks(
  connection: Connection,
  user: string,
  known: ReadonlyMap<number, string>,
): Map<number, BenchmarkRows> {
  const changed = new Map<number, BenchmarkRows>()
  for (const row of connection.rows(heads)) {
    const id = number(row, 'id')
    const mark = `${number(row, 'run_count')} ${numberOrNull(row, 'ended_at') ?? ''}`
    if (known.get(id) === mark) continue
    const sql = 'SELECT * FROM benchmark_run WHERE benchmark_id = ? ORDER BY position'
    const runs: Values[] = connection.rows(sql, id)
    changed.set(id, { benchmark: { ...row, user, sent_mark: mark }, runs })
  }
  return changed
}

export const baselinesOf = (connection: Connection): Values[] =>
  connection.rows(
    'SELECT name, saved_at, benchmark_id AS source_benchmark_id FROM baseline ORDER BY name',
  )
