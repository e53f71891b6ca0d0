/** What was measured of the attempts that ran in one Slurm job, together. */
export interface MeasuredInSlurm {
  readonly attempts: number
  readonly cpuSeconds: number | null
  /** What jobmeter itself used beside them. */
  readonly ownCpuSeconds: number | null
  /** The highest of one attempt. */
  readonly memoryPeakBytes: number | null
  readonly seconds: number | null
}

/** What the accounting of Slurm says of that job. */
export interface SlurmAccount {
  /** Usage is added to the accounting when a step ends. */
  readonly isOver: boolean
  readonly cpuSeconds: number | null
  readonly maxRssBytes: number | null
  readonly elapsedSeconds: number | null
}

/** Below this, both say the same. CPU times are printed to the hundredth of a second. */
const cpuTolerance = { share: 0.02, seconds: 0.02 }
const memoryTolerance = { share: 0.05, bytes: 4 * 2 ** 20 }
const timeTolerance = { share: 0.02, seconds: 2 }

/** Why the figures of both differ, in sentences; none where they do not. */
export function slurmDifferences(ours: MeasuredInSlurm, slurm: SlurmAccount): string[] {
  if (!slurm.isOver)
    return ['This job has not ended in Slurm yet. Its usage is in the accounting when it has.']
  if (slurm.maxRssBytes === null && (slurm.cpuSeconds ?? 0) === 0)
    return ['Slurm gathers no usage here (JobAcctGatherType), so it has nothing to compare with.']
  return [...cpuReasons(ours, slurm), ...memoryReasons(ours, slurm), ...timeReasons(ours, slurm)]
}

function cpuReasons(ours: MeasuredInSlurm, { cpuSeconds }: SlurmAccount): string[] {
  const { cpuSeconds: measured, ownCpuSeconds, attempts } = ours
  if (measured === null || cpuSeconds === null) return []
  const difference = cpuSeconds - measured
  const least = Math.max(cpuTolerance.seconds, cpuTolerance.share * measured)
  if (Math.abs(difference) <= least) return []
  if (difference < 0)
    return [
      'CPU: Slurm has less. It reads the counters of processes at intervals, so what ended in between is missing unless it gathers by cgroups.',
    ]
  // Attempts beside one another were measured by one jobmeter: what each says of it is no sum.
  const isTold = ownCpuSeconds !== null && attempts === 1 && ownCpuSeconds <= difference
  const own = isTold ? ` (at least ${ownCpuSeconds.toFixed(2)} s)` : ''
  return [
    `CPU: Slurm has more. It counts everything in the allocation: jobmeter and its start as well${own}, and the batch script.`,
  ]
}

function memoryReasons(ours: MeasuredInSlurm, { maxRssBytes }: SlurmAccount): string[] {
  const { memoryPeakBytes: measured, attempts } = ours
  if (measured === null || maxRssBytes === null) return []
  if (maxRssBytes === 0 && measured > 0)
    return [
      'Memory: Slurm has no sample of it. It looks every JobAcctGatherFrequency seconds (30 by default), and the job had ended before that.',
    ]
  const difference = maxRssBytes - measured
  const least = Math.max(memoryTolerance.bytes, memoryTolerance.share * measured)
  if (Math.abs(difference) <= least) return []
  if (difference < 0)
    return [
      'Memory: Slurm has less. MaxRSS is the highest of samples that are JobAcctGatherFrequency seconds apart, so a short peak is missed.',
    ]
  const several = attempts > 1 ? ', of several jobs at the same time' : ''
  return [
    `Memory: Slurm has more. MaxRSS adds up all processes of a task, jobmeter included${several}, and counts pages that they share once for each.`,
  ]
}

function timeReasons(ours: MeasuredInSlurm, { elapsedSeconds }: SlurmAccount): string[] {
  const { seconds, attempts } = ours
  if (seconds === null || elapsedSeconds === null) return []
  const least = Math.max(timeTolerance.seconds, timeTolerance.share * seconds)
  if (Math.abs(elapsedSeconds - seconds) <= least) return []
  return [
    attempts > 1
      ? 'Time: several jobs ran in this allocation, beside or after one another; ours is the sum of their times.'
      : 'Time: Slurm counts from the allocation to its release, with the prolog and the start of jobmeter, in whole seconds.',
  ]
}
