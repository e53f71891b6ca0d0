import type { SeenJob } from '../../model/seen-job.ts'
import type { SeenRound, SeenSeries } from '../../model/seen-round.ts'
import { number, numberOrNull, scaled, type Row } from '../sqlite/row.ts'
import { rowsOf, type Asking } from './asking.ts'
import { fiveMinutesMs, hourMs } from './buckets.ts'

/** From the finest on; a bucket is told by when it began, and a round by when it ended. */
const tables = [
  { kind: 'rounds', ofJob: 'job_raw', ofNode: 'round', endsMs: 0 },
  { kind: 'five minutes', ofJob: 'job_5m', ofNode: 'node_5m', endsMs: fiveMinutesMs },
  { kind: 'hours', ofJob: 'job_hour', ofNode: 'node_hour', endsMs: hourMs },
] as const

/** A job, and for how long it was seen. */
export type LivedJob = Pick<SeenJob, 'rowId' | 'seenSeconds'>

const slackSeconds = 1e-3

/** What a job did over time, as finely as all of the time that it was seen is still known; else as much as is known. */
export function* readJobSeries({ rowId, seenSeconds }: LivedJob): Asking<SeenSeries> {
  let found: SeenSeries = { kind: 'rounds', rounds: [] }
  for (const { kind, ofJob, ofNode, endsMs } of tables) {
    const sql = `
      SELECT mine.*, node.cpu_us AS node_cpu_us, node.memory_kib_ms AS node_kib_ms,
        node.span_ms AS node_span_ms
      FROM ${ofJob} AS mine JOIN job ON job.id = mine.job_id
      LEFT JOIN ${ofNode} AS node ON node.host_id = job.host_id AND node.at_ms = mine.at_ms
      WHERE mine.job_id = ? ORDER BY mine.at_ms`
    const rounds = yield* rowsOf(sql, [rowId], (row) => roundOf(row, endsMs))
    if (rounds.length > 0) found = { kind, rounds }
    const toldSeconds = rounds.reduce((sum, { seconds }) => sum + seconds, 0)
    if (rounds.length > 0 && toldSeconds >= seenSeconds - slackSeconds) break
  }
  return found
}

function roundOf(row: Row, endsMs: number): SeenRound {
  const spanMs = number(row, 'span_ms')
  const mean = (column: string, overMs: number | null): number | null =>
    overMs ? scaled(row, column, 1024 / overMs) : null
  return {
    to: (number(row, 'at_ms') + endsMs) / 1e3,
    seconds: spanMs / 1e3,
    cpuSeconds: scaled(row, 'cpu_us', 1e-6),
    readBytes: numberOrNull(row, 'read_bytes'),
    writeBytes: numberOrNull(row, 'write_bytes'),
    gpuSeconds: scaled(row, 'gpu_us', 1e-6),
    memoryBytes: mean('memory_kib_ms', spanMs),
    gpuMemoryBytes: mean('gpu_memory_kib_ms', spanMs),
    memoryPeakBytes: scaled(row, 'memory_peak_kib', 1024),
    nodeSeconds: scaled(row, 'node_span_ms', 1e-3),
    nodeCpuSeconds: scaled(row, 'node_cpu_us', 1e-6),
    nodeMemoryBytes: mean('node_kib_ms', numberOrNull(row, 'node_span_ms')),
  }
}
