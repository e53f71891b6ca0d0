import type { BenchmarkHead } from '../../../model/benchmark.ts'
import {
  benchmarkIn,
  benchmarkRunIn,
  benchmarks,
  runsOfBenchmark,
} from '../../ledger/benchmark-row.ts'
import type { StoredBenchmarkRun } from '../../ledger/benchmark-store.ts'
import type { BenchmarksReader } from '../../ledger/ledger-reader.ts'
import { postgresDialect } from './dialect.ts'
import type { Questions } from './questions.ts'

const select = benchmarks(postgresDialect)

/** Answers questions about all benchmarks of a team. */
export class TeamBenchmarks implements BenchmarksReader {
  readonly #questions: Questions

  constructor(questions: Questions) {
    this.#questions = questions
  }

  list(): Promise<BenchmarkHead[]> {
    return this.#questions.mapSound(`${select} ORDER BY id DESC`, [], benchmarkIn)
  }

  find(benchmarkId: number): Promise<BenchmarkHead | undefined> {
    return this.#first('WHERE id = ?', benchmarkId)
  }

  findByName(name: string): Promise<BenchmarkHead | undefined> {
    return this.#first('WHERE name = ? ORDER BY id DESC', name)
  }

  /** Several people may have saved one under the same name: the latest is meant. */
  findBaseline(name: string): Promise<BenchmarkHead | undefined> {
    return this.#first(
      'WHERE id = (SELECT benchmark_id FROM baseline WHERE name = ? ORDER BY saved_at DESC LIMIT 1)',
      name,
    )
  }

  runs(benchmarkId: number): Promise<StoredBenchmarkRun[]> {
    return this.#questions.mapSound(runsOfBenchmark, [benchmarkId], benchmarkRunIn)
  }

  async #first(where: string, value: string | number): Promise<BenchmarkHead | undefined> {
    const found = await this.#questions.mapSound(`${select} ${where} LIMIT 1`, [value], benchmarkIn)
    return found[0]
  }
}
