import type { BenchmarkDefinition, BenchmarkHead } from '../../model/benchmark.ts'
import type { Connection } from '../sqlite/connection.ts'
import { benchmarkIn, benchmarkRunIn, benchmarks, runsOfBenchmark } from './benchmark-row.ts'
import { sqliteDialect } from './dialect.ts'
import type { BenchmarkStore, StoredBenchmarkRun } from './benchmark-store.ts'

const select = benchmarks(sqliteDialect)

/** Benchmarks in the ledger's SQLite file. */
export class SqliteBenchmarkStore implements BenchmarkStore {
  readonly #connection: Connection

  constructor(connection: Connection) {
    this.#connection = connection
  }

  begin(definition: BenchmarkDefinition, startedAt: number): number {
    const sql = 'INSERT INTO benchmark (name, started_at, definition) VALUES (?, ?, ?)'
    return this.#connection.run(sql, definition.name, startedAt, JSON.stringify(definition)).lastId
  }

  addRun(benchmarkId: number, { taskId, runNumber, isWarmUp, cell }: StoredBenchmarkRun): void {
    this.#connection.run(
      `INSERT INTO benchmark_run (benchmark_id, position, task_id, run_number, is_warm_up, cell)
       SELECT ?1, 1 + coalesce(max(position), 0), ?2, ?3, ?4, ?5
       FROM benchmark_run WHERE benchmark_id = ?1`,
      benchmarkId,
      taskId,
      runNumber,
      isWarmUp ? 1 : 0,
      JSON.stringify(cell),
    )
  }

  end(benchmarkId: number, endedAt: number): void {
    this.#connection.run('UPDATE benchmark SET ended_at = ? WHERE id = ?', endedAt, benchmarkId)
  }

  saveBaseline(name: string, benchmarkId: number, savedAt: number): void {
    this.#connection.run(
      `INSERT INTO baseline (name, benchmark_id, saved_at) VALUES (?1, ?2, ?3)
       ON CONFLICT (name) DO UPDATE SET benchmark_id = ?2, saved_at = ?3`,
      name,
      benchmarkId,
      savedAt,
    )
  }

  list(): BenchmarkHead[] {
    return this.#connection.mapSound(`${select} ORDER BY id DESC`, [], benchmarkIn)
  }

  find(benchmarkId: number): BenchmarkHead | undefined {
    return this.#first('WHERE id = ?', benchmarkId)
  }

  findByName(name: string): BenchmarkHead | undefined {
    return this.#first('WHERE name = ? ORDER BY id DESC', name)
  }

  findBaseline(name: string): BenchmarkHead | undefined {
    return this.#first('WHERE id = (SELECT benchmark_id FROM baseline WHERE name = ?)', name)
  }

  runs(benchmarkId: number): StoredBenchmarkRun[] {
    return this.#connection.mapSound(runsOfBenchmark, [benchmarkId], benchmarkRunIn)
  }

  #first(where: string, value: string | number): BenchmarkHead | undefined {
    return this.#connection.mapSound(`${select} ${where} LIMIT 1`, [value], benchmarkIn)[0]
  }
}
