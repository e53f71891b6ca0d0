import type { NodeJob } from '../../model/node-round.ts'
import {
  pastTables,
  type JobPast,
  type JobPeaks,
  type JudgedUse,
  type PastRound,
  type PastTable,
} from '../../model/past-round.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number, numberOrNull, scaled, text, textOrNull, type Row } from '../sqlite/row.ts'
import { fiveMinutesMs, hourMs } from './buckets.ts'
import { sqliteNodes } from './dialect.ts'
import { kindIn, reservationIn } from './node-job-row.ts'

/** The past of one host between two moments, in seconds since 1970. */
export interface PastQuery {
  readonly host: string
  readonly from: number
  readonly to: number
  /** The finest rows that cover the time, unless it is said. */
  readonly table?: PastTable
}

export interface PastRounds {
  readonly table: PastTable
  readonly rounds: readonly PastRound[]
  /** What jobs did before, by `pastKey`. */
  readonly pasts: ReadonlyMap<string, JobPast>
}

interface Source {
  readonly jobs: string
  readonly nodes: string
  /** 0: a row is told by its end, and not by the beginning of a bucket. */
  readonly bucketMs: number
}

const sources: Readonly<Record<PastTable, Source>> = {
  'single rounds': { jobs: 'job_raw', nodes: 'round', bucketMs: 0 },
  'five minutes': { jobs: 'job_5m', nodes: 'node_5m', bucketMs: fiveMinutesMs },
  hours: { jobs: 'job_hour', nodes: 'node_hour', bucketMs: hourMs },
}

/** Ids are anybody's to choose: a job is one of its user. */
export const pastKey = (
  epoch: string,
  { kind, id, user }: Pick<NodeJob, 'kind' | 'id' | 'user'>,
): string => `${epoch}\0${kind}\0${id}\0${user}`

export function readPastRounds(connection: Connection, query: PastQuery): PastRounds | undefined {
  const hostId = numberOrNull(
    connection.row('SELECT id FROM host WHERE name = ?', query.host) ?? { id: null },
    'id',
  )
  if (hostId === null) return undefined
  const table = query.table ?? coveringTable(connection, hostId, query)
  if (table === undefined) return undefined
  const source = sources[table]
  const range = [Math.round(query.from * 1e3), Math.round(query.to * 1e3)] as const
  const jobs = readJobs(connection, source, hostId, range)
  const rounds = readNodes(connection, source, hostId, range).map(
    ({ atMs, spanMs, epoch, node }) => {
      const at = (atMs + source.bucketMs) / 1e3
      const members = jobs.get(atMs) ?? []
      return {
        host: query.host,
        // After a reboot within an hour, and where nobody told of boots, the jobs tell which one they are of.
        epoch: epoch ?? members[0]?.epoch ?? '',
        at,
        seconds: spanMs / 1e3,
        node,
        jobs: members.map(({ job }) => job),
        peaks: members.map(({ peaks }) => peaks),
        lostRecords: 0,
      }
    },
  )
  return { table, rounds, pasts: readPasts(connection, hostId, range[0]) }
}

/** The finest rows that go back as far as is asked, or as far as anything is known. */
function coveringTable(
  connection: Connection,
  hostId: number,
  { from }: PastQuery,
): PastTable | undefined {
  const earliest = pastTables.map((table) => {
    const { nodes, bucketMs } = sources[table]
    const began = bucketMs === 0 ? 'at_ms - span_ms' : 'at_ms'
    const sql = `SELECT ${began} AS at FROM ${nodes} WHERE host_id = ? ORDER BY at_ms LIMIT 1`
    return numberOrNull(connection.row(sql, hostId) ?? { at: null }, 'at')
  })
  const known = earliest.filter((at) => at !== null)
  if (known.length === 0) return undefined
  // A bucket begins before the rounds in it.
  const begin = Math.max(from * 1e3, Math.min(...known) + hourMs)
  return pastTables.find((_, index) => (earliest[index] ?? Infinity) <= begin) ?? 'hours'
}

interface NodeRow {
  readonly atMs: number
  readonly spanMs: number
  readonly epoch: string | null
  readonly node: JudgedUse
}

function readNodes(
  connection: Connection,
  { nodes, bucketMs }: Source,
  hostId: number,
  [fromMs, toMs]: readonly [number, number],
): NodeRow[] {
  const sql = `SELECT * FROM ${nodes} WHERE host_id = ? AND at_ms >= ? AND at_ms < ? ORDER BY at_ms`
  return connection.map(sql, [hostId, fromMs, toMs], (row) => ({
    atMs: number(row, 'at_ms'),
    spanMs: number(row, 'span_ms'),
    epoch: bucketMs === 0 ? textOrNull(row, 'epoch') : null,
    node: nodeOf(row, bucketMs > 0),
  }))
}

function nodeOf(row: Row, isRolledUp: boolean): JudgedUse {
  const span = Math.max(1, number(row, 'span_ms'))
  const mean = (column: string): number | null => scaled(row, column, 1 / span)
  const rounded = (value: number | null): number | null =>
    value === null ? null : Math.round(value)
  const bytes = (value: number | null): number | null => (value === null ? null : value * 1024)
  return {
    ...useOf(row),
    cores: isRolledUp ? rounded(mean('core_ms')) : numberOrNull(row, 'cores'),
    memoryTotalBytes: bytes(
      isRolledUp ? mean('memory_total_kib_ms') : numberOrNull(row, 'memory_total_kib'),
    ),
    gpus: isRolledUp ? rounded(mean('gpu_ms')) : numberOrNull(row, 'gpus'),
    gpuMemoryTotalBytes: bytes(
      isRolledUp ? mean('gpu_memory_total_kib_ms') : numberOrNull(row, 'gpu_memory_total_kib'),
    ),
    load: isRolledUp ? null : scaled(row, 'load_milli', 1e-3),
    swapUsedBytes: null,
    ioWaitSeconds: null,
    netReceivedBytes: null,
    netSentBytes: null,
    coreSeconds: [],
  }
}

type Use = Pick<
  NodeJob,
  | 'cpuSeconds'
  | 'readBytes'
  | 'writeBytes'
  | 'gpuSeconds'
  | 'joules'
  | 'memoryBytes'
  | 'gpuMemoryBytes'
  | 'processes'
  | 'threads'
  | 'zombies'
  | 'shortProcesses'
  | 'shortCpuSeconds'
>

function useOf(row: Row): Use {
  const span = Math.max(1, number(row, 'span_ms'))
  return {
    cpuSeconds: scaled(row, 'cpu_us', 1e-6) ?? 0,
    readBytes: numberOrNull(row, 'read_bytes'),
    writeBytes: numberOrNull(row, 'write_bytes'),
    gpuSeconds: scaled(row, 'gpu_us', 1e-6),
    joules: scaled(row, 'energy_mj', 1e-3),
    memoryBytes: scaled(row, 'memory_kib_ms', 1024 / span),
    gpuMemoryBytes: scaled(row, 'gpu_memory_kib_ms', 1024 / span),
    processes: numberOrNull(row, 'processes_peak') ?? 0,
    threads: numberOrNull(row, 'threads_peak') ?? 0,
    zombies: numberOrNull(row, 'zombies_peak') ?? 0,
    shortProcesses: numberOrNull(row, 'short_processes'),
    shortCpuSeconds: scaled(row, 'short_cpu_us', 1e-6),
  }
}

interface JobRow {
  readonly epoch: string
  readonly job: NodeJob
  readonly peaks: JobPeaks
}

/** By job, as the rows lie in the file, and then put together by their time. */
function readJobs(
  connection: Connection,
  { jobs }: Source,
  hostId: number,
  [fromMs, toMs]: readonly [number, number],
): Map<number, JobRow[]> {
  const found = new Map<number, JobRow[]>()
  const facts = readFacts(connection, hostId, fromMs, toMs)
  const sql = `SELECT * FROM ${jobs} WHERE job_id = ? AND at_ms >= ? AND at_ms < ?`
  for (const [id, fact] of facts)
    connection.map(sql, [id, fromMs, toMs], (row) => {
      const atMs = number(row, 'at_ms')
      const use = useOf(row)
      const { epoch, gpus, ...known } = fact
      // Cards that it was on may not have told how busy they were; that its memory is known says that it was there.
      const wasOnCards = use.gpuSeconds !== null || use.gpuMemoryBytes !== null
      const job: NodeJob = { ...known, ...use, gpus: wasOnCards ? gpus : null }
      const one = { epoch, job, peaks: peaksIn(row) }
      const there = found.get(atMs)
      if (there === undefined) found.set(atMs, [one])
      else there.push(one)
    })
  return found
}

const peaksIn = (row: Row): JobPeaks => ({
  cpuCores: scaled(row, 'cpu_peak_millicores', 1e-3),
  memoryBytes: scaled(row, 'memory_peak_kib', 1024),
  gpuMemoryBytes: scaled(row, 'gpu_memory_peak_kib', 1024),
})

type Facts = Pick<
  NodeJob,
  'kind' | 'id' | 'user' | 'account' | 'command' | 'startedAt' | 'reservation' | 'gpus' | 'pid'
> & { readonly epoch: string }

function readFacts(
  connection: Connection,
  hostId: number,
  fromMs: number,
  toMs: number,
): Map<number, Facts> {
  const rows = connection.map(
    `SELECT job.*, user.name AS user, account.name AS account, command.name AS command FROM job
     JOIN user ON user.id = job.user_id
     JOIN account ON account.id = job.account_id
     JOIN command ON command.id = job.command_id
     WHERE job.last_ms >= ? AND job.host_id = ? AND job.first_ms < ?`,
    [fromMs, hostId, toMs],
    (row): [number, Facts] => [
      number(row, 'id'),
      {
        epoch: text(row, 'epoch'),
        kind: kindIn(row),
        id: text(row, 'key'),
        user: text(row, 'user'),
        account: textOrNull(row, 'account') || null,
        command: text(row, 'command'),
        startedAt: scaled(row, 'started_ms', 1e-3),
        reservation: reservationIn(row),
        gpus: numberOrNull(row, 'gpus'),
        pid: numberOrNull(row, 'pid'),
      },
    ],
  )
  return new Map(rows)
}

/** From whole hours: of the hour in which the time begins, its own rows tell. */
const readPasts = (connection: Connection, hostId: number, fromMs: number): Map<string, JobPast> =>
  pastsUntil(connection, hostId, fromMs, fromMs - hourMs)

/** What the jobs did that the last round of a host saw. */
export function readLivingPasts(connection: Connection, host: string): Map<string, JobPast> {
  const sql = `SELECT id AS host_id, ${sqliteNodes.latestRoundMs('host.id')} AS at_ms FROM host WHERE name = ?`
  const row = connection.row(sql, host) ?? { at_ms: null }
  const atMs = numberOrNull(row, 'at_ms')
  return atMs === null
    ? new Map<string, JobPast>()
    : pastsUntil(connection, number(row, 'host_id'), atMs, atMs)
}

/** Of jobs that were seen then or later, by all hours that began until then. */
function pastsUntil(
  connection: Connection,
  hostId: number,
  seenMs: number,
  hourUntilMs: number,
): Map<string, JobPast> {
  const rows = connection.map(
    `SELECT job.epoch, job.kind, job.key, user.name AS user, job.first_ms, job.gpus, sum(hour.span_ms) AS span_ms,
       sum(hour.cpu_us) AS cpu_us, max(hour.cpu_peak_millicores) AS cpu_peak_millicores,
       max(hour.memory_peak_kib) AS memory_peak_kib, sum(hour.gpu_us) AS gpu_us,
       max(hour.gpu_memory_peak_kib) AS gpu_memory_peak_kib,
       max(hour.gpu_us * 1e-3 / max(1, hour.span_ms)) AS gpus_peak
     FROM job JOIN user ON user.id = job.user_id
       JOIN job_hour AS hour ON hour.job_id = job.id AND hour.at_ms <= ?
     WHERE job.last_ms >= ? AND job.host_id = ? AND job.first_ms < ? GROUP BY job.id`,
    [hourUntilMs, seenMs, hostId, seenMs],
    (row): [string, JobPast] => [
      pastKey(text(row, 'epoch'), {
        kind: kindIn(row),
        id: text(row, 'key'),
        user: text(row, 'user'),
      }),
      pastOf(row),
    ],
  )
  return new Map(rows)
}

const pastOf = (row: Row): JobPast => ({
  firstSeen: number(row, 'first_ms') / 1e3,
  seconds: number(row, 'span_ms') / 1e3,
  cpuSeconds: scaled(row, 'cpu_us', 1e-6) ?? 0,
  cpuPeakCores: scaled(row, 'cpu_peak_millicores', 1e-3) ?? 0,
  memoryPeakBytes: scaled(row, 'memory_peak_kib', 1024),
  gpuSeconds: scaled(row, 'gpu_us', 1e-6),
  gpusPeak: numberOrNull(row, 'gpus_peak'),
  gpus: numberOrNull(row, 'gpus'),
  gpuMemoryPeakBytes: scaled(row, 'gpu_memory_peak_kib', 1024),
})
