import { atLeast, measured, unmeasured, type Measured } from '../model/measured.ts'
import type { Usage } from '../model/usage.ts'
import type { System } from '../system/system.ts'
import { windowSeconds } from './cpu-windows.ts'
import type { FollowedJob } from './followed-job.ts'
import {
  blindWords,
  largestProcess,
  longestBlindSeconds,
  peakMemory,
  type PeakEvidence,
} from './peak-memory.ts'

/** Draws up what a job used, each figure with its basis or with the reason why there is none. */
export function reportUsage(job: FollowedJob, system: System, durationSeconds: number): Usage {
  return {
    ...cpuFigures(job, system, durationSeconds),
    ...memoryFigures(job, system, durationSeconds),
    ...ioFigures(job, system),
    ...pressureFigures(job),
    ...processFigures(job, system),
    ...machineFigures(job, durationSeconds),
  }
}

type Part<Key extends keyof Usage> = Pick<Usage, Key>

function cpuFigures(
  job: FollowedJob,
  system: System,
  durationSeconds: number,
): Part<
  | 'cpuUserSeconds'
  | 'cpuSystemSeconds'
  | 'cpuTotalSeconds'
  | 'cpuPercentMean'
  | 'cpuPercentPeak'
  | 'cpuPercentP95'
> {
  const { userSeconds, systemSeconds, basis, figure } = cpuAccount(job, system)
  const total = userSeconds + systemSeconds
  const mean = (total / durationSeconds) * 100
  // Ticks are charged in whole: a short moment may seem to have more of them than cores could give.
  const percent = (value: number, how: string): Measured =>
    figure(value === Infinity ? NaN : Math.min(value, system.host.onlineCores * 100), how)
  const short = durationSeconds < windowSeconds || Number.isNaN(job.cpuWindows.peakPercent)
  const whole = `mean of the whole job, which was shorter than ${windowSeconds} s`
  return {
    cpuUserSeconds: figure(userSeconds, basis),
    cpuSystemSeconds: figure(systemSeconds, basis),
    cpuTotalSeconds: figure(total, basis),
    cpuPercentMean: percent(mean, `${basis}, over the job's duration`),
    cpuPercentPeak: short
      ? percent(mean, whole)
      : // The whole job is such a window too, and the only one that ends exactly with it.
        percent(
          Math.max(mean, job.cpuWindows.peakPercent),
          `highest mean over ${windowSeconds} s or more`,
        ),
    cpuPercentP95: short
      ? percent(mean, whole)
      : percent(job.cpuWindows.percentile95() ?? mean, `windows of ${windowSeconds} s or more`),
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
function cpuAccount(job: FollowedJob, system: System): CpuAccount {
  const { userSeconds, systemSeconds } = job.cpu
  const total = userSeconds + systemSeconds
  const cgroup = job.cgroup?.basis.cpu ?? null
  if (cgroup === null) return { userSeconds, systemSeconds, ...basisWithoutCgroup(job, system) }
  const accounted = job.accountedUserSeconds + job.accountedSystemSeconds
  if (Number.isNaN(accounted))
    return { userSeconds, systemSeconds, basis: cgroup, figure: measured }
  const tolerance = Math.max(0.02, total * 0.02)
  // Who waits for a process is told what it used and nothing else: the job cannot have used less.
  if (accounted > total + tolerance)
    return {
      userSeconds: job.accountedUserSeconds,
      systemSeconds: job.accountedSystemSeconds,
      figure: measured,
      basis: `${accountName(job)}; ${cgroup} saw only ${total.toFixed(2)} s`,
    }
  const confirmed = total - accounted <= tolerance
  const source = job.account?.source ?? 'wait4'
  return {
    userSeconds,
    systemSeconds,
    figure: measured,
    basis: confirmed
      ? `${cgroup}, confirmed by ${source}`
      : `${cgroup}; ${source} saw ${accounted.toFixed(2)} s, the rest was never waited for`,
  }
}

function basisWithoutCgroup(
  job: FollowedJob,
  system: System,
): Pick<CpuAccount, 'basis' | 'figure'> {
  const missing = whatMayBeMissing(job, system)
  return missing.length === 0
    ? { basis: kernelAccount(job), figure: measured }
    : { basis: [kernelAccount(job), ...missing].join('; '), figure: atLeast }
}

const accountName = ({ account }: FollowedJob): string =>
  `kernel account at exit (${account?.source ?? 'wait4'})`

function kernelAccount(job: FollowedJob): string {
  if (Number.isNaN(job.accountedUserSeconds)) return '/proc counters of the processes seen'
  return job.members.byPid.size === 0
    ? accountName(job)
    : `${accountName(job)}, /proc counters of those still running`
}

/** Why processes may have used more than was counted: what nobody waits for is told to nobody. */
function whatMayBeMissing(job: FollowedJob, { processes }: System): string[] {
  const { members, request, strayOrphans } = job
  const reasons: string[] = []
  if (Number.isNaN(job.accountedUserSeconds))
    reasons.push('what came after the last look is not in it')
  else if (!processes.adoptsOrphans) reasons.push('daemons are in it only as far as they were seen')
  if (members.unaccounted > 0)
    reasons.push(`of ${members.unaccounted} processes that nobody waited for, what was last seen`)
  if (members.ignoresChildren)
    reasons.push('a process ignored SIGCHLD, so the kernel tells nobody what its children used')
  if (strayOrphans > 0 && request.origin === 'launched')
    reasons.push(`${strayOrphans} orphans might have been this job's or another's`)
  return reasons
}

function memoryFigures(
  job: FollowedJob,
  system: System,
  durationSeconds: number,
): Part<
  | 'memoryPeakBytes'
  | 'memoryMeanBytes'
  | 'memoryMinBytes'
  | 'rssSumPeakBytes'
  | 'largestProcessPeakBytes'
  | 'swapPeakBytes'
  | 'cgroupMemoryPeakBytes'
  | 'processesKilledForMemory'
> {
  const { memory, memoryMean, machine } = job
  const cgroup = job.cgroup?.basis.memory ?? null
  const unseen = unmeasured('it ended before its memory could be looked at')
  const evidence: PeakEvidence = {
    memory,
    cgroup:
      cgroup === null || job.cgroup?.keepsMemoryPeak !== true
        ? null
        : { memory: job.cgroupMemory, basis: cgroup },
    ioIsWhole: job.members.ioIsWhole && job.strayOrphans === 0,
    blindSeconds: job.blindSeconds,
    members: job.members,
    livingLooks: job.livingLooks,
    silentBelowBytes: job.silentBelowBytes,
    mostBytesPerFault: () => mostBytesPerFault(system),
  }
  const peak = peakMemory(evidence)
  const seen = (peak.value ?? 0) > 0
  const series = memory.countsSharedOnce
    ? 'looks over time, shared pages counted once'
    : 'looks over time, shared pages counted once per process'
  return {
    memoryPeakBytes: seen ? peak : unseen,
    memoryMeanBytes: seen ? measured(memoryMean.meanUntil(durationSeconds), series) : unseen,
    memoryMinBytes: seen ? measured(memoryMean.least, series) : unseen,
    rssSumPeakBytes:
      memory.rssPeakBytes > 0
        ? measured(memory.rssPeakBytes, 'sum of resident sizes at the looks')
        : unseen,
    largestProcessPeakBytes: memory.largestProcessBytes > 0 ? largestProcess(evidence) : unseen,
    swapPeakBytes:
      machine.usage.swapTotalBytes === 0
        ? measured(0, 'the machine has no swap')
        : seen
          ? measured(memory.swapPeakBytes, 'VmSwap of all processes at the looks')
          : unseen,
    cgroupMemoryPeakBytes:
      cgroup === null
        ? unmeasured('the job has no cgroup with memory accounting')
        : measured(job.cgroupMemory.peakBytes, `${cgroup}, page cache included`),
    processesKilledForMemory:
      cgroup === null
        ? unmeasured('the job has no cgroup with memory accounting')
        : measured(job.cgroupMemory.oomKills, oomKillBasis(cgroup)),
  }
}

const hugePageBytes = 2 * 2 ** 20
const givesHugePages = new WeakMap<System, boolean>()

/** Where huge pages are given unasked, each fault may bring one. */
function mostBytesPerFault(system: System): number {
  let given = givesHugePages.get(system)
  if (given === undefined) {
    const setting = system.files.readText('/sys/kernel/mm/transparent_hugepage/enabled')
    given = setting.kind === 'ok' && setting.value.includes('[always]')
    givesHugePages.set(system, given)
  }
  return given ? hugePageBytes : system.host.pageBytes
}

const oomKillBasis = (memoryBasis: string): string =>
  memoryBasis.startsWith('cgroup v2') ? 'cgroup v2 memory.events' : 'cgroup v1 memory.oom_control'

function ioFigures(
  job: FollowedJob,
  system: System,
): Part<
  | 'readBytes'
  | 'writeBytes'
  | 'readChars'
  | 'writeChars'
  | 'readCalls'
  | 'writeCalls'
  | 'ioDelaySeconds'
  | 'minorFaults'
  | 'majorFaults'
> {
  const totals = job.members.totals()
  const readable = job.members.ioReadable
  const basis = '/proc/PID/io of all processes, dead ones included'
  const figure = (value: number): Measured => {
    if (!readable) return unmeasured('/proc/PID/io of some process was not ours to read')
    return job.members.ioIsWhole && job.strayOrphans === 0
      ? measured(value, basis)
      : atLeast(value, `${basis}, but for those that nobody waited for`)
  }
  const faults = job.account === null ? '/proc/PID/stat' : accountName(job)
  const counted = whatMayBeMissing(job, system).length === 0 ? measured : atLeast
  return {
    readBytes: figure(totals.readBytes),
    writeBytes: figure(totals.writeBytes),
    readChars: figure(totals.readChars),
    writeChars: figure(totals.writeChars),
    readCalls: figure(totals.readCalls),
    writeCalls: figure(totals.writeCalls),
    ioDelaySeconds: job.machine.delayAccounting
      ? measured(totals.ioDelayTicks / system.host.ticksPerSecond, 'delay accounting of the kernel')
      : unmeasured('the kernel keeps no delay account; sysctl kernel.task_delayacct=1 turns it on'),
    minorFaults: counted(totals.minorFaults, faults),
    majorFaults: counted(totals.majorFaults, faults),
  }
}

function pressureFigures(
  job: FollowedJob,
): Part<'cpuPressureSeconds' | 'memoryPressureSeconds' | 'ioPressureSeconds'> {
  const basis = job.cgroup?.basis.pressure ?? null
  const why = job.request.cgroup?.joinsLater
    ? 'the job was over before its pressure could be followed'
    : 'pressure of a job needs a cgroup v2 of its own'
  const figure = (seconds: number): Measured =>
    basis === null ? unmeasured(why) : measured(seconds, basis)
  return {
    cpuPressureSeconds: figure(job.pressure.cpuPressureSeconds),
    memoryPressureSeconds: figure(job.pressure.memoryPressureSeconds),
    ioPressureSeconds: figure(job.pressure.ioPressureSeconds),
  }
}

function processFigures(
  job: FollowedJob,
  system: System,
): Part<
  'voluntarySwitches' | 'involuntarySwitches' | 'processesPeak' | 'threadsPeak' | 'processesStarted'
> {
  const counted = whatMayBeMissing(job, system).length === 0 ? measured : atLeast
  const switches = (value: number | undefined): Measured =>
    Number.isFinite(value ?? NaN)
      ? counted(value ?? NaN, accountName(job))
      : unmeasured('told only by the kernel account at exit (wait4)')
  const unseen = unmeasured('it ended before it could be looked at')
  const seen = job.processesPeak > 0
  const atLooks = (most: number): Measured =>
    job.cgroup === null && job.blindSeconds > longestBlindSeconds
      ? atLeast(most, `most at one look; ${blindWords(job.blindSeconds)}`)
      : measured(most, 'most at one look')
  return {
    voluntarySwitches: switches(job.account?.voluntarySwitches),
    involuntarySwitches: switches(job.account?.involuntarySwitches),
    processesPeak: seen ? atLooks(job.processesPeak) : unseen,
    threadsPeak: seen ? atLooks(job.threadsPeak) : unseen,
    processesStarted: unmeasured(
      `at least ${job.members.seen}; processes that came and went between looks are not counted`,
    ),
  }
}

function machineFigures(
  job: FollowedJob,
  durationSeconds: number,
): Part<Extract<keyof Usage, `machine${string}`>> {
  const { machineSpan: span } = job
  const cpuRange = (value: number): Measured =>
    Number.isNaN(value)
      ? measured(span.meanCpuPercent(), '/proc/stat over the whole job, too short to divide')
      : measured(value, '/proc/stat between looks')
  const pressure = (counter: Parameters<typeof span.grown>[0], file: string): Measured =>
    Number.isNaN(span.grown(counter))
      ? unmeasured('the kernel keeps no pressure account; booting with psi=1 turns it on')
      : measured(span.grown(counter), `/proc/pressure/${file}`)
  return {
    machineCpuPercentMean: measured(span.meanCpuPercent(), '/proc/stat over the whole job'),
    machineCpuPercentMax: cpuRange(span.cpuPercent.most),
    machineCpuPercentMin: cpuRange(span.cpuPercent.least),
    machineMemoryMeanBytes: measured(
      span.memoryBytes.meanUntil(durationSeconds),
      '/proc/meminfo: total less available',
    ),
    machineMemoryMaxBytes: measured(span.memoryBytes.most, '/proc/meminfo at the looks'),
    machineMemoryMinBytes: measured(span.memoryBytes.least, '/proc/meminfo at the looks'),
    machineIoWaitPercentMean: measured(span.meanIoWaitPercent(), '/proc/stat over the whole job'),
    machineCpuPressureSeconds: pressure('cpuPressureSeconds', 'cpu'),
    machineMemoryPressureSeconds: pressure('memoryPressureSeconds', 'memory'),
    machineIoPressureSeconds: pressure('ioPressureSeconds', 'io'),
    machineDiskReadBytes: measured(span.grown('diskReadBytes'), '/proc/diskstats, whole disks'),
    machineDiskWriteBytes: measured(span.grown('diskWriteBytes'), '/proc/diskstats, whole disks'),
    machineNetReceivedBytes: measured(span.grown('netReceivedBytes'), '/proc/net/dev but loopback'),
    machineNetSentBytes: measured(span.grown('netSentBytes'), '/proc/net/dev but loopback'),
  }
}
