import type { Database } from '../../src/store/postgres/connection.ts'

const hosts = 100
const users = 200
const commands = 50
const days = 30
/** Of each hour of each host. */
const rowsPerHour = 10

/** A month of what 200 users, each of whom has an account, did on 100 hosts, hour by hour, as agents send it. */
export async function fillUsage(
  database: Database,
  now: number,
): Promise<{ from: number; to: number; rows: number }> {
  const to = Math.floor(now / 3600) * 3600
  const from = to - days * 86_400
  const run = (sql: string, ...values: number[]) => database.run(sql, values)
  await run('SELECT make_node_parts(?::bigint, ?::bigint)', from * 1000, to * 1000)
  const names = (table: string, count: number) =>
    run(
      `INSERT INTO node_${table} (name) SELECT '${table}' || n FROM generate_series(1, ${count}) AS n`,
    )
  await names('host', hosts)
  await names('user', users)
  await names('account', 20)
  await names('command', commands)
  const hours = `generate_series(?::bigint, ?::bigint, 3600000) AS hour, generate_series(1, ${hosts}) AS host`
  await run(
    `INSERT INTO node_usage_hour (at_ms, host_id, user_id, account_id, command_id, cpu_us, memory_kib_ms)
     SELECT hour, host, 1 + "user", 1 + "user" % 20, 1 + part * 3 % ${commands},
       (host * 31 + part * 17 + hour / 3600000) % 3600 * 1000000, 1000
     FROM ${hours}, generate_series(1, ${rowsPerHour}) AS part,
       LATERAL (SELECT (host * 7 + part * 13 + hour / 86400000) % ${users} AS "user") AS whose
     ON CONFLICT DO NOTHING`,
    from * 1000,
    to * 1000 - 1,
  )
  await run(
    `INSERT INTO node_hour (at_ms, host_id, span_ms, core_ms) SELECT hour, host, 3600000, 64 * 3600000 FROM ${hours}`,
    from * 1000,
    to * 1000 - 1,
  )
  await run(
    `INSERT INTO node_words SELECT DISTINCT user_id, account_id, command_id FROM node_usage_hour ON CONFLICT DO NOTHING`,
  )
  // As those who send do it now and then.
  while (Number((await database.rows('SELECT fold_usage() AS hours'))[0]?.['hours']) > 0);
  await run('ANALYZE')
  const [row] = await database.rows('SELECT count(*) AS rows FROM node_usage_hour')
  return { from, to, rows: Number(row?.['rows']) }
}

const dayMs = 86_400_000

/** A day of 20 agents that look each minute at three jobs; answers what a minute of a node takes on disk. */
export async function bytesOfANodeMinute(database: Database, now: number): Promise<number> {
  const to = Math.floor(now / 60) * 60_000
  await database.run('SELECT make_node_parts(?::bigint, ?::bigint)', [to - dayMs, to])
  const minutes = `generate_series(?::bigint, ?::bigint, 60000) AS minute, generate_series(1, 20) AS host`
  await database.run(
    `INSERT INTO node_round (host_id, at_ms, number, epoch, span_ms, lost_records, cores, core_us, cpu_us, memory_peak_kib, cpu_peak_millicores)
     SELECT host, minute, minute / 60000, '${'b'.repeat(36)}', 60000, 0, 64, '', 1000000, 1000000, 64000 FROM ${minutes}`,
    [to - dayMs + 1, to],
  )
  await database.run(
    `INSERT INTO node_job_raw (job_id, at_ms, host_id, span_ms, cpu_us, read_bytes, write_bytes, memory_kib_ms, memory_peak_kib, cpu_peak_millicores, processes_peak, threads_peak)
     SELECT host * 1000 + job, minute, host, 60000, 1000000, 4096, 4096, 1000000, 100000, 1000, 3, 10
     FROM ${minutes}, generate_series(1, 3) AS job`,
    [to - dayMs + 1, to],
  )
  const tables = ['node_round', 'node_job_raw'].map((name) => `'jobmeter.${name}'::regclass`)
  const [row] = await database.rows(
    `SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent IN (${tables.join(', ')})`,
  )
  return Number(row?.['bytes']) / (20 * 1440)
}
