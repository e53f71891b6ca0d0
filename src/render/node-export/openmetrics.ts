import type { StoredRound, UsageHour } from '../../model/node-export.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import { unitOf, type Labels } from '../metrics/family.ts'
import { labelText } from '../metrics/label-text.ts'

/** A metric: one value of each row that has it. Its name ends in its unit, where it has one. */
interface MetricFamily<T> {
  readonly name: string
  readonly help: string
  valueOf(row: T): number | null
}

const gauge = <T>(
  name: string,
  help: string,
  valueOf: MetricFamily<T>['valueOf'],
): MetricFamily<T> => ({ name, help, valueOf })

export interface MetricSource<T> {
  readonly families: readonly MetricFamily<T>[]
  labelsOf(row: T): Labels
  /** When it was so, in seconds since 1970. */
  timeOf(row: T): number
}

const usedInHour = 'in the hour that begins at its timestamp'

export const usageMetrics: MetricSource<UsageHour> = {
  labelsOf: ({ host, user, account, command }) => ({ host, user, account, command }),
  timeOf: ({ at }) => at,
  families: [
    gauge('jobmeter_usage_cpu_seconds', `CPU time used ${usedInHour}.`, (hour) => hour.cpuSeconds),
    gauge(
      'jobmeter_usage_memory_byte_seconds',
      `Memory times the seconds that it was held, ${usedInHour}.`,
      (hour) => hour.memoryByteSeconds,
    ),
    gauge('jobmeter_usage_gpu_seconds', `GPU time used ${usedInHour}.`, (hour) => hour.gpuSeconds),
    gauge('jobmeter_usage_read_bytes', `Bytes read ${usedInHour}.`, (hour) => hour.readBytes),
    gauge(
      'jobmeter_usage_written_bytes',
      `Bytes written ${usedInHour}.`,
      (hour) => hour.writeBytes,
    ),
    gauge(
      'jobmeter_usage_energy_joules',
      `Energy of GPUs used ${usedInHour}.`,
      (hour) => hour.joules,
    ),
  ],
}

export const roundMetrics: MetricSource<StoredRound> = {
  labelsOf: ({ host }) => ({ host }),
  timeOf: ({ at }) => at,
  families: [
    gauge(
      'jobmeter_node_seconds',
      'Time since the round before, which amounts are of.',
      (round) => round.seconds,
    ),
    gauge(
      'jobmeter_node_cpu_seconds',
      'CPU time used since the round before.',
      (round) => round.cpuSeconds,
    ),
    gauge('jobmeter_node_cores', 'CPUs of the node.', (round) => round.cores),
    gauge('jobmeter_node_memory_bytes', 'Memory in use.', (round) => round.memoryBytes),
    gauge(
      'jobmeter_node_memory_size_bytes',
      'Memory of the node.',
      (round) => round.memoryTotalBytes,
    ),
    gauge('jobmeter_node_load', 'Load average of one minute.', (round) => round.load),
    gauge(
      'jobmeter_node_gpu_seconds',
      'GPU time used since the round before.',
      (round) => round.gpuSeconds,
    ),
    gauge('jobmeter_node_gpu_memory_bytes', 'GPU memory in use.', (round) => round.gpuMemoryBytes),
  ],
}

export const jobMetrics: MetricSource<SeenJob> = {
  labelsOf: (job) => ({
    host: job.host,
    kind: job.kind,
    job_id: job.id,
    epoch: job.epoch,
    user: job.user,
    account: job.account,
    command: job.command,
  }),
  timeOf: ({ lastSeen }) => lastSeen,
  families: [
    gauge(
      'jobmeter_job_cpu_seconds',
      'CPU time that the job used in all the time that it was seen.',
      (job) => job.cpuSeconds,
    ),
    gauge(
      'jobmeter_job_seen_seconds',
      'For how long the job was looked at.',
      (job) => job.seenSeconds,
    ),
    gauge(
      'jobmeter_job_memory_peak_bytes',
      'The most memory that the job had.',
      (job) => job.memoryPeakBytes,
    ),
    gauge('jobmeter_job_gpu_seconds', 'GPU time that the job used.', (job) => job.gpuSeconds),
    gauge('jobmeter_job_read_bytes', 'Bytes that the job read.', (job) => job.readBytes),
    gauge('jobmeter_job_written_bytes', 'Bytes that the job wrote.', (job) => job.writeBytes),
  ],
}

/**
 * OpenMetrics. All samples of a metric have to stand together, so the rows are gone through once for each; what was not
 * measured is left out. Times are whole seconds, which older readers of the format take too.
 */
export function* openMetrics<T>(
  { families, labelsOf, timeOf }: MetricSource<T>,
  rows: () => Iterable<T>,
): Generator<string> {
  for (const { name, help, valueOf } of families) {
    const unit = unitOf(name)
    let head = `# HELP ${name} ${help}\n# TYPE ${name} gauge\n`
    if (unit !== undefined) head += `# UNIT ${name} ${unit}\n`
    let last = ''
    for (const row of rows()) {
      const value = valueOf(row)
      if (value === null) continue
      const at = Math.round(timeOf(row))
      const labels = labelText(labelsOf(row))
      // Rounds of less than a second have the same time: the first stands for them.
      const key = `${labels} ${at}`
      if (key === last) continue
      last = key
      yield `${head}${name}{${labels}} ${value} ${at}\n`
      head = ''
    }
  }
  yield '# EOF\n'
}
