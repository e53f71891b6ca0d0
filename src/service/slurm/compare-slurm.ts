import {
  slurmDifferences,
  type MeasuredInSlurm,
  type SlurmAccount,
} from '../../analysis/compare/slurm-difference.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { isOver } from '../../slurm/job-state.ts'
import { slurmBytes, slurmCount, slurmSeconds } from '../../slurm/values.ts'
import { SlurmTable } from '../../slurm/table.ts'
import type { Ledger } from '../../store/ledger/ledger.ts'
import { parseHandle } from '../../workflow/executors/remote/remote-handle.ts'
import type { SlurmCommands } from '../../workflow/executors/slurm/slurm-commands.ts'

/** One Slurm job: what we measured in it beside what its accounting says. */
export interface ComparedSlurmJob {
  readonly slurmJob: string
  readonly names: readonly string[]
  readonly ours: MeasuredInSlurm
  readonly slurm: SlurmAccount | null
  readonly why: readonly string[]
}

/** The attempts of a workflow by the Slurm job that they ran in. */
export function attemptsBySlurmJob(
  ledger: Ledger,
  workflowId: number,
): Map<string, AttemptRecord[]> {
  const jobs = new Map<string, string>()
  for (const { taskId, handle } of ledger.workflows.handles(workflowId)) {
    const { ranAs } = parseHandle(handle) ?? {}
    if (ranAs?.['SLURM_JOB_ID'] !== undefined) jobs.set(taskId, ranAs['SLURM_JOB_ID'])
  }
  const found = new Map<string, AttemptRecord[]>()
  for (const { record } of ledger.workflows.results(workflowId, { allRuns: true })) {
    const job = jobs.get(record.taskId)
    if (job !== undefined) found.set(job, [...(found.get(job) ?? []), record])
  }
  return found
}

/** Records of jobs that were watched (`slurm attach`). */
export function attachedRecords(ledger: Ledger, slurmJob: string): AttemptRecord[] {
  return ledger.jobs
    .find({ tag: 'slurm' })
    .filter(({ params }) => params['slurm_job_id'] === slurmJob)
}

export async function compareWithSlurm(
  commands: SlurmCommands,
  attempts: ReadonlyMap<string, readonly AttemptRecord[]>,
): Promise<ComparedSlurmJob[]> {
  const accounts = await accountsOf(commands, [...attempts.keys()])
  return [...attempts].map(([slurmJob, records]) => {
    const ours = together(records)
    const slurm = accounts.get(slurmJob) ?? null
    const why =
      slurm === null
        ? ['The accounting of Slurm does not know this job.']
        : slurmDifferences(ours, slurm)
    return { slurmJob, names: records.map(({ name }) => name), ours, slurm, why }
  })
}

function together(records: readonly AttemptRecord[]): MeasuredInSlurm {
  const sum = (values: readonly (number | null)[]): number | null =>
    values.some((value) => value === null)
      ? null
      : values.reduce<number>((total, value) => total + (value ?? 0), 0)
  const peaks = records.flatMap(({ usage }) => usage.memoryPeakBytes.value ?? [])
  return {
    attempts: records.length,
    cpuSeconds: sum(records.map(({ usage }) => usage.cpuTotalSeconds.value)),
    ownCpuSeconds: sum(records.map(({ samples }) => samples.ownCpuSeconds)),
    memoryPeakBytes: peaks.length === 0 ? null : Math.max(...peaks),
    seconds: sum(records.map(({ durationSeconds }) => durationSeconds)),
  }
}

const fields = ['JobIDRaw', 'State', 'ElapsedRaw', 'TotalCPU', 'MaxRSS']
const mostAtOnce = 200

async function accountsOf(
  commands: SlurmCommands,
  jobs: readonly string[],
): Promise<Map<string, SlurmAccount>> {
  const accounts = new Map<string, SlurmAccount>()
  for (let at = 0; at < jobs.length; at += mostAtOnce) {
    const text = await commands.accounts(jobs.slice(at, at + mostAtOnce), fields)
    for (const [job, account] of parseAccounts(text)) accounts.set(job, account)
  }
  return accounts
}

/** The line of a job has its times; those of its steps have their memory. */
function parseAccounts(text: string): Map<string, SlurmAccount> {
  const [heading = '', ...lines] = text.split('\n')
  const table = new SlurmTable(heading)
  const accounts = new Map<string, SlurmAccount>()
  for (const line of lines) {
    const row = table.row(line)
    if (typeof row === 'number') continue
    const [job = '', step] = (row.get('jobidraw') ?? '').split('.')
    if (!/^\d+$/.test(job)) continue
    const before = accounts.get(job) ?? {
      isOver: false,
      cpuSeconds: null,
      maxRssBytes: null,
      elapsedSeconds: null,
    }
    const rss = slurmBytes(row.get('maxrss'), 'K', null) ?? null
    const maxRssBytes = rss === null ? before.maxRssBytes : Math.max(rss, before.maxRssBytes ?? 0)
    const times =
      step === undefined
        ? {
            isOver: isOver({ state: row.get('state')?.split(' ')[0] ?? '' }),
            cpuSeconds: slurmSeconds(row.get('totalcpu')) ?? null,
            elapsedSeconds: slurmCount(row.get('elapsedraw')) ?? null,
          }
        : {}
    accounts.set(job, { ...before, ...times, maxRssBytes })
  }
  return accounts
}
