import type { BenchmarkDefinition, BenchmarkHead, MatrixAxis } from '../../model/benchmark.ts'
import { MalformedRow } from '../errors.ts'
import {
  countIn,
  instant,
  instantOrNull,
  list,
  number,
  object,
  text,
  type Row,
} from '../sqlite/row.ts'
import { isCount, isObject, isParams, isText } from '../valid.ts'
import type { StoredBenchmarkRun } from './benchmark-store.ts'
import type { Dialect } from './dialect.ts'

/** What `benchmarkIn` reads. */
export const benchmarks = ({ baselines }: Dialect): string => `
  SELECT id, name, started_at, ended_at, definition,
    (SELECT count(*) FROM benchmark_run WHERE benchmark_id = benchmark.id) AS run_count,
    ${baselines} AS baselines
  FROM benchmark`

export const runsOfBenchmark =
  'SELECT * FROM benchmark_run WHERE benchmark_id = ? ORDER BY position'

export const benchmarkRunIn = (row: Row): StoredBenchmarkRun => ({
  taskId: text(row, 'task_id'),
  runNumber: countIn(row, 'run_number'),
  isWarmUp: number(row, 'is_warm_up') === 1,
  cell: valuesIn(row, 'cell'),
})

export const benchmarkIn = (row: Row): BenchmarkHead => ({
  id: number(row, 'id'),
  definition: definitionOf(object(row, 'definition')),
  startedAt: instant(row, 'started_at'),
  endedAt: instantOrNull(row, 'ended_at'),
  baselines: list(row, 'baselines', isText),
  runCount: countIn(row, 'run_count'),
})

function definitionOf(stored: Record<string, unknown>): BenchmarkDefinition {
  const { name, command, runs, warmup, matrix, params } = stored
  if (
    !isText(name) ||
    !(Array.isArray(command) && command.every(isText)) ||
    !isCount(runs) ||
    !isCount(warmup) ||
    !(Array.isArray(matrix) && matrix.every(isAxis)) ||
    !isParams(params)
  )
    throw new MalformedRow('column definition holds an invalid value')
  return { name, command, runs, warmup, matrix, params }
}

const isAxis = (axis: unknown): axis is MatrixAxis =>
  isObject(axis) &&
  isText(axis['name']) &&
  Array.isArray(axis['values']) &&
  axis['values'].every(isText)

function valuesIn(row: Row, column: string): Record<string, string> {
  const values = object(row, column)
  const texts = Object.entries(values).filter((entry): entry is [string, string] =>
    isText(entry[1]),
  )
  return Object.fromEntries(texts)
}
