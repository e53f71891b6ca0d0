import type { AttemptRecord } from '../../model/record.ts'

/**
 * What a job used, short enough for the accounting of Slurm to keep with each job: JSON in small letters and without blanks,
 * because `sacctmgr` makes letters small and parts words at blanks. The accounting prints its quotes as backticks. Figures
 * that are not known are left out.
 */
export function adminComment(record: AttemptRecord): string {
  const { usage, machine } = record
  const figures = {
    jobmeter: 1,
    host: machine.host,
    seconds: rounded(record.durationSeconds, 1),
    cpu_seconds: rounded(usage.cpuTotalSeconds.value, 1),
    memory_peak_mib: rounded(inMebibytes(usage.memoryPeakBytes.value), 0),
    read_mib: rounded(inMebibytes(usage.readBytes.value), 0),
    write_mib: rounded(inMebibytes(usage.writeBytes.value), 0),
    samples: record.samples.collected,
  }
  const known = Object.entries(figures).filter(([, value]) => value !== null)
  return JSON.stringify(Object.fromEntries(known)).toLowerCase().replaceAll(/\s/g, '')
}

const inMebibytes = (bytes: number | null): number | null =>
  bytes === null ? null : bytes / 2 ** 20

const rounded = (value: number | null, digits: number): number | null =>
  value === null ? null : Number(value.toFixed(digits))
