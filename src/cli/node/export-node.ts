import { join } from 'node:path'
import { jobCurve } from '../../analysis/node/job-curve.ts'
import { count } from '../../model/count.ts'
import type { ExportQuery } from '../../model/node-export.ts'
import { whyNot, type Reading } from '../../model/reading.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import { flatJob } from '../../render/node/jobs-json.ts'
import {
  csvRows,
  jsonArray,
  jsonLines,
  roundRow,
  usageRow,
  type FlatRow,
} from '../../render/node-export/flat-rows.ts'
import { archivedJob, type JobOnHost } from '../../render/node-export/job-archive.ts'
import {
  jobMetrics,
  openMetrics,
  roundMetrics,
  usageMetrics,
  type MetricSource,
} from '../../render/node-export/openmetrics.ts'
import { UserError } from '../../service/user-error.ts'
import type { NodeReader } from '../../store/node/node-reader.ts'
import { realSystem } from '../../system/real.ts'
import type { System } from '../../system/system.ts'
import type { Console } from '../terminal/console.ts'
import { openWholeNode } from './node-options.ts'
import { spanAsked } from './span-asked.ts'

interface ExportOptions {
  readonly db: string | undefined
  readonly format: 'jsonl' | 'json' | 'csv' | 'openmetrics'
  readonly user: readonly string[]
  readonly host: readonly string[]
  readonly from: string | undefined
  readonly to: string | undefined
  readonly utc: boolean
  readonly output: string | undefined
  readonly cluster: string
}

type NodeExport = 'node-jobs' | 'node-usage' | 'node-rounds' | 'job-archive'

/** Prints what is known of nodes, or writes the job archive. The answer is the exit code. */
export function exportNode(kind: NodeExport, options: ExportOptions, console: Console): number {
  const system = realSystem({ ownsProcess: false })
  const query: ExportQuery = {
    ...spanAsked(options, system.clock.wallSeconds(), Infinity),
    users: options.user,
    hosts: options.host,
  }
  if (kind === 'node-rounds' && query.users.length > 0)
    throw new UserError('--user makes no sense for node-rounds: they are of whole nodes', 'usage')
  if ((kind === 'job-archive') !== (options.output !== undefined))
    throw new UserError('job-archive needs --output DIR, and nothing else takes it', 'usage')
  if (!/^[\w.-]+$/.test(options.cluster) || /^\.+$/.test(options.cluster))
    throw new UserError('--cluster: expected letters, digits, dots and dashes', 'usage')
  const reader = openWholeNode(system, options.db)
  try {
    if (kind === 'job-archive') return writeArchive(system, reader, query, options, console)
    console.printAll(textOf(kind, reader, query, options.format))
    return 0
  } finally {
    reader.close()
  }
}

const jobsOf = (reader: NodeReader, query: ExportQuery): Iterable<SeenJob> => reader.eachJob(query)

function textOf(
  kind: Exclude<NodeExport, 'job-archive'>,
  reader: NodeReader,
  query: ExportQuery,
  format: ExportOptions['format'],
): Iterable<string> {
  switch (kind) {
    case 'node-jobs':
      return written(() => jobsOf(reader, query), flatJob, jobMetrics, format)
    case 'node-usage':
      return written(() => reader.usageHours(query), usageRow, usageMetrics, format)
    case 'node-rounds':
      return written(() => reader.storedRounds(query), roundRow, roundMetrics, format)
  }
}

function written<T>(
  rows: () => Iterable<T>,
  flat: (row: T) => FlatRow,
  metrics: MetricSource<T>,
  format: ExportOptions['format'],
): Iterable<string> {
  if (format === 'openmetrics') return openMetrics(metrics, rows)
  const all = mapped(rows(), flat)
  if (format === 'csv') return csvRows(all)
  return format === 'json' ? jsonArray(all) : jsonLines(all)
}

function* mapped<T, U>(values: Iterable<T>, make: (value: T) => U): Generator<U> {
  for (const value of values) yield make(value)
}

/** Hosts that ran the same Slurm job in the same time are parts of one job. */
function writeArchive(
  { files }: System,
  reader: NodeReader,
  query: ExportQuery,
  { output = '', cluster }: ExportOptions,
  console: Console,
): number {
  const save = (folder: string, name: string, content: object): void => {
    orRefuse(files.makeDirectories(join(output, folder)))
    const bytes = Buffer.from(`${JSON.stringify(content)}\n`)
    orRefuse(files.save(join(output, folder, name), [bytes], 'page'))
  }
  const ids = new Map<string, SeenJob[]>()
  for (const job of reader.eachJob({ ...query, kinds: ['slurm'] }))
    ids.set(job.id, [...(ids.get(job.id) ?? []), job])
  let [jobs, skipped] = [0, 0]
  for (const rows of ids.values())
    for (const run of runsOf(rows)) {
      const [first, ...rest] = run.map((job): JobOnHost => ({
        job,
        series: jobCurve(reader.series(job)),
      }))
      const archived = first === undefined ? undefined : archivedJob([first, ...rest], cluster)
      if (archived === undefined) {
        skipped += 1
        continue
      }
      save(archived.folder, 'meta.json', archived.meta)
      save(archived.folder, 'data.json', archived.data)
      jobs += 1
    }
  orRefuse(files.makeDirectories(output))
  orRefuse(files.save(join(output, 'version.txt'), [Buffer.from(`${archiveVersion}\n`)], 'page'))
  const left = skipped === 0 ? '' : `; left out ${count(skipped, 'job')} without a numeric id`
  console.print(`${count(jobs, 'job')} written to ${output}${left}\n`)
  return 0
}

/** Of ClusterCockpit's job archive. */
const archiveVersion = 2

/** Rows of one id, by runs that overlap in time. */
function runsOf(rows: readonly SeenJob[]): SeenJob[][] {
  const runs: { to: number; readonly rows: SeenJob[] }[] = []
  for (const row of rows.toSorted((one, other) => one.firstSeen - other.firstSeen)) {
    const last = runs.at(-1)
    if (last !== undefined && row.firstSeen <= last.to) {
      last.rows.push(row)
      last.to = Math.max(last.to, row.lastSeen)
    } else runs.push({ to: row.lastSeen, rows: [row] })
  }
  return runs.map((run) => run.rows)
}

function orRefuse(reading: Reading<true>): void {
  if (reading.kind !== 'ok') throw new UserError(whyNot(reading))
}
