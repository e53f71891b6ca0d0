import { formatBytes } from '../../src/model/bytes.ts'
import { formatCount } from '../../src/model/count.ts'
import { costs } from './costs.ts'
import { dayOf } from './day.ts'
import { queueLoad, type QueueSite } from './queue.ts'
import { simulate, type Outage, type Result } from './simulate.ts'
import type { Sending, Server, Site } from './site.ts'

/** The site that the page is about. */
export const site: Site = {
  nodes: 10_000,
  jobsPerDay: 1_000_000,
  jobSeconds: 1200,
  samplesPerJob: 200,
}

interface Case {
  readonly name: string
  readonly sending: Sending
  readonly server: Server
  readonly outage?: Outage
  readonly seconds: number
}

const hour = 3600
const outage: Outage = { from: hour, to: 2 * hour }
const one: Server = { servers: 1, cores: 16, connections: 100 }
const watch: Sending = { kind: 'watch' }
const timer = (minutes: number): Sending => ({ kind: 'timer', everySeconds: 60 * minutes })

const large: Server = { ...one, connections: 10_000 }
const four: Server = { ...large, servers: 4 }

/** An hour; of those who watch, of whom more is to be seen, less; or four hours of which the second has no server. */
const plain = (name: string, sending: Sending, server: Server): Case => ({
  name,
  sending,
  server,
  seconds: sending.kind === 'watch' ? 1500 : hour,
})
const after = (name: string, sending: Sending, server: Server): Case => ({
  ...plain(`${name}, after an hour away`, sending, server),
  seconds: 4 * hour,
  outage,
})

const cases: readonly Case[] = [
  plain('watch, 100 connections', watch, one),
  plain('watch, 10,000 connections', watch, large),
  plain('watch, 4 servers with 10,000', watch, four),
  plain('every minute', timer(1), one),
  plain('every 5 minutes', timer(5), one),
  plain('every 15 minutes', timer(15), one),
  plain('every minute, 4 cores', timer(1), { ...one, cores: 4 }),
  plain('every 5 minutes, 4 cores', timer(5), { ...one, cores: 4 }),
  after('every 5 minutes', timer(5), one),
  after('every 5 minutes, 4 cores', timer(5), { ...one, cores: 4 }),
]

export function dayTable(): string {
  const parts = dayOf(site)
  const all = parts.reduce((sum, { bytes }) => sum + bytes, 0)
  const rows = parts.reduce((sum, part) => sum + part.rows, 0)
  return markdown([
    ['a day of', 'how many', 'rows', 'bytes', 'a month'],
    ...parts.map(({ name, perDay, rows: own, bytes }) => [
      name,
      formatCount(perDay),
      formatCount(own),
      formatBytes(bytes),
      formatBytes(30 * bytes),
    ]),
    ['all', '', formatCount(rows), formatBytes(all), formatBytes(30 * all)],
  ])
}

export const costTable = (): string =>
  markdown([
    ['what', 'cost'],
    ['to connect and learn what the team has', `${costs.connectMs} ms`],
    ['a batch with one record', `${costs.batchMs} ms`],
    ['each further record of a batch, with 200 samples', `${costs.recordMs} ms`],
    ['a record on disk, with its indexes', `${costs.recordBytes} bytes`],
    ['a sample on disk', `${costs.sampleBytes} bytes`],
    ['a minute of a node with three jobs', `${costs.nodeMinuteBytes} bytes`],
  ])

export const caseTable = (): string =>
  markdown([
    ['how nodes send', 'connections', 'refused', 'load', 'lag', 'oldest', 'behind', 'recovery'],
    ...cases.map(({ name, ...run }) => row(name, simulate({ site, ...run }))),
  ])

export const queueCostTable = (): string => {
  const { submit, submitOfMany, run, idleWorkerSecond, waiting, ended } = costs.queue
  const line = (name: string, spent: { ms: number; statements: number }, kept = '') => [
    name,
    `${spent.ms} ms`,
    spent.statements === 0 ? '' : `${spent.statements}`,
    kept,
  ]
  const onDisk = ({ rows, bytes }: { rows: number; bytes: number }): string =>
    `${rows} rows, ${formatCount(bytes)} bytes`
  return markdown([
    ['of the queue', 'CPU', 'statements', 'on disk'],
    line('to submit a job by itself', submit, onDisk(waiting)),
    line('to submit a job, 10,000 at once', submitOfMany, onDisk(waiting)),
    line('to run a short job', run, onDisk(ended)),
    line('a second of a worker with nothing to do', idleWorkerSecond),
  ])
}

const queueSites: readonly QueueSite[] = [
  { workers: 100, jobsPerDay: 1_000_000 },
  { workers: 1000, jobsPerDay: 1_000_000 },
  { workers: 10_000, jobsPerDay: 1_000_000 },
  { workers: 1000, jobsPerDay: 10_000_000 },
  { workers: 100, jobsPerDay: 100_000_000 },
]

export const queueTable = (): string =>
  markdown([
    ['workers', 'jobs a day', 'connections', 'statements/s', 'cores busy', 'a day on disk'],
    ...queueSites.map((asked) => {
      const { connections, statementsPerSecond, cores } = queueLoad(asked)
      return [
        formatCount(asked.workers),
        formatCount(asked.jobsPerDay),
        formatCount(connections),
        formatCount(Math.round(statementsPerSecond)),
        cores.toFixed(1),
        formatBytes(asked.jobsPerDay * costs.queue.ended.bytes),
      ]
    }),
  ])

const row = (name: string, result: Result): string[] => [
  name,
  formatCount(result.connections),
  `${(100 * result.refusedShare).toFixed(0)} %`,
  `${(100 * result.load).toFixed(0)} %`,
  shortTime(result.medianLagSeconds),
  shortTime(result.worstLagSeconds),
  formatCount(result.behind),
  result.recoverySeconds === null ? '' : shortTime(result.recoverySeconds),
]

const shortTime = (seconds: number): string =>
  seconds < 100 ? `${seconds.toFixed(0)} s` : `${(seconds / 60).toFixed(0)} min`

function markdown(rows: readonly (readonly string[])[]): string {
  const [head = [], ...rest] = rows
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  return line(head) + `|${head.map(() => '---|').join('')}\n` + rest.map(line).join('')
}
