import type { ImportedJob, ImportedRound, ImportedUse } from '../../model/imported-round.ts'
import { sumOver, unattributed } from '../../model/unattributed.ts'
import { coresSince, inherited, type HostCounters } from './counters.ts'
import { JobSums, type SpanView } from './job-sums.ts'
import type { SonarCapacity, SonarSample } from './sample.ts'

export interface NextRound {
  readonly round: ImportedRound
  /** For the sample after it. */
  readonly counters: HostCounters
}

/** Boot times are told by a clock that is set now and then. */
const bootSlackSeconds = 60
/** Of nodes that do not say how many they have. */
const assumedCores = 4096

/**
 * What a sample tells of the time since the one before. Where there is none, where that is too long ago, or where the counters
 * began anew at an unknown time, it tells of no time, and only of the moment.
 */
export function nextRound(
  sample: SonarSample,
  before: HostCounters | undefined,
  known: SonarCapacity | undefined,
  longestSeconds: number,
): NextRound {
  const since = sinceWhen(sample, before, longestSeconds)
  const capacity = better(known, sample.capacity)
  const view: SpanView = {
    seconds: since.seconds,
    mostCpuSeconds: (capacity.cores ?? assumedCores) * since.seconds + 1,
    before: since.processes,
    known: before?.jobs ?? new Map(),
  }
  const sums = new JobSums(sample, view)
  const owed = inherited(since.processes, sums.keys)
  const jobs = sums.jobs(owed)
  const cores = since.seconds > 0 ? coresSince(sample, since.coreSeconds) : null
  const node = nodeUse(sample, capacity, since.seconds, cores, jobs)
  return {
    round: {
      host: sample.host,
      epoch: sample.bootedAt === null ? null : bootName(sample.bootedAt, before),
      at: sample.at,
      seconds: since.seconds,
      node,
      jobs: [...jobs, nobodys(node, jobs)],
    },
    counters: {
      at: sample.at,
      bootedAt: steadyBoot(sample.bootedAt, before),
      coreSeconds: sample.coreSeconds,
      processes: sums.counted,
      jobs: sums.known,
    },
  }
}

interface Since {
  readonly seconds: number
  readonly processes: HostCounters['processes']
  readonly coreSeconds: HostCounters['coreSeconds']
}

function sinceWhen(
  { at, bootedAt, coreSeconds }: SonarSample,
  before: HostCounters | undefined,
  longestSeconds: number,
): Since {
  const nothing: Since = { seconds: 0, processes: new Map(), coreSeconds: null }
  if (before === undefined) return nothing
  const isNewBoot =
    bootedAt !== null &&
    before.bootedAt !== null &&
    Math.abs(bootedAt - before.bootedAt) > bootSlackSeconds
  if (isNewBoot) {
    const seconds = at - bootedAt
    // All counters began at the boot.
    if (bootedAt < before.at - bootSlackSeconds || seconds <= 0 || seconds > longestSeconds)
      return nothing
    return { ...nothing, seconds, coreSeconds: coreSeconds?.map(() => 0) ?? null }
  }
  const seconds = at - before.at
  if (seconds > longestSeconds) return nothing
  const cores = before.coreSeconds
  const wentBack =
    coreSeconds !== null && cores !== null && total(coreSeconds) + cores.length < total(cores)
  return wentBack ? nothing : { seconds, processes: before.processes, coreSeconds: cores }
}

const total = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)

/** A boot has one time, whatever is told of it later. */
function steadyBoot(told: number | null, before: HostCounters | undefined): number | null {
  const last = before?.bootedAt ?? null
  if (told === null || last === null) return told
  return Math.abs(told - last) <= bootSlackSeconds ? last : told
}

const bootName = (told: number, before: HostCounters | undefined): string =>
  `booted ${new Date((steadyBoot(told, before) ?? told) * 1e3).toISOString()}`

const better = (known: SonarCapacity | undefined, told: SonarCapacity): SonarCapacity => ({
  cores: known?.cores ?? told.cores,
  memoryKib: known?.memoryKib ?? told.memoryKib,
  gpus: known?.gpus ?? told.gpus,
  gpuMemoryKib: known?.gpuMemoryKib ?? told.gpuMemoryKib,
})

const bytes = (kib: number | null): number | null => (kib === null ? null : kib * 1024)
const overTime = (rate: number | null, seconds: number): number | null =>
  rate === null || seconds === 0 ? null : rate * seconds

function nodeUse(
  sample: SonarSample,
  capacity: SonarCapacity,
  seconds: number,
  cores: readonly number[] | null,
  jobs: readonly ImportedJob[],
): ImportedUse {
  const sum = (name: 'processes' | 'threads' | 'zombies'): number | null =>
    jobs.reduce<number | null>(
      (all, job) => (job[name] === null ? all : (all ?? 0) + job[name]),
      null,
    )
  return {
    cpuSeconds: cores === null ? null : total(cores),
    readBytes: null,
    writeBytes: null,
    gpuSeconds: overTime(sample.gpuShare, seconds),
    joules: overTime(sample.gpuWatts, seconds),
    memoryBytes: bytes(sample.usedMemoryKib),
    gpuMemoryBytes: bytes(sample.gpuMemoryKib),
    processes: sum('processes'),
    threads: sum('threads'),
    zombies: sum('zombies'),
    cores: capacity.cores,
    memoryTotalBytes: bytes(capacity.memoryKib),
    swapUsedBytes: null,
    gpus: capacity.gpus,
    gpuMemoryTotalBytes: bytes(capacity.gpuMemoryKib),
    load: sample.load,
    ioWaitSeconds: null,
    netReceivedBytes: null,
    netSentBytes: null,
    coreSeconds: cores ?? [],
  }
}

const nobodys = (node: ImportedUse, jobs: readonly ImportedJob[]): ImportedJob => ({
  ...unattributed(node, jobs),
  epoch: '0',
  cpuSeconds: node.cpuSeconds === null ? null : node.cpuSeconds - sumOver(jobs, 'cpuSeconds'),
  processes: null,
  threads: null,
  zombies: null,
})
