import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sampleNames } from '../src/model/sample.ts'
import { ourselves } from '../src/record/owner.ts'
import { openSqliteLedger } from '../src/store/ledger/open.ts'
import type { SeriesWriter } from '../src/store/series/series.ts'
import { SpoolFile } from '../src/store/spool/spool-file.ts'
import { realSystem } from '../src/system/real.ts'
import { someStart } from '../test/contracts/attempts.ts'
import { sandbox } from '../test/program.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * `jobmeter serve` with 200 live clients and 50 running jobs that write a sample a second: its CPU in percent of a core, its
 * memory, and whether every client got every event once. Against the floor: a server that writes the same bytes to as many
 * sockets, as often. With JOBMETER_REAL_JOBS=1 the jobs are real ones, each with a jobmeter of its own; else another process
 * writes to ledger and spool what they would.
 */
const jobs = 50
const clients = 200
const seconds = Number(process.env['JOBMETER_SECONDS'] ?? 60)
const areReal = process.env['JOBMETER_REAL_JOBS'] === '1'

const [role, ...given] = process.argv.slice(2)
const asProcess = (what: string, ...more: readonly string[]): ChildProcess =>
  spawn(process.execPath, [import.meta.filename, what, ...more], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })

async function write(db: string): Promise<void> {
  const owner = ourselves(realSystem({ ownsProcess: false }))
  const ledger = openSqliteLedger(db)
  const row = new Float64Array(sampleNames.length).fill(1)
  const writers = Array.from({ length: jobs }, (_, index): SeriesWriter => {
    const taskId = `${index}`.padStart(32, 'a')
    const start = { ...someStart(taskId, {}), owner, startedAt: Date.now() / 1000 }
    return index % 2 === 0 ? ledger.jobs.writer(ledger.jobs.begin(start)) : new SpoolFile(db, start)
  })
  process.stdout.write('ready\n')
  for (let second = 1; ; second += 1)
    for (const writer of writers) {
      row.set([Date.now() / 1000, second, second * 0.7, 0, 1e9 + second])
      writer.add(row, 1)
      await sleep(1000 / jobs)
    }
}

interface Seen {
  readonly events: number
  readonly bytes: number
  readonly first: string
  readonly last: string
  readonly isGapless: boolean
}

/** One client: counts what comes, and whether numbers follow one another. */
function follow(port: number, path: string, token: string): () => Seen {
  let [text, bytes, events, expected, first, last] = ['', 0, 0, -1, '', '']
  let isGapless = true
  const headers = { authorization: `Bearer ${token}` }
  get({ host: '127.0.0.1', port, path, headers, agent: false }, (answer) => {
    answer.setEncoding('utf8').on('data', (part: string) => {
      bytes += part.length
      text += part
      const end = text.lastIndexOf('\n\n') + 2
      for (const [, id = ''] of text.slice(0, end).matchAll(/^id: (\S+)$/gm)) {
        const number = Number(id.slice(id.lastIndexOf('.') + 1))
        if (expected >= 0 && number !== expected) isGapless = false
        expected = number + 1
        events += 1
        if (first === '') first = id
        last = id
      }
      text = text.slice(end)
    })
  })
  return () => ({ events, bytes, first, last, isGapless })
}

/** All clients in one process, so that none of their time counts as the server's. */
async function listen(port: string, path: string, token: string): Promise<void> {
  const all = Array.from({ length: clients }, () => follow(Number(port), path, token))
  process.stdin.once('data', () => {
    process.stdout.write(`${JSON.stringify(all.map((seen) => seen()))}\n`)
    process.exit(0)
  })
  await sleep(1000)
  process.stdout.write('ready\n')
}

/** Writes so many bytes to every client, five times a second. */
function floor(bytesPerSecond: string): void {
  const size = Math.max(2, Math.round(Number(bytesPerSecond) / 5))
  const piece = Buffer.from(`${'x'.repeat(size - 2)}\n\n`)
  const server = createServer((_, answer) => {
    answer.writeHead(200, { 'content-type': 'text/event-stream' })
    const timer = setInterval(() => answer.write(piece), 200)
    answer.once('close', () => clearInterval(timer))
  })
  server.listen(0, '127.0.0.1', () => {
    const place = server.address()
    process.stdout.write(`${typeof place === 'object' ? place?.port : ''}\n`)
  })
}

const said = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    child.stdout?.on('data', (part: Buffer) => {
      text += part.toString()
      if (text.endsWith('\n')) resolve(text.trim())
    })
  })

const ticksPerSecond = 100

function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

const peakMegabytes = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024

interface Measured {
  readonly percent: number
  readonly seen: readonly Seen[]
}

async function measured(pid: number, port: number, path: string, token: string): Promise<Measured> {
  const listening = asProcess('listen', String(port), path, token)
  await said(listening)
  const cpu = cpuSecondsOf(pid)
  await sleep(seconds * 1000)
  const percent = (100 * (cpuSecondsOf(pid) - cpu)) / seconds
  // What was written last is still on its way to some of them.
  await sleep(1000)
  const answer = said(listening)
  listening.stdin?.write('end\n')
  return { percent, seen: JSON.parse(await answer) as Seen[] }
}

async function bench(): Promise<void> {
  using box = sandbox()
  await box.jobmeter(['run', '--quiet', '--', 'true'])
  const length = String(seconds + 60)
  const writer = areReal ? undefined : asProcess('write', box.db)
  if (writer !== undefined) await said(writer)
  else
    for (let job = 0; job < jobs; job += 1)
      box.start(['run', '--quiet', '--name', `job ${job}`, '--', 'sleep', length], {
        timeoutMs: (seconds + 120) * 1000,
      })
  const served = box.start(['serve', '--listen', '127.0.0.1:0', '--log', 'off'], {
    timeoutMs: (seconds + 120) * 1000,
  })
  const address = new URL((await served.saw('\n')).trim())
  const token = address.searchParams.get('token') ?? ''
  await sleep(areReal ? 15_000 : 3000)
  const { percent, seen } = await measured(
    served.pid,
    Number(address.port),
    '/api/v1/events',
    token,
  )
  const peak = peakMegabytes(served.pid)
  served.signal('SIGTERM')
  writer?.kill()
  const bytesPerSecond = (seen[0]?.bytes ?? 0) / seconds
  const bare = asProcess('floor', String(bytesPerSecond))
  const barePort = Number(await said(bare))
  const least = await measured(bare.pid ?? 0, barePort, '/', '')
  bare.kill()
  report(percent, peak, seen, least.percent)
}

function report(percent: number, peak: number, seen: readonly Seen[], least: number): void {
  const counts = seen.map(({ events }) => events)
  // Ids grow by one: who missed an event, or got one twice, has a gap.
  const incomplete = seen.filter(({ isGapless, events }) => !isGapless || events === 0)
  printTable([
    ['', '% of a core', '× floor', 'MB at most', 'events to each', 'KB/s to each'],
    ['writing the same bytes', rounded(least), 1, '', '', ''],
    [
      'jobmeter serve',
      ...[percent, percent / least, peak].map(rounded),
      `${Math.min(...counts)}–${Math.max(...counts)}`,
      rounded((seen[0]?.bytes ?? 0) / seconds / 1024),
    ],
  ])
  verdict('clients that missed an event or got one twice', incomplete.length, 0, '')
  verdict(`${clients} clients, ${jobs} jobs`, percent, 15, ' % of a core')
  verdict('memory', peak, 150, ' MB')
}

switch (role ?? 'bench') {
  case 'write':
    await write(given[0] ?? '')
    break
  case 'listen':
    await listen(given[0] ?? '', given[1] ?? '', given[2] ?? '')
    break
  case 'floor':
    floor(given[0] ?? '')
    break
  default:
    await bench()
}
