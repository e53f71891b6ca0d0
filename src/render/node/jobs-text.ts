import { jobShares } from '../../analysis/node/job-shares.ts'
import { count } from '../../model/count.ts'
import { refOf } from '../../model/job-ref.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import { fitTable } from '../text/fit-table.ts'
import { printable } from '../text/printable.ts'
import type { Column } from '../text/table.ts'
import { exactShare, fixedKeeping, formatBytes, orDash, tableSeconds } from '../units/figures.ts'
import { stateOf } from './jobs-json.ts'
import { shortTime, type Zone } from '../units/zoned-time.ts'

export interface JobsView {
  readonly zone: Zone
  /** Of the terminal; null where nothing needs to fit. */
  readonly width: number | null
  readonly nowSeconds: number
}

interface JobColumn extends Column {
  of(job: SeenJob, view: JobsView): string
  /** Whether it is of use for these jobs; without it, always. */
  isWanted?(jobs: readonly SeenJob[]): boolean
}

const number = (value: number): string => fixedKeeping(value, 2)
const ofAsked = (
  used: number | null,
  asked: number | null | undefined,
  format: (value: number) => string,
): string =>
  used === null || !asked ? orDash(used, format) : `${format(used)} of ${format(asked)}`
const cores = (value: number): string => number(value).replace(/\.?0+$/, '')
const share = (value: number | null): string => orDash(value, exactShare)
const hasSome = (pick: (job: SeenJob) => number | string | null) => (jobs: readonly SeenJob[]) =>
  jobs.some((job) => pick(job) !== null)

const columns: readonly JobColumn[] = [
  { header: 'Job', align: 'left', of: (job) => refOf(job) },
  { header: 'User', align: 'left', of: (job) => job.user },
  {
    header: 'Account',
    align: 'left',
    of: (job) => job.account ?? '–',
    isWanted: hasSome((job) => job.account),
  },
  { header: 'Host', align: 'left', of: (job) => job.host },
  { header: 'Command', align: 'left', of: (job) => job.command },
  { header: 'State', align: 'left', of: (job) => stateOf(job) ?? '–' },
  { header: 'Last seen', align: 'left', of: (job, { zone }) => shortTime(job.lastSeen, zone) },
  {
    header: 'Runtime',
    align: 'right',
    of: (job) => tableSeconds(jobShares(job).runtimeSeconds),
  },
  {
    header: 'Cores',
    align: 'right',
    of: (job) => ofAsked(jobShares(job).meanCores, job.reservation?.cpus, cores),
  },
  { header: 'of asked', align: 'right', of: (job) => share(jobShares(job).cpuOfReservation) },
  { header: 'of node', align: 'right', of: (job) => share(jobShares(job).cpuOfNode) },
  {
    header: 'Memory',
    align: 'right',
    of: (job) => ofAsked(job.memoryPeakBytes, job.reservation?.memoryBytes, formatBytes),
  },
  {
    header: 'Mem. of asked',
    align: 'right',
    of: (job) => share(jobShares(job).memoryOfReservation),
  },
  { header: 'Mem. of node', align: 'right', of: (job) => share(jobShares(job).memoryOfNode) },
  {
    header: 'GPUs',
    align: 'right',
    of: (job) => ofAsked(jobShares(job).meanGpus, job.reservation?.gpus, cores),
    isWanted: hasSome((job) => job.gpuSeconds ?? (job.reservation?.gpus || null)),
  },
  { header: 'CPU time', align: 'right', of: (job) => orDash(job.cpuSeconds, tableSeconds) },
  {
    header: 'I/O',
    align: 'right',
    of: ({ readBytes, writeBytes }) =>
      orDash(readBytes === null ? writeBytes : readBytes + (writeBytes ?? 0), formatBytes),
  },
]

/** What can be done without on a narrow terminal, the first first. */
const expendable = [
  'I/O',
  'CPU time',
  'Account',
  'Mem. of asked',
  'Last seen',
  'Host',
  'of asked',
  'Mem. of node',
  'State',
  'GPUs',
]

/** Whoever looks every minute has looked since: what ran in the last round may long be over. */
const staleSeconds = 900

/** The jobs that were seen on nodes. */
export function jobsText(jobs: readonly SeenJob[], view: JobsView): string {
  const wanted = columns.filter(({ isWanted }) => isWanted?.(jobs) ?? true)
  const rows = jobs.map((job) => wanted.map(({ of }) => printable(of(job, view))))
  const fit = { name: 'Command', expendable }
  const { lines } = fitTable(wanted, rows, fit, view.width)
  return `${[...lines].join('\n')}\n\n${count(jobs.length, 'job')}. Memory is the peak; cores and GPUs are means over the time that the job was seen.\n${stale(jobs, view)}`
}

function stale(jobs: readonly SeenJob[], { nowSeconds, zone }: JobsView): string {
  const last = jobs.reduce((most, job) => (job.isRunning ? Math.max(most, job.lastSeen) : most), 0)
  return last === 0 || nowSeconds - last < staleSeconds
    ? ''
    : `Nobody has looked since ${shortTime(last, zone)}: what ran then may be over.\n`
}
