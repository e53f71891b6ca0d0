/**
 * Questions about nodes to a team ledger with a year of 50 nodes and 1,000,000 jobs (JOBMETER_BENCH_NODES and
 * JOBMETER_BENCH_JOBS for other numbers), in a PostgreSQL of its own. Prints how long each takes, and how large the tables are.
 */
import { formatBytes } from '../src/model/bytes.ts'
import { Database } from '../src/store/postgres/connection.ts'
import { migrate } from '../src/store/postgres/migrate.ts'
import { nodesOfTeam } from '../src/store/postgres/nodes/team-nodes.ts'
import { startPostgres } from '../test/postgres.ts'
import { printTable, rounded } from './verdict.ts'

const jobs = Number(process.env['JOBMETER_BENCH_JOBS'] ?? 1_000_000)
const hosts = Number(process.env['JOBMETER_BENCH_NODES'] ?? 50)
const users = 20
const hourMs = 3_600_000
const hours = 365 * 24
const endMs = Math.floor(Date.now() / hourMs) * hourMs
const startMs = endMs - hours * hourMs

const fill = `
  SELECT make_node_parts(${startMs}, ${endMs});
  INSERT INTO node_source (database_id, host, path, version) VALUES ('made', 'made', '/made', 'made');
  INSERT INTO node_host (name, latest_ms) SELECT 'node' || n, ${endMs} FROM generate_series(1, ${hosts}) AS n;
  INSERT INTO node_user (name) SELECT 'user' || n FROM generate_series(1, ${users}) AS n;
  INSERT INTO node_account (name) VALUES (''), ('ml');
  INSERT INTO node_command (name) SELECT 'program' || n FROM generate_series(1, 50) AS n;
  INSERT INTO node_words SELECT u, 1, u FROM generate_series(1, ${users}) AS u;
  INSERT INTO node_hour (at_ms, host_id, span_ms, core_ms, cpu_us)
    SELECT ${startMs} + h::bigint * ${hourMs}, host, ${hourMs}, 64 * ${hourMs}::bigint, 1000000000
    FROM generate_series(0, ${hours - 1}) AS h, generate_series(1, ${hosts}) AS host;
  INSERT INTO node_usage_hour (at_ms, host_id, user_id, account_id, command_id, cpu_us)
    SELECT ${startMs} + h::bigint * ${hourMs}, host, (h + host + k) % ${users} + 1, 1, (h + host + k) % 50 + 1, 1000000000
    FROM generate_series(0, ${hours - 1}) AS h, generate_series(1, ${hosts}) AS host, generate_series(1, 5) AS k;
  INSERT INTO node_round (host_id, at_ms, number, epoch, span_ms, lost_records, core_us, cores, load_milli)
    SELECT host, ${endMs} - n::bigint * 60000, 20160 - n, 'boot', 60000, 0, '[1,2]', 64, n
    FROM generate_series(0, 20159) AS n, generate_series(1, ${hosts}) AS host;
  INSERT INTO node_job (id, host_id, epoch, kind, key, user_id, account_id, command_id, first_ms, last_ms, span_ms, cpu_us)
    SELECT (1::bigint << 32) + n, n % ${hosts} + 1, 'boot', 'session', n::text, n % ${users} + 1, 1, n % 50 + 1,
      ${endMs} - n::bigint * ${Math.floor((hours * hourMs) / jobs)} - 600000, ${endMs} - n::bigint * ${Math.floor((hours * hourMs) / jobs)}, 600000, n
    FROM generate_series(0, ${jobs - 1}) AS n;`

const postgres = await startPostgres('fsync=off', 'shared_buffers=512MB')
try {
  const database = new Database({
    connectionString: await postgres.database('bench'),
    options: '-c search_path=jobmeter -c jit=off',
  })
  await migrate(database)
  for (const statement of fill.split(';\n')) await database.run(statement)
  await database.run('ANALYZE')
  const nodes = nodesOfTeam(database, null, 'postgres://bench')
  const own = nodesOfTeam(database, { users: ['user7'] }, 'postgres://bench')
  const [from, to] = [startMs / 1e3, endMs / 1e3]
  const usage = { metric: 'cpu', from, to, offsets: [] } as const
  const recent = { from: to - 86_400, to: to + 1 }
  const questions: readonly (readonly [string, () => Promise<unknown>])[] = [
    [
      'a year by hour of the week and user',
      () => nodes.usage({ ...usage, by: ['hour-of-week', 'user'] }),
    ],
    ['the same, of one user', () => own.usage({ ...usage, by: ['hour-of-week', 'user'] })],
    ['a year by command and host', () => nodes.usage({ ...usage, by: ['command', 'host'] })],
    ['jobs of the last day', () => nodes.jobs({ ...recent, limit: 500 })],
    ['jobs of one user, of a year', () => own.jobs({ limit: 500 })],
    ['running jobs', () => nodes.jobs({ state: 'running' })],
    ['nodes now, peaks of a day', () => nodes.states(recent)],
    ['a wall of a day', () => nodes.wall({ ...recent, steps: 96 })],
    ['when looked at, a week', () => nodes.stretches(to - 7 * 86_400, to)],
    ['extents', () => nodes.extents()],
  ]
  const lines: (string | number)[][] = []
  for (const [what, ask] of questions) {
    const began = performance.now()
    await ask()
    lines.push([what, `${rounded((performance.now() - began) / 1e3)} s`])
  }
  printTable([['question', 'time'], ...lines])
  const [size] = await database.rows(
    `SELECT sum(pg_total_relation_size(oid)) AS bytes FROM pg_class WHERE relkind = 'r' AND relname LIKE 'node%'`,
  )
  console.log(`tables of nodes: ${formatBytes(Number(size?.['bytes']))}`)
  await database.close()
} finally {
  await postgres.stop()
}
