import type { JobSeries } from '../../model/node-export.ts'
import type { SeenJob } from '../../model/seen-job.ts'

/** A job on one of its hosts. */
export interface JobOnHost {
  readonly job: SeenJob
  readonly series: JobSeries
}

export interface ArchivedJob {
  /** Below the archive, as ClusterCockpit looks for it: cluster, thousands, the rest, start. */
  readonly folder: string
  readonly meta: object
  readonly data: object
}

interface Metric {
  readonly unit: { readonly base: string; readonly prefix?: 'G' }
  valueOf(point: JobSeries['points'][number], job: SeenJob): number | null
}

/** Those of ClusterCockpit's metrics that are measured, by its names; all others are left out. */
const metrics: Readonly<Record<string, Metric>> = {
  // User and system time together, as a percentage of all cores of the node.
  cpu_user: {
    unit: { base: '' },
    valueOf: ({ cpuSeconds, seconds }, { nodeCores }) =>
      cpuSeconds === null || seconds === 0 || !nodeCores
        ? null
        : Math.max(0, (100 * cpuSeconds) / seconds / nodeCores),
  },
  mem_used: {
    unit: { base: 'B', prefix: 'G' },
    valueOf: ({ memoryBytes }) => (memoryBytes === null ? null : memoryBytes / 1e9),
  },
}

/** A Slurm job in the format of ClusterCockpit's job archive; undefined where it has no number. */
export function archivedJob(
  parts: readonly [JobOnHost, ...JobOnHost[]],
  cluster: string,
): ArchivedJob | undefined {
  const [{ job }] = parts
  if (!/^\d{1,15}$/.test(job.id)) return undefined
  const jobId = Number(job.id)
  const began = Math.min(
    ...parts.map(({ job: one }) => Math.min(one.firstSeen, one.startedAt ?? one.firstSeen)),
  )
  const ended = Math.max(...parts.map(({ job: one }) => one.lastSeen))
  const startTime = Math.floor(began)
  const data = dataOf(parts, startTime)
  const rest = String(jobId % 1000).padStart(3, '0')
  return {
    folder: `${cluster}/${Math.floor(jobId / 1000)}/${rest}/${startTime}`,
    meta: {
      jobId,
      user: job.user,
      project: job.account ?? '',
      cluster,
      subCluster: 'main',
      numNodes: parts.length,
      // Nothing tells that nobody else was there.
      shared: 'multi_user',
      jobState: parts.some(({ job: one }) => one.isRunning) ? 'running' : 'completed',
      startTime,
      duration: Math.max(1, Math.round(ended - began)),
      ...requested(job),
      resources: parts.map(({ job: { host } }) => ({ hostname: host })),
      metaData: { jobName: job.command },
      statistics: statisticsOf(data),
    },
    data,
  }
}

function requested({ reservation }: SeenJob): object {
  if (reservation === null) return {}
  const { cpus, gpus, memoryBytes, runtimeSeconds } = reservation
  const whole = (value: number | null, factor = 1): number =>
    value === null ? 0 : Math.round(value * factor)
  const known = {
    numHwthreads: whole(cpus),
    numAcc: whole(gpus),
    walltime: whole(runtimeSeconds),
    requestedMemory: whole(memoryBytes, 1 / 1024 ** 2),
  }
  return Object.fromEntries(Object.entries(known).filter(([, value]) => value > 0))
}

interface Series {
  readonly hostname: string
  readonly statistics: Statistics
  readonly data: readonly (number | null)[]
}

interface Statistics {
  readonly avg: number
  readonly min: number
  readonly max: number
}

interface MetricData {
  readonly unit: Metric['unit']
  readonly timestep: number
  readonly series: readonly Series[]
}

type JobData = Readonly<Record<string, { readonly node: MetricData }>>

function dataOf(parts: readonly JobOnHost[], startTime: number): JobData {
  // Hosts may have been looked at at different times; one step serves them all.
  const timestep = Math.max(...parts.map(({ series }) => series.stepSeconds))
  const entries = Object.entries(metrics).map(([name, metric]) => {
    const series = parts.flatMap((part) => seriesOf(part, metric, startTime, timestep))
    return [name, { node: { unit: metric.unit, timestep, series } }] as const
  })
  return Object.fromEntries(entries.filter(([, { node }]) => node.series.length > 0))
}

const mostPoints = 1_000_000

/** Values at equal distances; null where nothing was measured. */
function seriesOf(
  { job, series }: JobOnHost,
  metric: Metric,
  startTime: number,
  timestep: number,
): Series[] {
  const data: (number | null)[] = []
  const known: number[] = []
  for (const point of series.points) {
    const value = metric.valueOf(point, job)
    const slot = Math.max(0, Math.round((point.at - startTime) / timestep))
    if (value === null || slot >= mostPoints) continue
    while (data.length <= slot) data.push(null)
    data[slot] = value
    known.push(value)
  }
  if (known.length === 0) return []
  return [{ hostname: job.host, statistics: statistics(known), data }]
}

const statistics = (values: readonly number[]): Statistics => ({
  avg: values.reduce((sum, value) => sum + value, 0) / values.length,
  min: values.reduce((least, value) => Math.min(least, value), Infinity),
  max: values.reduce((most, value) => Math.max(most, value), 0),
})

/** Over all hosts: what they have on average, and the lowest and highest of them. */
const statisticsOf = (data: JobData): object =>
  Object.fromEntries(
    Object.entries(data).map(([name, { node }]) => {
      const hosts = node.series.map((series) => series.statistics)
      return [
        name,
        {
          unit: node.unit,
          avg: hosts.reduce((sum, { avg }) => sum + avg, 0) / hosts.length,
          min: Math.min(...hosts.map(({ min }) => min)),
          max: Math.max(...hosts.map(({ max }) => max)),
        },
      ]
    }),
  )
