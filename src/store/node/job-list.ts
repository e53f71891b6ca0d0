import type { SeenJob } from '../../model/seen-job.ts'
import { rowsOf, type Asking } from './asking.ts'
import { hourMs } from './buckets.ts'
import type { NodeDialect } from './dialect.ts'
import { jobConditions, jobOrder, type JobQuery } from './job-query.ts'
import { seenJobOf } from './node-job-row.ts'

/** Of a node, as it was when the job was last seen. */
const then = (column: string): string => `hour.${column} / nullif(hour.span_ms, 0)`

const jobSql = ({ latestRoundMs }: NodeDialect): string => `
  SELECT job.*, host.name AS host, "user".name AS "user", account.name AS account,
    command.name AS command, coalesce(latest.cores, ${then('core_ms')}) AS node_cores,
    coalesce(latest.memory_total_kib, ${then('memory_total_kib_ms')}) AS node_memory_kib,
    coalesce(latest.gpus, ${then('gpu_ms')}) AS node_gpus,
    job.last_ms IS NOT DISTINCT FROM latest.at_ms AS is_running
  FROM job
  JOIN host ON host.id = job.host_id
  JOIN "user" ON "user".id = job.user_id
  JOIN account ON account.id = job.account_id
  JOIN command ON command.id = job.command_id
  LEFT JOIN round AS latest ON latest.host_id = job.host_id
    AND latest.at_ms = ${latestRoundMs('job.host_id')}
  LEFT JOIN node_hour AS hour ON hour.host_id = job.host_id
    AND hour.at_ms = (job.last_ms - 1) / ${hourMs} * ${hourMs}`

export function readJobs(dialect: NodeDialect, query: JobQuery): Asking<SeenJob[]> {
  const { conditions, values } = jobConditions(dialect, query)
  const where = conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
  const limit = query.limit === undefined ? '' : `LIMIT ${query.limit}`
  const sql = `${jobSql(dialect)} ${where} ORDER BY ${jobOrder(dialect, query)} ${limit}`
  return rowsOf(sql, values, seenJobOf)
}

/** In the order in which they were first seen, after one of them. */
export function readJobsAfter(
  dialect: NodeDialect,
  query: JobQuery,
  afterId: number,
  most: number,
): Asking<SeenJob[]> {
  const { conditions, values } = jobConditions(dialect, query)
  const where = [...conditions, 'job.id > ?'].join(' AND ')
  const sql = `${jobSql(dialect)} WHERE ${where} ORDER BY job.id LIMIT ${most}`
  return rowsOf(sql, [...values, afterId], seenJobOf)
}
