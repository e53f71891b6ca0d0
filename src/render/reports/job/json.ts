import type { Part } from '../../../analysis/job/efficiency.ts'
import type { JobReport } from '../../../analysis/job/job-report.ts'
import type { Phase } from '../../../analysis/series/phases.ts'
import type { Measured } from '../../../model/measured.ts'
import { errorText } from '../../../model/record.ts'
import { markReportJson } from '../../marks/marks-json.ts'
import { roundKeeping } from '../../units/figures.ts'
import type { JobReportJson, MemoryJson, PartJson, PhaseJson } from './facts.ts'
import { adviceSentence, memorySentence, phaseWords } from './words.ts'

export function jobReportJson(report: JobReport): JobReportJson {
  const { record, efficiency } = report
  const reasons: [string, Measured][] = [
    ['start_up_seconds', report.startUpSeconds],
    ['idle_tail_seconds', report.idleTailSeconds],
    ...Object.entries(efficiency).map(([name, { share }]: [string, Part]): [string, Measured] => [
      `efficiency.${name}.share`,
      share,
    ]),
  ]
  return {
    task_id: record.taskId,
    name: record.name,
    status: record.status,
    return_code: record.exitCode,
    signal: record.signal,
    error: errorText(record),
    duration_seconds: rounded(record.durationSeconds, 6),
    cores: record.machine.cores,
    samples: report.sampleCount,
    no_series: report.noSeries,
    phases: report.phases.map(phaseJson),
    more_phases: report.morePhases,
    why_one_phase: report.whyOnePhase,
    missing_peak: report.missingPeak,
    cpu_peak: {
      cores: quotient(report.cpuPeak.cores),
      is_lower_bound: report.cpuPeak.isLowerBound,
      timeline_shows: report.cpuPeak.timelineShows,
    },
    ...(report.marks === null ? {} : { marks: markReportJson(report.marks) }),
    start_up_seconds: rounded(report.startUpSeconds.value, 3),
    idle_tail_seconds: rounded(report.idleTailSeconds.value, 3),
    bound_by: report.verdict,
    memory: memoryJson(report),
    efficiency: {
      cores: partJson(efficiency.cores, quotient),
      memory: partJson(efficiency.memory, (bytes) => rounded(bytes, 0)),
      gpu: partJson(efficiency.gpu, quotient),
      time: partJson(efficiency.time, (seconds) => rounded(seconds, 6)),
    },
    advice: report.advice.map(({ about, figures }) => {
      const exact = Object.fromEntries(
        Object.entries(figures).map(([name, value]) => [name, roundKeeping(value, 3)]),
      )
      return { about, figures: exact, says: adviceSentence(about, exact) }
    }),
    unmeasured: Object.fromEntries(
      reasons.flatMap(([name, figure]) => (figure.value === null ? [[name, figure.why]] : [])),
    ),
  }
}

function phaseJson(phase: Phase): PhaseJson {
  const figures = {
    kind: phase.kind,
    from_seconds: roundKeeping(phase.fromSeconds, 3),
    to_seconds: roundKeeping(phase.toSeconds, 3),
    cpu_cores: rounded(phase.cpuCores, 3),
    memory_start_bytes: rounded(phase.memoryStartBytes, 0),
    memory_end_bytes: rounded(phase.memoryEndBytes, 0),
    memory_peak_bytes: rounded(phase.memoryPeakBytes, 0),
    read_bytes_per_second: rounded(phase.readBytesPerSecond, 0),
    write_bytes_per_second: rounded(phase.writeBytesPerSecond, 0),
  }
  return { ...figures, says: phaseWords(figures) }
}

function memoryJson({ memory, memoryLimit }: JobReport): MemoryJson {
  const leak = memory.kind === 'leak' ? memory.leak : null
  const figures = {
    trend: memory.kind,
    bytes_per_hour: rounded(leak?.bytesPerHour ?? null, 0),
    r_squared: rounded(leak?.rSquared ?? null, 3),
    rising_share: rounded(leak?.risingShare ?? null, 3),
    from_seconds: rounded(leak?.fromSeconds ?? null, 3),
    limit: memoryLimit?.limit ?? null,
    limit_bytes: memoryLimit?.bytes ?? null,
    limit_reached_seconds: rounded(memoryLimit?.atSeconds ?? null, 0),
    step_seconds: memory.kind === 'step' ? roundKeeping(memory.atSeconds, 3) : null,
    step_bytes: memory.kind === 'step' ? roundKeeping(memory.bytes, 0) : null,
    teeth: memory.kind === 'sawtooth' ? memory.teeth : null,
  }
  return { ...figures, says: memorySentence(figures, memory.kind === 'unknown' ? memory.why : '') }
}

const partJson = (
  { share, used, isLowerBound, of, basis }: Part,
  round: (used: number | null) => number | null,
): PartJson => ({
  share: quotient(share.value),
  used: round(used),
  is_lower_bound: isLowerBound,
  of,
  basis,
})

const rounded = (value: number | null, decimals: number): number | null =>
  value === null ? null : roundKeeping(value, decimals)

/**
 * Of a few milliseconds in an hour, two digits are printed, however small they are: here are more of them, or what is printed
 * would be rounded twice.
 */
const quotient = (value: number | null): number | null =>
  value === null || Math.abs(value) >= 1 ? rounded(value, 6) : Number(value.toPrecision(7))
