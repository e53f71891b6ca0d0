import type { MarkedPart, MarkReport } from '../../analysis/series/marked.ts'
import type { Mark } from '../../model/marks/mark.ts'
import { roundKeeping } from '../units/figures.ts'

export interface MarkJson {
  readonly timestamp: number
  readonly elapsed_seconds: number
  readonly step: number | null
  readonly epoch: number | null
  readonly phase: string | null
  readonly message: string | null
}

export const markJson = ({ timestamp, elapsedSeconds, ...told }: Mark): MarkJson => ({
  timestamp: roundKeeping(timestamp, 6),
  elapsed_seconds: roundKeeping(elapsedSeconds, 6),
  ...told,
})

export interface MarkedPartJson {
  readonly label: string
  readonly times: number
  readonly from_seconds: number
  readonly to_seconds: number
  readonly duration_seconds: number
  readonly first_step: number | null
  readonly last_step: number | null
  readonly cpu_cores: number | null
  readonly memory_peak_bytes: number | null
}

export interface MarkReportJson {
  readonly count: number
  readonly epochs: readonly MarkedPartJson[]
  readonly phases: readonly MarkedPartJson[]
}

export const markReportJson = ({ count, epochs, phases }: MarkReport): MarkReportJson => ({
  count,
  epochs: epochs.map(partJson),
  phases: phases.map(partJson),
})

const partJson = (part: MarkedPart): MarkedPartJson => ({
  label: part.label,
  times: part.times,
  from_seconds: roundKeeping(part.fromSeconds, 3),
  to_seconds: roundKeeping(part.toSeconds, 3),
  duration_seconds: roundKeeping(part.durationSeconds, 3),
  first_step: part.firstStep,
  last_step: part.lastStep,
  cpu_cores: part.cpuCores === null ? null : roundKeeping(part.cpuCores, 3),
  memory_peak_bytes: part.memoryPeakBytes,
})
