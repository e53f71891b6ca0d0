import { spawn, spawnSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleNames } from '../src/model/sample.ts'
import { ourselves } from '../src/record/owner.ts'
import { LiveFeed } from '../src/service/live/live-feed.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import { SpoolFile } from '../src/store/spool/spool-file.ts'
import type { SeriesWriter } from '../src/store/series/series.ts'
import { realSystem } from '../src/system/real.ts'
import { someStart } from '../test/contracts/attempts.ts'
import { sandbox } from '../test/program.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What it costs to tell 200 listeners of 50 jobs that write a sample a second, in a ledger of 100,000 jobs: the thread
 * that reads, in percent of a core, and the memory that it adds. Against the floor: one prepared statement that reads
 * the rows that are new. Half of the jobs are in the ledger, and half in the spool.
 */
const jobs = 50
const past = Number(process.env['JOBMETER_JOBS'] ?? 100_000)
const seconds = Number(process.env['JOBMETER_SECONDS'] ?? 20)
const listeners = 200

/** What is done by another process, so that neither its time nor its memory counts as ours. */
const [role, given = ''] = process.argv.slice(2)
const asProcess = (what: string, db: string) => [import.meta.filename, what, db]

async function write(db: string): Promise<void> {
  const system = realSystem({ ownsProcess: false })
  const owner = ourselves(system)
  const ledger = openSqliteLedger(db)
  const row = new Float64Array(sampleNames.length).fill(1)
  const writers = Array.from({ length: jobs }, (_, index): SeriesWriter => {
    const taskId = `${index}`.padStart(32, 'a')
    const start = { ...someStart(taskId, {}), owner, startedAt: Date.now() / 1000 }
    return index % 2 === 0 ? ledger.jobs.writer(ledger.jobs.begin(start)) : new SpoolFile(db, start)
  })
  for (let second = 1; second <= seconds + 8; second += 1)
    for (const writer of writers) {
      row[0] = Date.now() / 1000
      row[1] = second
      row[2] = second * 0.7
      row[3] = 0
      row[4] = 1e9 + second
      writer.add(row, 1)
      await sleep(1000 / jobs)
    }
}

function fill(db: string): void {
  const ledger = openSqliteLedger(db)
  ledger.batch(() => {
    for (let index = 0; index < past; index += 1)
      ledger.jobs.begin(someStart(`${index}`.padStart(32, 'b'), {}))
  })
  ledger.close()
  const database = new DatabaseSync(db)
  database.exec("UPDATE attempt SET status = 'success', ended_at = started_at + 1")
  database.close()
}

/** Our own CPU time in percent of a core, over some seconds. */
async function percentFor(lastSeconds: number): Promise<number> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await sleep(lastSeconds * 1000)
  const { user, system } = process.cpuUsage(cpu)
  return (user + system) / 1e4 / ((performance.now() - began) / 1000)
}

/** Reads the rows that are new with one statement, as often as the feed does. */
function startFloor(db: string): () => void {
  const database = new DatabaseSync(db, { readOnly: true })
  const newest = database.prepare('SELECT max(id) AS id FROM sample').get() as { id: number }
  const select = database.prepare(`SELECT id, ${sampleNames.join(', ')} FROM sample WHERE id > ?`)
  let last = newest.id
  const timer = setInterval(() => {
    for (const { id } of select.all(last) as { id: number }[]) last = id
  }, 200)
  return () => {
    clearInterval(timer)
    database.close()
  }
}

if (role === 'fill') fill(given)
else if (role === 'write') await write(given)
else {
  using box = sandbox()
  spawnSync(process.execPath, asProcess('fill', box.db), { stdio: 'inherit' })
  const writer = spawn(process.execPath, asProcess('write', box.db), { stdio: 'inherit' })
  await sleep(2_000)
  const stopFloor = startFloor(box.db)
  const floor = await percentFor(4)
  stopFloor()
  const before = process.memoryUsage().rss
  const feed = new LiveFeed(realSystem({ ownsProcess: false }), box.db)
  let events = 0
  const latencies: number[] = []
  for (let index = 0; index < listeners; index += 1)
    feed.listen((told) => {
      events += told.length
      if (index > 0) return
      for (const { event } of told)
        if (event.kind === 'samples')
          for (const row of event.rows) latencies.push(Date.now() / 1000 - (row[0] ?? 0))
    })
  await sleep(1_000)
  latencies.length = 0
  const percent = await percentFor(seconds - 10)
  const megabytes = (process.memoryUsage().rss - before) / 2 ** 20
  feed.stop()
  writer.kill()
  const sorted = latencies.toSorted((a, b) => a - b)
  const slowest = sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN
  printTable([
    ['', '% of a core', '× floor', 'MB added', 'events heard', 'samples', '99 % within s'],
    ['one statement', rounded(floor), 1, '', '', '', ''],
    [
      'the feed',
      ...[percent, percent / floor, megabytes].map(rounded),
      events,
      latencies.length,
      rounded(slowest),
    ],
  ])
  verdict('50 jobs at a sample a second, 200 listeners', percent, 6, ' % of a core')
  verdict('memory that the feed adds', megabytes, 40, ' MB')
  verdict('from writing a sample to hearing of it, 99 %', slowest, 1, ' s')
}
