import type { HistoryJob, HostHistory } from '../../model/host-history.ts'
import type { Policy } from '../../model/policy.ts'
import { hourSeconds } from '../../model/time-parts.ts'
import { toldSum } from '../../model/told-sum.ts'
import type { PolicyFinding, PolicySubject } from '../../model/violation.ts'
import { median } from '../statistics/median.ts'
import { fairShare, share } from './figures.ts'
import type { FigureName, Figures } from './figure-list.ts'
import { findingText } from './finding-words.ts'
import { gpuSecondsOf, reserved } from './round-sum.ts'
import { whySuppressed, type NodeRoom, type Room } from './spare-room.ts'
import { isExempt, verdictOn } from './verdict.ts'

export interface HistoryJudgement {
  readonly findings: readonly PolicyFinding[]
  /** The figures that are missing where nobody could be judged. */
  readonly missing: readonly FigureName[]
}

/** Judges each user by all jobs of the last days. */
export function judgeHistory(policy: Policy, history: HostHistory): HistoryJudgement {
  const jobs = history.jobs.filter(({ kind }) => kind !== 'unattributed')
  const room = roomOf(history, claimsOf(jobs))
  const findings: PolicyFinding[] = []
  let missing: readonly FigureName[] = []
  let judged = 0
  for (const [user, own] of Map.groupBy(jobs, (job) => job.user)) {
    const subject: PolicySubject = { host: history.host, user, account: null, job: null }
    if (isExempt(policy.exempt, subject)) continue
    const counted = own.filter(
      ({ kind, command, account }) =>
        !policy.exempt.kinds.includes(kind) &&
        !policy.exempt.commands.includes(command) &&
        !(account !== null && policy.exempt.accounts.includes(account)),
    )
    const figures = historyFigures(counted, history)
    const verdict = verdictOn(policy, figures)
    if (verdict.holds === null) missing = verdict.missing
    else judged += 1
    if (verdict.holds !== true) continue
    const claims = claimsOf(counted)
    const per = Math.max(1, history.seenSeconds)
    findings.push({
      policy: policy.name,
      severity: policy.severity,
      subject,
      firstSeen: history.at,
      lastSeen: history.at,
      heldSeconds: policy.overSeconds,
      text: findingText(policy, figures),
      suppressedBecause: whySuppressed(policy.spare, room, {
        coresClaimed: claims.cores / per,
        memoryClaimed: claims.memory / per,
        gpusHeld: claims.gpus / per,
      }),
    })
  }
  return { findings, missing: judged === 0 ? missing : [] }
}

/** Times seconds: what others could not have. */
interface Claims {
  readonly cores: number
  readonly memory: number
  readonly gpus: number
}

/** What is known in part is not judged: it may have used more. */
const gpuSecondsIn = (job: HistoryJob): number | null =>
  job.isGpuUntold ? null : gpuSecondsOf(job)

const total = (jobs: readonly HistoryJob[], of: (job: HistoryJob) => number): number =>
  jobs.reduce((sum, job) => sum + of(job), 0)

const claimsOf = (jobs: readonly HistoryJob[]): Claims => ({
  cores: total(jobs, ({ cpuSeconds, reservation, seenSeconds }) =>
    Math.max(cpuSeconds ?? 0, (reserved(reservation)?.cpus ?? 0) * seenSeconds),
  ),
  memory: total(
    jobs,
    ({ memoryMeanBytes, reservation, seenSeconds }) =>
      Math.max(memoryMeanBytes ?? 0, reserved(reservation)?.memoryBytes ?? 0) * seenSeconds,
  ),
  gpus: total(jobs, ({ gpuSeconds, gpus, reservation, seenSeconds }) =>
    Math.max(gpuSeconds ?? 0, Math.max(gpus ?? 0, reserved(reservation)?.gpus ?? 0) * seenSeconds),
  ),
})

function roomOf(history: HostHistory, claims: Claims): NodeRoom {
  const per = Math.max(1, history.seenSeconds)
  const room = (whole: number | null, claimed: number): Room | null =>
    whole === null ? null : { total: whole, free: Math.max(0, whole - claimed / per) }
  return {
    cores: room(history.cores, claims.cores),
    memory: room(history.memoryBytes, claims.memory),
    gpus: room(history.gpus || null, claims.gpus),
  }
}

function historyFigures(jobs: readonly HistoryJob[], history: HostHistory): Figures {
  const asking = (name: 'cpus' | 'memoryBytes' | 'gpus'): HistoryJob[] =>
    jobs.filter(({ reservation }) => Boolean(reservation?.[name]))
  const askedSeconds = (name: 'cpus' | 'gpus', those = asking(name)): number | null =>
    those.length === 0
      ? null
      : total(those, (job) => (job.reservation?.[name] ?? 0) * job.seenSeconds)
  const [cpus, gpus] = [askedSeconds('cpus'), askedSeconds('gpus')]
  const tellingGpus = asking('gpus').filter((job) => gpuSecondsIn(job) !== null)
  const memory = ratios(
    asking('memoryBytes').flatMap(({ memoryPeakBytes, reservation }) =>
      memoryPeakBytes === null ? [] : [[memoryPeakBytes, reservation?.memoryBytes ?? 0] as const],
    ),
  )
  const time = ratios(
    jobs.flatMap((job) => {
      const asked = job.reservation?.runtimeSeconds
      if (job.isRunning || !asked) return []
      return [[job.lastSeen - Math.min(job.startedAt ?? job.firstSeen, job.firstSeen), asked]]
    }),
  )
  const fair = asking('memoryBytes')
  const node = { cores: history.cores, memoryTotalBytes: history.memoryBytes }
  const sumAsked = (name: 'cpus' | 'memoryBytes'): number =>
    total(fair, ({ reservation }) => reservation?.[name] ?? 0)
  const gpuKnown = (history.gpus ?? 0) > 0
  return {
    jobs: jobs.length,
    runtime_hours: total(jobs, ({ seenSeconds }) => seenSeconds) / hourSeconds,
    gpu_hours: gpuKnown ? share(toldSum(jobs.map(gpuSecondsIn)), hourSeconds) : null,
    asked_gpu_hours: gpus === null ? null : gpus / hourSeconds,
    asked_cpu_hours: cpus === null ? null : cpus / hourSeconds,
    gpu_of_request: gpuKnown
      ? share(toldSum(tellingGpus.map(gpuSecondsIn)), askedSeconds('gpus', tellingGpus))
      : null,
    cpu_of_request: share(
      total(asking('cpus'), ({ cpuSeconds }) => cpuSeconds ?? 0),
      cpus,
    ),
    memory_of_request: memory?.overall ?? null,
    memory_of_request_mean: memory?.mean ?? null,
    memory_of_request_median: memory?.median ?? null,
    asked_memory_of_fair: fairShare(sumAsked('cpus'), sumAsked('memoryBytes'), node),
    time_of_request: time?.overall ?? null,
    time_of_request_mean: time?.mean ?? null,
    time_of_request_median: time?.median ?? null,
  }
}

interface Ratios {
  readonly overall: number
  readonly mean: number
  readonly median: number
}

/** Of pairs of what was used and what was asked for. */
function ratios(pairs: readonly (readonly [used: number, asked: number])[]): Ratios | null {
  if (pairs.length === 0) return null
  const each = pairs.map(([used, asked]) => used / asked)
  const sum = (at: 0 | 1): number => pairs.reduce((all, pair) => all + pair[at], 0)
  return {
    overall: sum(0) / sum(1),
    mean: each.reduce((all, one) => all + one, 0) / each.length,
    median: median(each),
  }
}
