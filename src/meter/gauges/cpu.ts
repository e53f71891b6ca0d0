import { hiddenText } from '../../model/hidden-moments.ts'
import { atLeast, measured, type Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import { cpuUnseenFigure, type FigureDefinition } from '../../model/usage.ts'
import type { LastSeen } from '../follow-request.ts'
import { CoreExcess } from './cpu/core-excess.ts'
import { CpuWindows, windowSeconds } from './cpu/cpu-windows.ts'
import { JobCpu } from './cpu/job-cpu.ts'
import type { ColumnOf, FollowedEnd, FollowedGauge, Gauge, KeyOf, MeteredJob } from './gauge.ts'
import { accountTolerance, lacksLastMomentsAlone, whatMayBeMissing } from './whole-account.ts'

const columns = [
  { name: 'cpu_user_seconds', kind: 'counter', says: 'CPU time in user code' },
  { name: 'cpu_system_seconds', kind: 'counter', says: 'CPU time in the kernel' },
] as const satisfies readonly ColumnDefinition[]

const figures = [
  { key: 'cpuUserSeconds', says: 'CPU time in user code, all processes' },
  { key: 'cpuSystemSeconds', says: 'CPU time in the kernel, all processes' },
  { key: 'cpuTotalSeconds', says: 'the sum of both' },
  { key: 'cpuPercentMean', says: 'total CPU time over the duration; 100 is one core' },
  {
    key: 'cpuPercentPeak',
    says: 'the highest mean over a second or more; over the whole job if that is shorter',
  },
  {
    key: 'cpuPercentP95',
    says: 'means over a second or more stayed at or below this for 95 % of the time',
  },
] as const satisfies readonly FigureDefinition[]

type Column = ColumnOf<typeof columns>
type Key = KeyOf<typeof figures>

/** At each look and glance: `cpu.stat` or `cpuacct` of the job's cgroup, or `/proc/PID/stat` of its processes. */
export const cpuGauge: Gauge<Column, Key> = {
  name: 'cpu',
  columns,
  figures,
  follow: (job) => new FollowedCpu(job),
}

class FollowedCpu implements FollowedGauge<Column, Key> {
  readonly #job: MeteredJob
  readonly #seen: LastSeen
  readonly #cpu: JobCpu
  readonly #windows = new CpuWindows()
  readonly #excess: CoreExcess
  #notedAtSeconds = 0
  /** As of the end of the main process, where others went on. */
  #untilMainEnded: CpuAccount | undefined

  constructor(job: MeteredJob) {
    this.#job = job
    this.#seen = job.seen
    this.#excess = new CoreExcess(job.system.host.onlineCores)
    this.#cpu = new JobCpu(
      job.system.host,
      job.plausible,
      () => job.request.cgroup?.launcherCpuSeconds ?? 0,
    )
  }

  glance(elapsedSeconds: number): void {
    const { cgroup, request } = this.#job
    // Ticks in place of a cgroup that is not open yet, or does not tell just now, would make a dent.
    if (request.cgroup === null || cgroup.usage.usageSeconds >= 0) this.#note(elapsedSeconds)
  }

  look(row: Float64Array, at: Readonly<Record<Column, number>>, elapsedSeconds: number): void {
    this.#note(elapsedSeconds)
    this.#seen.cpuPercent = this.#withoutExcess(this.#windows.latestPercent)
    row[at.cpu_user_seconds] = this.#cpu.userSeconds
    row[at.cpu_system_seconds] = this.#cpu.systemSeconds
  }

  outlived(): void {
    const account = cpuAccount(this.#job, this.#cpu)
    this.#untilMainEnded = { ...account, basis: `${account.basis}; until its main process ended` }
  }

  figures(end: FollowedEnd): Readonly<Record<Key, Measured>> {
    const { durationSeconds, leavesProcesses } = end
    const untilMainEnded = leavesProcesses === true ? this.#untilMainEnded : undefined
    const account = untilMainEnded ?? cpuAccount(this.#job, this.#cpu)
    const { userSeconds, systemSeconds, basis, figure } = account
    const total = userSeconds + systemSeconds
    const mean = (total / durationSeconds) * 100
    const isShort = durationSeconds < windowSeconds || Number.isNaN(this.#windows.peakPercent)
    const whole = this.#percent(
      mean,
      `mean of the whole job, which was shorter than ${windowSeconds} s`,
      figure,
    )
    return {
      cpuUserSeconds: figure(userSeconds, basis),
      cpuSystemSeconds: figure(systemSeconds, basis),
      cpuTotalSeconds: figure(total, basis),
      cpuPercentMean: this.#percent(mean, `${basis}, over the job's duration`, figure),
      cpuPercentPeak: isShort ? whole : this.#peak(mean, figure),
      cpuPercentP95: isShort ? whole : this.#p95(mean, durationSeconds, figure),
      ...(figure === atLeast && untilMainEnded === undefined ? this.#unseen(end) : {}),
    }
  }

  /** Nothing where more may be missing. */
  #unseen({ durationSeconds, blindInAllSeconds }: FollowedEnd): Readonly<Record<string, Measured>> {
    if (!lacksLastMomentsAlone(this.#job)) return {}
    const atEnd = Math.max(0, durationSeconds - this.#notedAtSeconds)
    const { unseen } = this.#job.members
    const seconds = Math.min(durationSeconds, unseen.seconds + atEnd + blindInAllSeconds)
    return { [cpuUnseenFigure.key]: measured(seconds, 'times of the looks') }
  }

  #peak(mean: number, figure: typeof measured): Measured {
    const { peakPercent, hiddenSeconds } = this.#windows
    // The whole job is such a window too, and the only one that ends exactly with it.
    return this.#percent(
      Math.max(mean, this.#withoutExcess(peakPercent)),
      `highest mean over ${windowSeconds} s or more${hiddenText(hiddenSeconds)}`,
      hiddenSeconds > 0 ? atLeast : figure,
    )
  }

  #p95(mean: number, durationSeconds: number, figure: typeof measured): Measured {
    const { hiddenSeconds } = this.#windows
    return this.#percent(
      this.#withoutExcess(this.#windows.percentile95() ?? mean),
      `windows of ${windowSeconds} s or more${hiddenText(hiddenSeconds)}`,
      // The busiest twentieth of the time does not count for it: what hides in less changes little.
      hiddenSeconds > durationSeconds / 20 ? atLeast : figure,
    )
  }

  /** Ticks are charged in whole: a short moment may seem to have more of them than cores could give. */
  #percent(value: number, how: string, figure: typeof measured): Measured {
    const most = this.#job.system.host.onlineCores * 100
    return figure(value === Infinity ? NaN : Math.min(value, most), how)
  }

  /** A cgroup does not count in ticks: what is more than whole cores there was used. */
  #withoutExcess(percent: number): number {
    return this.#isCountedByCgroup ? percent : this.#excess.without(percent)
  }

  get #isCountedByCgroup(): boolean {
    return (this.#job.cgroup.sensor?.basis.cpu ?? null) !== null
  }

  #note(elapsedSeconds: number): void {
    const { cgroup, members } = this.#job
    this.#cpu.update(elapsedSeconds, cgroup.usage, members, this.#isCountedByCgroup)
    this.#windows.add(elapsedSeconds, this.#cpu.totalSeconds, members.liveThreads)
    this.#excess.add(elapsedSeconds, this.#cpu.totalSeconds)
    this.#notedAtSeconds = elapsedSeconds
  }
}

interface CpuAccount {
  readonly userSeconds: number
  readonly systemSeconds: number
  readonly basis: string
  /** Exact, or a lower bound. */
  readonly figure: typeof measured
}

/** Two rungs that both saw the job are compared, and the record says what came of it. */
function cpuAccount(job: MeteredJob, { userSeconds, systemSeconds }: JobCpu): CpuAccount {
  const { accounts } = job
  const total = userSeconds + systemSeconds
  const cgroup = job.cgroup.sensor?.basis.cpu ?? null
  if (cgroup === null) return { userSeconds, systemSeconds, ...basisWithoutCgroup(job) }
  const accounted = accounts.userSeconds + accounts.systemSeconds
  if (Number.isNaN(accounted))
    return { userSeconds, systemSeconds, basis: cgroup, figure: measured }
  const tolerance = accountTolerance(total)
  // Who waits for a process is told what it used and nothing else: the job cannot have used less.
  if (accounted > total + tolerance)
    return {
      userSeconds: accounts.userSeconds,
      systemSeconds: accounts.systemSeconds,
      figure: measured,
      basis: `${accounts.words}; ${cgroup} saw only ${total.toFixed(2)} s`,
    }
  const confirmed = total - accounted <= tolerance
  const { source } = accounts
  return {
    userSeconds,
    systemSeconds,
    figure: measured,
    basis: confirmed
      ? `${cgroup}, confirmed by ${source}`
      : `${cgroup}; ${source} saw ${accounted.toFixed(2)} s, the rest was never waited for`,
  }
}

function basisWithoutCgroup(job: MeteredJob): Pick<CpuAccount, 'basis' | 'figure'> {
  const missing = whatMayBeMissing(job)
  return missing.length === 0
    ? { basis: kernelAccount(job), figure: measured }
    : { basis: [kernelAccount(job), ...missing].join('; '), figure: atLeast }
}

function kernelAccount({ accounts, members }: MeteredJob): string {
  if (accounts.isEmpty) return '/proc counters of the processes seen'
  return members.byPid.size === 0
    ? accounts.words
    : `${accounts.words}, /proc counters of those still running`
}
