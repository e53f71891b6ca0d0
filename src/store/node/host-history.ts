import type { HistoryJob, HostHistory } from '../../model/host-history.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number, numberOrNull, text, textOrNull, type Row } from '../sqlite/row.ts'
import { kindIn, reservationIn } from './node-job-row.ts'

/** One host between two moments, in seconds since 1970. */
export interface HistoryQuery {
  readonly host: string
  readonly from: number
  readonly to: number
}

/** Memory times time, of weeks of a large node, is more than 64 bits can count: it is summed as a float. */
const nodeSql = `
  SELECT coalesce(sum(span_ms), 0) AS span_ms,
    1.0 * sum(core_ms) / sum(span_ms) AS cores,
    1024 * sum(1.0 * memory_total_kib_ms) / sum(span_ms) AS memory_bytes,
    1.0 * sum(gpu_ms) / sum(span_ms) AS gpus
  FROM node_hour
  WHERE at_ms >= ?1 AND at_ms < ?2 AND host_id = (SELECT id FROM host WHERE name = ?3)`

const jobSql = `
  SELECT job.*, user.name AS user, account.name AS account, command.name AS command,
    used.seen_ms, used.cpu_seconds, used.gpu_seconds, used.mean_bytes, used.peak_bytes,
    used.gpu_untold, job.last_ms >= ?2
      OR job.last_ms IS (SELECT max(at_ms) FROM round WHERE host_id = job.host_id) AS is_running
  FROM job
  JOIN (
    SELECT job_id, sum(used.span_ms) AS seen_ms, sum(used.cpu_us) * 1e-6 AS cpu_seconds,
      sum(used.gpu_us) * 1e-6 AS gpu_seconds,
      1024 * sum(1.0 * used.memory_kib_ms) / sum(used.span_ms) AS mean_bytes,
      1024 * max(used.memory_peak_kib) AS peak_bytes,
      coalesce(max(used.gpu_us IS NULL AND (used.gpu_memory_kib_ms IS NOT NULL
        OR (node.gpu_us IS NULL AND node.gpu_ms > 0))), 0) AS gpu_untold
    FROM job_hour AS used
    LEFT JOIN node_hour AS node
      ON node.at_ms = used.at_ms AND node.host_id = (SELECT id FROM host WHERE name = ?3)
    WHERE used.at_ms >= ?1 AND used.at_ms < ?2 AND job_id IN (
      SELECT id FROM job
      WHERE last_ms >= ?1 AND first_ms < ?2 AND host_id = (SELECT id FROM host WHERE name = ?3))
    GROUP BY job_id
  ) AS used ON used.job_id = job.id
  JOIN user ON user.id = job.user_id
  JOIN account ON account.id = job.account_id
  JOIN command ON command.id = job.command_id
  ORDER BY job.last_ms DESC, job.cpu_us DESC, job.id`

/** What the jobs of a host did in the whole hours between two moments, and what the host had in them. */
export function readHostHistory(
  connection: Connection,
  { host, from, to }: HistoryQuery,
): HostHistory {
  const asked = [Math.round(from * 1e3), Math.round(to * 1e3), host] as const
  const node = connection.row(nodeSql, ...asked) ?? {}
  return {
    host,
    at: to,
    seenSeconds: number(node, 'span_ms') / 1e3,
    cores: numberOrNull(node, 'cores'),
    memoryBytes: numberOrNull(node, 'memory_bytes'),
    gpus: numberOrNull(node, 'gpus'),
    jobs: connection.map(jobSql, asked, jobOf),
  }
}

function jobOf(row: Row): HistoryJob {
  const startedMs = numberOrNull(row, 'started_ms')
  return {
    kind: kindIn(row),
    user: text(row, 'user'),
    account: textOrNull(row, 'account') || null,
    command: text(row, 'command'),
    startedAt: startedMs === null ? null : startedMs / 1e3,
    firstSeen: number(row, 'first_ms') / 1e3,
    lastSeen: number(row, 'last_ms') / 1e3,
    seenSeconds: number(row, 'seen_ms') / 1e3,
    gpus: numberOrNull(row, 'gpus'),
    reservation: reservationIn(row),
    cpuSeconds: numberOrNull(row, 'cpu_seconds'),
    gpuSeconds: numberOrNull(row, 'gpu_seconds'),
    memoryMeanBytes: numberOrNull(row, 'mean_bytes'),
    memoryPeakBytes: numberOrNull(row, 'peak_bytes'),
    isRunning: number(row, 'is_running') === 1,
    isGpuUntold: number(row, 'gpu_untold') === 1,
  }
}
