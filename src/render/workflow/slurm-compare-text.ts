import type { MeasuredInSlurm, SlurmAccount } from '../../analysis/compare/slurm-difference.ts'
import { printable } from '../text/printable.ts'
import { table } from '../text/table.ts'
import { formatBytes, formatSeconds } from '../units/figures.ts'

interface Compared {
  readonly slurmJob: string
  readonly names: readonly string[]
  readonly ours: MeasuredInSlurm
  readonly slurm: SlurmAccount | null
  readonly why: readonly string[]
}

const columns = [
  { header: 'Slurm Job', align: 'left' },
  { header: 'Jobs', align: 'left' },
  { header: 'CPU', align: 'right' },
  { header: 'sacct', align: 'right' },
  { header: 'Peak Mem', align: 'right' },
  { header: 'sacct', align: 'right' },
  { header: 'Duration', align: 'right' },
  { header: 'sacct', align: 'right' },
] as const

/** Our figures beside those of Slurm's accounting, then why they differ, each reason once. */
export function slurmCompareText(jobs: readonly Compared[]): string {
  const rows = jobs.map(({ slurmJob, names, ours, slurm }) => [
    slurmJob,
    namesText(names),
    seconds(ours.cpuSeconds),
    seconds(slurm?.cpuSeconds ?? null),
    bytes(ours.memoryPeakBytes),
    bytes(slurm?.maxRssBytes ?? null),
    seconds(ours.seconds),
    seconds(slurm?.elapsedSeconds ?? null),
  ])
  const reasons = new Map<string, string[]>()
  for (const { slurmJob, why } of jobs)
    for (const reason of why) reasons.set(reason, [...(reasons.get(reason) ?? []), slurmJob])
  const lines = [...reasons].map(([reason, of]) => `${jobsText(of)}: ${reason}`)
  const none = ['Both agree: CPU within 2 %, memory within 5 %.']
  return `${[table(columns, rows), '', ...(lines.length === 0 ? none : lines)].join('\n')}\n`
}

export const slurmCompareJson = (jobs: readonly Compared[]): object[] =>
  jobs.map(({ slurmJob, names, ours, slurm, why }) => ({
    slurm_job_id: slurmJob,
    job_names: names,
    cpu_seconds: ours.cpuSeconds,
    jobmeter_cpu_seconds: ours.ownCpuSeconds,
    memory_peak_bytes: ours.memoryPeakBytes,
    duration_seconds: ours.seconds,
    sacct_cpu_seconds: slurm?.cpuSeconds ?? null,
    sacct_max_rss_bytes: slurm?.maxRssBytes ?? null,
    sacct_elapsed_seconds: slurm?.elapsedSeconds ?? null,
    why,
  }))

const most = 3

function namesText(names: readonly string[]): string {
  const shown = names.slice(0, most).map(printable).join(', ')
  return names.length > most ? `${shown} and ${names.length - most} more` : shown
}

function jobsText(jobs: readonly string[]): string {
  const shown = jobs.slice(0, most).join(', ')
  return jobs.length > most ? `${shown} and ${jobs.length - most} more` : shown
}

const seconds = (value: number | null): string => (value === null ? '–' : formatSeconds(value))
const bytes = (value: number | null): string => (value === null ? '–' : formatBytes(value))
