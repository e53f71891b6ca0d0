import { jobShares, type JobShares } from '../../analysis/node/job-shares.ts'
import { refOf } from '../../model/job-ref.ts'
import type { Reservation } from '../../model/node-round.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import { csv } from '../text/csv.ts'
import { utcTime } from '../units/iso-time.ts'

type Value = string | number | null
type Field<From> = readonly [name: string, of: (from: From, shares: JobShares) => Value]

/** Of what no process had there is none. */
export const stateOf = ({ kind, isRunning }: SeenJob): 'running' | 'completed' | null =>
  kind === 'unattributed' ? null : isRunning ? 'running' : 'completed'

/** A job that was seen, as `ps` gives it to programs, in this order. */
const fields: readonly Field<SeenJob>[] = [
  ['job', (job) => refOf(job)],
  ['row', (job) => job.rowId],
  ['kind', (job) => job.kind],
  ['id', (job) => job.id],
  ['host', (job) => job.host],
  ['epoch', (job) => job.epoch],
  ['user', (job) => job.user],
  ['account', (job) => job.account],
  ['command', (job) => job.command],
  ['job_name', (job) => job.scheduled?.name ?? null],
  ['shown_id', (job) => job.scheduled?.shownId ?? null],
  ['restarts', (job) => job.scheduled?.restarts ?? null],
  ['pid', (job) => job.pid],
  ['state', stateOf],
  ['started_at', (job) => utcTime(job.startedAt)],
  ['first_seen', (job) => utcTime(job.firstSeen)],
  ['last_seen', (job) => utcTime(job.lastSeen)],
  ['runtime_seconds', (_, shares) => shares.runtimeSeconds],
  ['seen_seconds', (job) => job.seenSeconds],
  ['cpu_seconds', (job) => job.cpuSeconds],
  ['cpu_mean_cores', (_, shares) => shares.meanCores],
  ['cpu_peak_cores', (job) => job.cpuPeakCores],
  ['cpu_of_node', (_, shares) => shares.cpuOfNode],
  ['cpu_of_request', (_, shares) => shares.cpuOfReservation],
  ['memory_mean_bytes', (job) => job.memoryMeanBytes],
  ['memory_peak_bytes', (job) => job.memoryPeakBytes],
  ['memory_of_node', (_, shares) => shares.memoryOfNode],
  ['memory_of_request', (_, shares) => shares.memoryOfReservation],
  ['gpus', (job) => job.gpus],
  ['gpu_seconds', (job) => job.gpuSeconds],
  ['gpu_of_node', (_, shares) => shares.gpuOfNode],
  ['gpu_of_request', (_, shares) => shares.gpuOfReservation],
  ['gpu_memory_mean_bytes', (job) => job.gpuMemoryMeanBytes],
  ['gpu_memory_peak_bytes', (job) => job.gpuMemoryPeakBytes],
  ['read_bytes', (job) => job.readBytes],
  ['write_bytes', (job) => job.writeBytes],
  ['energy_joules', (job) => job.joules],
  ['processes_peak', (job) => job.processesPeak],
  ['threads_peak', (job) => job.threadsPeak],
  ['zombies_peak', (job) => job.zombiesPeak],
  ['node_cores', (job) => job.nodeCores],
  ['node_memory_bytes', (job) => job.nodeMemoryBytes],
  ['node_gpus', (job) => job.nodeGpus],
]

const requestFields: readonly Field<Reservation>[] = [
  ['cpus', (asked) => asked.cpus],
  ['memory_bytes', (asked) => asked.memoryBytes],
  ['gpus', (asked) => asked.gpus],
  ['runtime_seconds', (asked) => asked.runtimeSeconds],
  ['source', (asked) => asked.source],
]

export function seenJobJson(job: SeenJob): Record<string, unknown> {
  const shares = jobShares(job)
  const { reservation } = job
  const objectOf = <From>(list: readonly Field<From>[], from: From): Record<string, Value> =>
    Object.fromEntries(list.map(([name, of]) => [name, of(from, shares)]))
  return {
    ...objectOf(fields, job),
    request: reservation === null ? null : objectOf(requestFields, reservation),
  }
}

/** The same without a part in another; what was asked for has columns of its own. */
const columns: readonly Field<SeenJob>[] = [
  ...fields,
  ...requestFields.map(([name, of]): Field<SeenJob> => [
    `request_${name}`,
    ({ reservation }, shares) => (reservation === null ? null : of(reservation, shares)),
  ]),
]

export function flatJob(job: SeenJob): Readonly<Record<string, Value>> {
  const shares = jobShares(job)
  return Object.fromEntries(columns.map(([name, of]) => [name, of(job, shares)]))
}

export const jobsCsv = (jobs: readonly SeenJob[]): string =>
  csv([columns.map(([name]) => name), ...jobs.map((job) => Object.values(flatJob(job)))])
