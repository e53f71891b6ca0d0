import type { Outcome } from '../../../model/outcome.ts'
import { isWaiting, type SlurmJobState } from '../../../slurm/job-state.ts'
import type { AttemptResult } from '../../run/executor.ts'
import { neverStarted } from '../never-started.ts'
import type { Gone, SiteTask } from '../remote/site.ts'
import { unseenCode } from './batch-script.ts'

/** As `jobmeter attempt` says that an attempt was started before: Slurm has started its job again. */
const startedBeforeCode = 75
/** And that it could not write down that it takes the attempt. */
const unwritableCode = 74

/** Whether something else than the job may have ended it: a signal came from outside, or nobody knows from where. */
export function mayBeEndedBySlurm({ outcome }: AttemptResult): boolean {
  const { status, signal, exitCode } = outcome
  const byKill =
    signal === 'SIGKILL' || signal === 'SIGTERM' || exitCode === 137 || exitCode === 143
  return status === 'cancelled' || (status === 'failed' && byKill)
}

/**
 * The result of an attempt whose Slurm job is over. What the job's own record says counts; where Slurm has ended it, Slurm
 * says why.
 */
export function judge(
  job: SlurmJobState,
  task: Pick<SiteTask, 'attempt'>,
  told: AttemptResult | null,
): AttemptResult | Gone {
  const outcome = outcomeOf(job, told)
  if (told !== null && (outcome === null || !mayBeEndedBySlurm(told))) return told
  if (outcome !== null) return { ...(told ?? remainsOf(task)), outcome }
  return unexplained(job, task)
}

/** Nothing is left of one that nobody has begun. */
const remainsOf = ({ attempt }: Pick<SiteTask, 'attempt'>): Omit<AttemptResult, 'outcome'> =>
  attempt.claim === undefined ? neverStarted('error', '', null) : attempt.remains()

/** How Slurm ended it; null where it did not. */
export function outcomeOf(
  job: SlurmJobState,
  told: Pick<AttemptResult, 'outcome'> | null,
): Outcome | null {
  const { state, name } = job
  const common = {
    signal: told?.outcome.signal ?? null,
    stragglers: told?.outcome.stragglers ?? [],
  }
  const on = job.nodes === '' ? '' : ` on ${job.nodes}`
  const interrupted = (reason: string): Outcome => {
    return { ...common, status: 'interrupted', exitCode: null, reason }
  }
  if (isWaiting(job))
    return interrupted(`Slurm put job ${name} back into its queue (requeue) while it ran`)
  switch (state) {
    case 'TIMEOUT':
    case 'DEADLINE': {
      const limit = state === 'TIMEOUT' ? 'time limit' : 'deadline'
      const reason = `Slurm ended job ${name} at its ${limit} (${state})`
      return { ...common, status: 'timeout', exitCode: 124, reason }
    }
    case 'OUT_OF_MEMORY': {
      const reason = `out of memory: Slurm held job ${name} to the memory it asked for (${state})`
      const exitCode = told?.outcome.exitCode ?? 137
      return { ...common, status: 'failed', exitCode, signal: 'SIGKILL', reason }
    }
    case 'CANCELLED': {
      const by = job.cancelledBy === null ? '' : ` by user ${job.cancelledBy}`
      const exitCode = told?.outcome.exitCode ?? null
      const reason = `job ${name} was cancelled in Slurm${by} (scancel)`
      return { ...common, status: 'cancelled', exitCode, reason }
    }
    case 'PREEMPTED':
      return interrupted(`Slurm ended job ${name} for one that goes first (${state})`)
    case 'NODE_FAIL':
    case 'BOOT_FAIL':
    case 'LAUNCH_FAILED':
      return interrupted(`the node of Slurm job ${name} failed${on} (${state})`)
    default:
      return null
  }
}

/** Slurm ends a job whose log it cannot open with this signal. */
const noLogSignal = 53

/** Whether a node did not see the folder that the job was to run from. */
export const isUnseen = ({ exitCode, signal }: SlurmJobState): boolean =>
  exitCode === unseenCode || signal === noLogSignal

export const unseenText = ({ nodes }: SlurmJobState): string =>
  `${nodes === '' ? 'the node' : nodes} does not see the output directory of this run: it must lie on a disk that all nodes share. Name such a one with --output-dir`

/** Its end is not in its folder, and Slurm does not say why. */
function unexplained(
  job: SlurmJobState,
  { attempt }: Pick<SiteTask, 'attempt'>,
): AttemptResult | Gone {
  const { name, state, exitCode, nodes } = job
  const there = nodes === '' ? 'the node' : nodes
  if (exitCode === startedBeforeCode)
    return { gone: `Slurm put job ${name} back into its queue (requeue) while it ran` }
  if (attempt.claim === undefined && isUnseen(job))
    return neverStarted('error', unseenText(job), null)
  if (attempt.claim === undefined && exitCode === unwritableCode)
    return neverStarted(
      'error',
      `${there} could not write to the output directory of this run: see whether its disk is full, or is read-only there`,
      null,
    )
  if (attempt.claim === undefined && (exitCode === 127 || exitCode === 126))
    return neverStarted(
      'error',
      `${there} could not start jobmeter (exit code ${exitCode}): it must be installed there under the same path as here`,
      null,
    )
  const code = exitCode === null ? '' : `, exit code ${exitCode}`
  return { gone: `Slurm job ${name} is over (${state}${code}), and left no result` }
}
