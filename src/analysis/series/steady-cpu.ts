import { steadyCpu } from '../../model/cpu/steady-cpu.ts'
import type { SampleRow } from '../../model/sample.ts'
import { sampleValue } from './sample-value.ts'

/** `steadyCpu` of stored rows. */
export const steadyCpuSeconds = (rows: readonly SampleRow[], cores: number): Float64Array =>
  steadyCpu(
    {
      elapsedSeconds: Float64Array.from(rows, elapsedSeconds),
      cpuSeconds: Float64Array.from(rows, cpuSeconds),
      threads: Float64Array.from(rows, (row) => sampleValue(row, 'num_threads') ?? Number.NaN),
    },
    cores,
  )

const elapsedSeconds = (row: SampleRow): number => sampleValue(row, 'elapsed_seconds') ?? Number.NaN

const cpuSeconds = (row: SampleRow): number =>
  (sampleValue(row, 'cpu_user_seconds') ?? Number.NaN) +
  (sampleValue(row, 'cpu_system_seconds') ?? Number.NaN)
