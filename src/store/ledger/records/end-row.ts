import type { Machine } from '../../../model/machine.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { Usage } from '../../../model/usage.ts'
import { figureColumns } from './figure-columns.ts'
import type { RowValues } from '../../sqlite/write-row.ts'

/** All that is written when an attempt ends, whether its owner tells or others find it dead. */
export interface StoredEnd extends Outcome {
  /** Where it started later than was written when it began. */
  readonly startedAt?: number
  /** Where it ran, if that was not known when it began. */
  readonly machine?: Machine
  readonly endedAt: number | null
  readonly durationSeconds: number | null
  readonly usage: Usage
  readonly samplesCollected: number
  readonly samplesLate: number
  readonly sampleIntervalSeconds: number | null
  readonly ownCpuSeconds: number | null
}

const machineColumns = (machine: Machine | undefined): RowValues =>
  machine === undefined
    ? {}
    : {
        host: machine.host,
        cores: machine.cores,
        machine_memory_bytes: machine.memoryBytes,
      }

/** The columns of an ended attempt; its usage has a table of its own, and goes from where an older build put it. */
export function endColumns(facts: StoredEnd): RowValues {
  const { usage } = facts
  return {
    status: facts.status,
    ...(facts.startedAt === undefined ? {} : { started_at: facts.startedAt }),
    ...machineColumns(facts.machine),
    ended_at: facts.endedAt,
    duration_seconds: facts.durationSeconds,
    exit_code: facts.exitCode,
    signal: facts.signal,
    reason: facts.reason,
    stragglers: JSON.stringify(facts.stragglers),
    usage: null,
    ...figureColumns(usage),
    samples_collected: facts.samplesCollected,
    samples_late: facts.samplesLate,
    sample_interval_seconds: facts.sampleIntervalSeconds,
    own_cpu_seconds: facts.ownCpuSeconds,
  }
}
