/**
 * A year of samples of 50 nodes, in Sonar's format, through the program's own import: records a second against JSON.parse of
 * the same lines, the size of the database, and how long it then takes to ask how full the nodes were, hour by hour of the
 * week and user by user, against counting the rows of the table that it reads.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import {
  isoTime,
  madeSamples,
  sampleJson,
  type MadeNodes,
  type MadeSample,
} from '../test/import/made-samples.ts'
import { printTable, rounded, verdict } from './verdict.ts'

const program = join(import.meta.dirname, '..', 'bin', 'jobmeter.cjs')
const days = Number(process.env['JOBMETER_DAYS'] ?? 365)
const everySeconds = Number(process.env['JOBMETER_EVERY'] ?? 3600)
const hosts = 50
const daysAtOnce = 30
const daySeconds = 86_400
const samplesADay = Math.floor(daySeconds / everySeconds)

const now = Math.floor(Date.now() / 1e3 / 3600) * 3600
const made: MadeNodes = {
  hosts,
  users: Array.from({ length: 40 }, (_, at) => `user${at}`),
  commands: Array.from({ length: 60 }, (_, at) => `command${at}`),
  startSeconds: now - days * daySeconds,
  intervalSeconds: everySeconds,
  samples: Math.floor((days * daySeconds) / everySeconds),
  jobs: 10,
  seed: 1,
}

const tellPeak =
  'data:text/javascript,import{writeSync}from"node:fs";' +
  'process.on("exit",()=>writeSync(2,String(process.resourceUsage().maxRSS)))'

/** Runs the program; tells its output, how long it took, and its most memory in MB. */
function jobmeter(...args: string[]) {
  const started = performance.now()
  const ended = spawnSync(process.execPath, ['--import', tellPeak, program, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 30,
    env: { ...process.env, TZ: 'UTC' },
  })
  if (ended.status !== 0) throw new Error(`${args.join(' ')}: ${ended.stderr}`)
  const seconds = (performance.now() - started) / 1e3
  return { output: ended.stdout, seconds, peakMb: Number(ended.stderr) / 1024 }
}

/** Sonar's tree of some days: a file for each day and node. Tells the paths, and how many records there are. */
function writeTree(root: string, nodes: readonly Iterator<MadeSample>[], until: number) {
  const paths: string[] = []
  let [records, bytes] = [0, 0]
  for (const node of nodes) {
    const byDay = new Map<string, string[]>()
    let host = ''
    for (let day = 0; day < until; day++) {
      const lines = Array.from({ length: samplesADay }, () => node.next())
        .filter((next) => next.done !== true)
        .map(({ value }) => value)
      const [first] = lines
      if (first === undefined) break
      ;({ host } = first)
      const date = isoTime(first.at).slice(0, 'yyyy-mm-dd'.length).replaceAll('-', '/')
      byDay.set(date, lines.map(sampleJson))
    }
    for (const [date, lines] of byDay) {
      const folder = join(root, 'made.example.org', date)
      mkdirSync(folder, { recursive: true })
      const text = `${lines.join('\n')}\n`
      writeFileSync(join(folder, `0+sample-${host}.json`), text)
      paths.push(join(folder, `0+sample-${host}.json`))
      records += lines.length
      bytes += text.length
    }
  }
  return { paths, records, bytes }
}

/** What it takes to read and parse the lines, and nothing else. */
function parseSeconds(path: string): number {
  const started = performance.now()
  let found = 0
  for (const line of readFileSync(path, 'utf8').split('\n'))
    if (line !== '') found += Object.keys(JSON.parse(line) as object).length
  if (found === 0) throw new Error('the file is empty')
  return (performance.now() - started) / 1e3
}

const directory = mkdtempSync(join(tmpdir(), 'jobmeter-bench-'))
try {
  const db = join(directory, 'node.db')
  const sum = { records: 0, bytes: 0, importSeconds: 0, parseSeconds: 0, peakMb: 0 }
  const nodes = Array.from({ length: hosts }, (_, index) => madeSamples(made, index))
  for (let day = 0; day < days; day += daysAtOnce) {
    const tree = join(directory, 'tree')
    const { paths, records, bytes } = writeTree(tree, nodes, Math.min(daysAtOnce, days - day))
    sum.records += records
    sum.bytes += bytes
    sum.parseSeconds += paths.reduce((all, path) => all + parseSeconds(path), 0)
    const gap = ['--max-gap', `${everySeconds * 2}s`]
    const { seconds, peakMb } = jobmeter('import', 'sonar', tree, '--db', db, ...gap)
    sum.importSeconds += seconds
    sum.peakMb = Math.max(sum.peakMb, peakMb)
    rmSync(tree, { recursive: true })
  }
  const sizeMb = statSync(db).size / 1e6
  const from = new Date(made.startSeconds * 1e3).toISOString().slice(0, 10)
  const question = ['usage', '--by', 'hour-of-week', '--by', 'user', '--from', from, '--db', db]
  const asked = [1, 2, 3].map(() => jobmeter(...question, '--format', 'csv'))
  const seconds = asked.map((one) => one.seconds).toSorted((one, other) => one - other)[1] ?? 0
  using database = new DatabaseSync(db, { readOnly: true })
  const started = performance.now()
  const counted = database
    .prepare('SELECT count(*) AS rows, count(cpu_us) AS known FROM usage_user_hour')
    .get()
  const scanSeconds = (performance.now() - started) / 1e3
  const all = database.prepare('SELECT count(*) AS rows FROM usage_hour').get()
  printTable([
    ['a year of 50 nodes', ''],
    ['days, seconds between samples', `${days}, ${everySeconds}`],
    ['records', sum.records],
    ['MB of input', rounded(sum.bytes / 1e6)],
    ['records a second', rounded(sum.records / sum.importSeconds)],
    ['time against JSON.parse alone', rounded(sum.importSeconds / sum.parseSeconds)],
    ['MB of memory at most', rounded(sum.peakMb)],
    ['MB on disk', rounded(sizeMb)],
    ['rows by hour, host, user and command', Number(all?.['rows'])],
    ['rows by hour and user', Number(counted?.['rows'])],
    ['lines of the answer', asked[0]?.output.split('\n').length ?? 0],
    ['s for usage by hour of week and user', rounded(seconds)],
    ['against a scan of its table', rounded(seconds / scanSeconds)],
  ])
  verdict('usage --by hour-of-week --by user', seconds, 2, ' s')
  verdict('memory of the import', sum.peakMb, 340, ' MB')
} finally {
  rmSync(directory, { recursive: true, force: true })
}
