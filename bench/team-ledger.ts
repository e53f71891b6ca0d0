/**
 * Fills a team ledger on a PostgreSQL of its own with made-up records and samples, by the code that nodes send with, and prints
 * how fast that goes against plain COPY of the same rows, what a record and a sample take on disk, and how long questions
 * take. `node bench/team-ledger.ts 1000000` makes a million records with 200 samples each.
 */
import { median } from '../src/analysis/statistics/median.ts'
import { ownCpuSeconds } from '../src/system/own-process.ts'
import { Database } from '../src/store/postgres/connection.ts'
import { openTeam } from '../src/service/team/open-team.ts'
import { migrate } from '../src/store/postgres/migrate.ts'
import { nodesOfTeam } from '../src/store/postgres/nodes/team-nodes.ts'
import { openTeamReader } from '../src/store/postgres/read/team-reader.ts'
import { knownOf } from '../src/store/postgres/write/known.ts'
import { enrol } from '../src/store/postgres/write/source.ts'
import { TeamWriter } from '../src/store/postgres/write/team-writer.ts'
import { startPostgres, whyNoPostgres } from '../test/postgres.ts'
import { madeUsers, TeamLoad } from '../test/synthetic/team-load.ts'
import { serverCpuSeconds } from './team-ledger/server-cpu.ts'
import { PlainCopy } from './team-ledger/plain-copy.ts'
import { bytesOfANodeMinute, fillUsage } from './team-ledger/node-usage.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const records = Number(process.argv[2] ?? 20_000)
const samplesPerRecord = 200
const perBatch = 500
/** Batches that are also copied plainly, in turn. */
const compared = Math.min(40, Math.floor(records / perBatch))
const repeats = 20

async function seconds(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now()
  await work()
  return (performance.now() - started) / 1000
}

/** By the clock, and of CPU: of the server and of this program. */
interface Spent {
  readonly seconds: number
  readonly cpu: number
}

const nothing: Spent = { seconds: 0, cpu: 0 }
const plus = (one: Spent, other: Spent): Spent => ({
  seconds: one.seconds + other.seconds,
  cpu: one.cpu + other.cpu,
})

const missing = whyNoPostgres()
if (missing !== undefined) throw new Error(missing)
const postgres = await startPostgres('shared_buffers=1GB', 'max_wal_size=4GB', 'work_mem=64MB')
try {
  const address = await postgres.database('team')
  const database = new Database({ connectionString: address })
  await migrate(database)
  const now = Date.now() / 1000
  const place = { host: 'node01', path: '/ledger.db', user: 'ada', version: '0.1.0' }
  const enrolled = await enrol(database, place, {
    ledgerId: undefined,
    isSame: () => false,
    newLedgerId: () => 'bench',
  })
  if (enrolled === undefined) throw new Error('the source belongs to another')
  let { state } = enrolled
  const writer = new TeamWriter(database, place)
  const load = new TeamLoad({ endsAt: now, records, samplesPerRecord })
  const indexed = new PlainCopy(database, 'indexed')
  const bare = new PlainCopy(database, 'bare')
  await indexed.make()
  await bare.make()
  const spent = { ours: nothing, comparedOurs: nothing, indexed: nothing, bare: nothing }
  const cost = async (work: () => Promise<unknown>): Promise<Spent> => {
    const before = serverCpuSeconds(postgres.pid) + ownCpuSeconds()
    const took = await seconds(work)
    return { seconds: took, cpu: serverCpuSeconds(postgres.pid) + ownCpuSeconds() - before }
  }
  for (let from = 0; from < records; from += perBatch) {
    const batch = load.batch(from, Math.min(perBatch, records - from))
    const took = await cost(async () => {
      const written = await writer.write(batch, state)
      if (written.refused.length > 0) throw new Error(JSON.stringify(written.refused[0]))
      ;({ state } = written)
    })
    spent.ours = plus(spent.ours, took)
    if (from / perBatch >= compared) continue
    spent.comparedOurs = plus(spent.comparedOurs, took)
    spent.indexed = plus(spent.indexed, await cost(() => indexed.copy(batch)))
    spent.bare = plus(spent.bare, await cost(() => bare.copy(batch)))
  }
  const samples = records * samplesPerRecord
  const share = (plain: Spent, by: keyof Spent): number => plain[by] / spent.comparedOurs[by]
  const percent = (plain: Spent, by: keyof Spent): string => `${rounded(100 * share(plain, by))} %`
  await database.run('ANALYZE jobmeter.attempt, jobmeter.sample_chunk')
  const bytesOf = async (table: string): Promise<number> => {
    const sql = `SELECT sum(pg_total_relation_size(inhrelid)) AS bytes FROM pg_inherits WHERE inhparent = 'jobmeter.${table}'::regclass`
    return Number((await database.rows(sql))[0]?.['bytes'])
  }
  const [attemptBytes, chunkBytes] = [await bytesOf('attempt'), await bytesOf('sample_chunk')]
  printTable([
    ['', 'records', 'samples'],
    [
      'ingest, per second',
      rounded(records / spent.ours.seconds),
      rounded(samples / spent.ours.seconds),
    ],
    ['on disk, bytes each', rounded(attemptBytes / records), rounded(chunkBytes / samples)],
    ['on disk, GB', rounded(attemptBytes / 1e9), rounded(chunkBytes / 1e9)],
  ])
  printTable([
    ['plain COPY of the same rows, of our time', 'by the clock', 'of CPU'],
    ['into the same indexes', percent(spent.indexed, 'seconds'), percent(spent.indexed, 'cpu')],
    ['into tables without any', percent(spent.bare, 'seconds'), percent(spent.bare, 'cpu')],
  ])
  const cpuMs = async (times: number, work: (at: number) => Promise<unknown>): Promise<number> => {
    const before = serverCpuSeconds(postgres.pid)
    for (let at = 0; at < times; at += 1) await work(at)
    return (1000 * (serverCpuSeconds(postgres.pid) - before)) / times
  }
  const send = async (from: number, count: number): Promise<void> => {
    ;({ state } = await writer.write(load.batch(from, count), state))
  }
  const small = await cpuMs(200, (at) => send(records + at, 1))
  const large = await cpuMs(10, (at) => send(records + 1000 + at * perBatch, perBatch))
  const connect = await cpuMs(100, async () => {
    const own = await openTeam(address, { connections: 2 })
    const known = { ledgerId: 'bench', isSame: () => true, newLedgerId: () => '' }
    await enrol(own, place, known)
    await knownOf(own, state.sourceId)
    await own.close()
  })
  const minute = await bytesOfANodeMinute(database, now)
  printTable([
    ['CPU of the server', 'ms'],
    ['to connect and learn what the team has', rounded(connect)],
    ['a batch with one record', rounded(small)],
    ['each further record of a batch', rounded((large - small) / (perBatch - 1))],
  ])
  console.log(`a minute of a node with three jobs: ${rounded(minute)} bytes`)

  const reader = await openTeamReader(address)
  const usage = await fillUsage(database, now)
  const nodes = nodesOfTeam(database, null, 'the team')
  const asked = {
    history: () => reader.jobs.find({ limit: 20 }),
    'history of a user': () => reader.jobs.find({ limit: 20, user: madeUsers[7] ?? '' }),
    'history of what failed': () => reader.jobs.find({ limit: 20, status: 'failed' }),
    'hour-of-week by user': () =>
      nodes.usage({
        by: ['user', 'hour-of-week'],
        metric: 'cpu',
        from: usage.from,
        to: usage.to,
        offsets: [{ from: 0, offsetSeconds: 3600 }],
      }),
  } as const
  const times: [name: string, first: number, later: number, cpu: number][] = []
  for (const [name, ask] of Object.entries(asked)) {
    const first = await seconds(ask)
    const all: Spent[] = []
    for (let at = 0; at < repeats; at += 1) all.push(await cost(ask))
    const later = median(all.map(({ seconds: took }) => took))
    const cpu = all.reduce(plus, nothing).cpu / repeats
    times.push([name, 1000 * first, 1000 * later, 1000 * cpu])
  }
  printTable([
    [`${records} records, ${usage.rows} hours of usage`, 'first ms', 'ms', 'CPU ms'],
    ...times.map(([name, ...figures]) => [name, ...figures.map(rounded)]),
  ])
  for (const [name, first] of times)
    verdict(name, first, name.startsWith('history') ? 100 : 2000, ' ms')
  verdict(
    'ingest against plain COPY into the same indexes',
    1 / share(spent.indexed, 'seconds'),
    2,
    ' times',
  )
  await reader.close()
  await database.close()
} finally {
  await postgres.stop()
}
