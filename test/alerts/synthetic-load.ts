import { readAlerts } from '../../src/alert/config/read-alerts.ts'
import type { JobFacts } from '../../src/alert/evaluate/job-figures.ts'
import { JobWatch, type Transition } from '../../src/alert/evaluate/job-watch.ts'
import type { Rule } from '../../src/alert/rule.ts'
import { gigabyte, megabyte } from '../../src/model/bytes.ts'
import { sampleIndex, sampleNames, type SampleColumn } from '../../src/model/sample.ts'
import { cardColumns } from '../../src/meter/gauges/gpu/card-columns.ts'
import { formatSpecError } from '../../src/workflow/spec/problem.ts'

/** The rules of a file; by default the shipped ones. */
export function rulesOf(yaml = 'shipped: true\n'): readonly Rule[] {
  const read = readAlerts(yaml, 'alerts.yaml', String)
  if (read.kind === 'ok') return read.value.rules
  throw new Error(read.errors.map(formatSpecError).join('\n'))
}

export const machineBytes = 64 * gigabyte

/** Of a job on a machine of 8 cores and 64 GB that asks for nothing. */
export const facts: JobFacts = {
  cores: 8,
  machineMemoryBytes: machineBytes,
  memoryLimitBytes: Number.NaN,
  requestedMemoryBytes: Number.NaN,
  requestedCpus: Number.NaN,
  requestedGpus: Number.NaN,
  timeoutSeconds: Number.NaN,
  requestedRuntimeSeconds: Number.NaN,
}

type Row = Partial<Record<SampleColumn, number>>
type CardRow = Readonly<Record<string, number>>

export interface Load {
  /** What a sample at that second says, beyond a job that quietly uses one core. */
  readonly sample?: (at: number) => Row
  /** What its card says. */
  readonly card?: (at: number) => CardRow
  readonly facts?: Partial<JobFacts>
  readonly seconds?: number
  readonly stepSeconds?: number
}

const startedAt = 1_800_000_000

const quiet = (at: number): Row => ({
  cpu_user_seconds: 0.9 * at,
  cpu_system_seconds: 0.1 * at,
  memory_bytes: 500 * megabyte,
  num_processes: 1,
  read_bytes: at * megabyte,
  write_bytes: 0,
  read_calls: at * 10,
  write_calls: 0,
  io_delay_seconds: 0.01 * at,
  machine_cpu_seconds: 2 * at,
  machine_io_wait_seconds: 0.1 * at,
  machine_memory_bytes: 8 * gigabyte,
})

/** Shows a load to the rules, second by second; answers what they said. */
export function watchLoad(
  load: Load,
  rules: readonly Rule[] = rulesOf(),
  runs: readonly Float64Array[] = [],
): Transition[] {
  const { seconds = 900, stepSeconds = 1 } = load
  const watch = new JobWatch(rules, {
    facts: { ...facts, ...load.facts },
    intervalSeconds: stepSeconds,
  })
  watch.learn(runs)
  const told: Transition[] = []
  const columns = ['timestamp', 'elapsed_seconds', ...cardColumns]
  for (let at = 0; at <= seconds; at += stepSeconds) {
    const row = new Float64Array(sampleNames.length).fill(Number.NaN)
    row[sampleIndex.timestamp] = startedAt + at
    row[sampleIndex.elapsed_seconds] = at
    const said: Row = { ...quiet(at), ...load.sample?.(at) }
    for (const name of sampleNames)
      if (said[name] !== undefined) row[sampleIndex[name]] = said[name]
    told.push(...watch.samples(row, 1, sampleNames))
    if (load.card === undefined) continue
    const card: CardRow = {
      timestamp: startedAt + at,
      elapsed_seconds: at,
      gpu_index: 0,
      utilization_percent: 90,
      temperature_celsius: 60,
      memory_used_bytes: 10 * gigabyte,
      memory_total_bytes: 40 * gigabyte,
      own_processes: 1,
      own_memory_bytes: 10 * gigabyte,
      own_utilization_percent: 90,
      ...load.card(at),
    }
    const rows = Float64Array.from(columns, (name) => card[name] ?? Number.NaN)
    told.push(...watch.devices([{ kind: 'gpu', id: 'GPU-1', columns, rows, count: 1 }]))
  }
  return told
}

export const secondsOf = ({ at }: Transition): number => at - startedAt
