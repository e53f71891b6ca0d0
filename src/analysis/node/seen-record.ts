import { fullRefOf } from '../../model/job-ref.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import { noRequirements } from '../../model/job.ts'
import type { JobRecord } from '../../model/record.ts'
import type { SeenJob } from '../../model/seen-job.ts'
import type { SeenRound } from '../../model/seen-round.ts'
import { emptyUsage, type Usage } from '../../model/usage.ts'
import { usualPercent } from '../policy.ts'
import { median } from '../statistics/median.ts'
import { maximum, percentile } from '../statistics/statistics.ts'
import { jobShares } from './job-shares.ts'
import { nodeCoresOf } from './node-cores.ts'

/** Less than this was missed: nothing to speak of. */
const nearlyAll = 0.95

/**
 * A job that the agent saw as a record, so that the reports on jobs work on it. Nobody learns how it ended: only its parent
 * could. Its duration is the time that it was looked at, of which all figures are.
 */
export function seenRecord(job: SeenJob, rounds: readonly SeenRound[]): JobRecord {
  const { reservation } = job
  return {
    jobId: null,
    attempt: 1,
    taskId: fullRefOf(job),
    name: job.command,
    tool: job.command,
    script: null,
    params: {},
    tags: [],
    command: [job.command],
    workingDirectory: '',
    requirements: reservation ?? noRequirements,
    user: job.user,
    machine: { host: job.host, cores: job.nodeCores ?? 0, memoryBytes: job.nodeMemoryBytes },
    owner: { host: job.host, bootId: job.epoch, pid: job.pid ?? 0, startTicks: 0 },
    startedAt: Math.min(job.startedAt ?? job.firstSeen, job.firstSeen),
    endedAt: job.isRunning ? null : job.lastSeen,
    durationSeconds: job.seenSeconds,
    status: job.isRunning ? 'running' : 'unknown',
    exitCode: null,
    signal: null,
    reason: job.isRunning ? null : 'how it ended is not known: only its parent learns that',
    stragglers: [],
    usage: usageOf(job, rounds),
    samples: {
      collected: rounds.length,
      intervalSeconds: rounds.length === 0 ? null : median(rounds.map(({ seconds }) => seconds)),
      late: 0,
      ownCpuSeconds: null,
    },
  }
}

function usageOf(job: SeenJob, rounds: readonly SeenRound[]): Usage {
  const sums = 'sums of the rounds of the agent'
  const highest = 'highest round of the agent'
  const shares = jobShares(job)
  const isWhole = job.seenSeconds >= nearlyAll * shares.runtimeSeconds
  const sum = (value: number | null): Measured =>
    value === null
      ? unmeasured('the agent could not measure it')
      : isWhole
        ? measured(value, sums)
        : atLeast(value, `${sums}, which missed a part of its time`)
  const peak = (value: number | null): Measured =>
    value === null ? unmeasured('the agent could not measure it') : atLeast(value, highest)
  const plain = (value: number | null | undefined, basis: string): Measured =>
    value === null || value === undefined ? unmeasured('no round tells it') : measured(value, basis)
  const percent = (cores: number | null | undefined): number | null =>
    cores === null || cores === undefined ? null : 100 * cores
  return {
    ...emptyUsage('the agent does not measure it'),
    cpuTotalSeconds: sum(job.cpuSeconds),
    cpuPercentMean: plain(percent(shares.meanCores), sums),
    cpuPercentPeak: plain(percent(job.cpuPeakCores), highest),
    cpuPercentP95: plain(percent(percentile(coresOf(rounds), usualPercent)), 'rounds of the agent'),
    memoryPeakBytes: peak(job.memoryPeakBytes),
    memoryMeanBytes: plain(job.memoryMeanBytes, 'mean of the rounds of the agent'),
    readBytes: sum(job.readBytes),
    writeBytes: sum(job.writeBytes),
    processesPeak: peak(job.processesPeak),
    threadsPeak: peak(job.threadsPeak),
    ...nodeFigures(job, rounds),
    ...gpuFigures(job, rounds),
  }
}

/** Cores that it kept busy in each round. */
export const coresOf = (rounds: readonly SeenRound[]): number[] =>
  rounds.flatMap(({ cpuSeconds, seconds }) =>
    cpuSeconds === null || !(seconds > 0) ? [] : [cpuSeconds / seconds],
  )

function nodeFigures({ nodeCores }: SeenJob, rounds: readonly SeenRound[]) {
  const known = rounds.flatMap((round) => {
    const busyCores = nodeCoresOf(round)
    return busyCores === null ? [] : [{ busyCores, seconds: round.seconds }]
  })
  const memory = rounds.flatMap(({ nodeMemoryBytes }) => nodeMemoryBytes ?? [])
  const basis = 'counters of the node'
  const seconds = known.reduce((total, round) => total + round.seconds, 0)
  const busySeconds = known.reduce((total, round) => total + round.busyCores * round.seconds, 0)
  const highest = maximum(known.map(({ busyCores }) => busyCores)) ?? 0
  const most = maximum(memory)
  return {
    ...(seconds === 0 || !nodeCores
      ? {}
      : {
          machineCpuPercentMean: measured((100 * busySeconds) / seconds / nodeCores, basis),
          machineCpuPercentMax: measured((100 * highest) / nodeCores, basis),
        }),
    ...(most === undefined ? {} : { machineMemoryMaxBytes: measured(most, basis) }),
  }
}

/** Further figures, as jobs on machines with GPUs have them. */
function gpuFigures(
  job: SeenJob,
  rounds: readonly SeenRound[],
): Readonly<Record<string, Measured>> {
  const asked = job.reservation?.gpus ?? 0
  const used = job.gpus ?? 0
  const cards = Math.max(asked, used)
  if (cards === 0)
    return { gpuUtilizationPercentMean: unmeasured('it asked for no GPU and used none') }
  const basis = 'rounds of the agent'
  const held = rounds
    .filter(({ gpuSeconds, gpuMemoryBytes }) => (gpuSeconds ?? 0) + (gpuMemoryBytes ?? 0) > 0)
    .reduce((total, round) => total + round.seconds, 0)
  const all = job.seenSeconds * cards
  const figures = {
    gpuCards: cards,
    gpuCardsUntouched: cards - used,
    gpuHeldSeconds: held * used,
    gpuBusySeconds: job.gpuSeconds,
    gpuUtilizationPercentMean:
      job.gpuSeconds === null || !(all > 0) ? null : (100 * job.gpuSeconds) / all,
    gpuMemoryPeakBytes: job.gpuMemoryPeakBytes,
    gpuEnergyJoules: job.joules,
  }
  const told: Record<string, Measured> = {}
  for (const [key, value] of Object.entries(figures))
    if (value !== null) told[key] = measured(value, basis)
    else if (used > 0 && busyKeys.includes(key)) told[key] = busyUntold
  return told
}

const busyKeys = ['gpuBusySeconds', 'gpuUtilizationPercentMean']
const busyUntold = unmeasured('the cards that it was on do not tell how busy they were')
