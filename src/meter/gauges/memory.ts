import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import type { KernelAccount, System } from '../../system/system.ts'
import type { LastSeen } from '../follow-request.ts'
import type { ColumnOf, FollowedEnd, FollowedGauge, Gauge, KeyOf, MeteredJob } from './gauge.ts'
import { CgroupMemory } from './memory/cgroup-memory.ts'
import { HeldMemory } from './memory/held-memory.ts'
import { largestProcess, peakMemory, summedPeak, type PeakEvidence } from './memory/peak-memory.ts'
import { TimeMean } from './time-mean.ts'
import { ioIsWhole } from './whole-account.ts'

const columns = [
  {
    name: 'memory_bytes',
    kind: 'gauge',
    says: 'memory of all processes, shared pages counted once',
  },
  {
    name: 'rss_bytes',
    kind: 'gauge',
    says: 'sum of resident sizes, shared pages counted once per process',
  },
  { name: 'swap_bytes', kind: 'gauge', says: 'memory swapped out' },
  {
    name: 'cgroup_memory_bytes',
    kind: 'gauge',
    says: "memory of the job's cgroup, page cache included",
  },
] as const satisfies readonly ColumnDefinition[]

const figures = [
  {
    key: 'memoryPeakBytes',
    says: 'the most memory at one moment, all processes, shared pages counted once',
  },
  { key: 'memoryMeanBytes', says: 'the same, averaged over time' },
  { key: 'memoryMinBytes', says: 'the same, the lowest seen' },
  {
    key: 'rssSumPeakBytes',
    says: 'the highest sum of resident sizes; shared pages count once per process',
  },
  { key: 'largestProcessPeakBytes', says: 'the most that a single process had resident' },
  { key: 'swapPeakBytes', says: 'the most memory that was swapped out' },
  {
    key: 'cgroupMemoryPeakBytes',
    says: "the peak of the job's cgroup, with page cache, without pages first touched by others",
  },
  {
    key: 'processesKilledForMemory',
    says: 'processes of the job that the kernel killed because memory ran out, even if the job itself went on',
  },
] as const satisfies readonly FigureDefinition[]

/** What looks saw is near to a peak that is no more than so many times as high. */
const nearPeak = 1.2
/** Of a 0 that is certain, whatever was not seen. */
export const noSwapBasis = 'the machine has no swap'

type Column = ColumnOf<typeof columns>
type Key = KeyOf<typeof figures>

/**
 * At each look and glance: resident sizes of the processes, and proportional ones at high points. At each look: the
 * memory files of the cgroup. At full looks: high-water marks and swap of the processes.
 */
export const memoryGauge: Gauge<Column, Key> = {
  name: 'memory',
  reads: ['memory'],
  columns,
  figures,
  follow: (job) => new FollowedMemory(job),
}

class FollowedMemory implements FollowedGauge<Column, Key> {
  readonly #job: MeteredJob
  readonly #seen: LastSeen
  readonly #held: HeldMemory
  readonly #mean = new TimeMean()
  readonly #cgroup = new CgroupMemory()
  /** Looks at which some process of it lived and held memory. */
  #livingLooks = 0
  /** Below this, wait4 told nothing of the memory of the main process and of those that it waited for. */
  #silentBelowBytes = Infinity

  constructor(job: MeteredJob) {
    const { clock, host, processes } = job.system
    this.#job = job
    this.#seen = job.seen
    this.#held = new HeldMemory(
      job.reader,
      job.plausible,
      host.pageBytes,
      () => clock.monotonicSeconds(),
      () => processes.ownThreadCpuSeconds(),
      () => mostBytesPerFault(job.system),
    )
  }

  glance(elapsedSeconds: number): void {
    this.#lookAtHeld(false, NaN)
    // The glance at the very start may see a process whose program is not loaded yet: the mean begins with the first look.
    if (!Number.isNaN(this.#mean.least)) this.#noteMean(elapsedSeconds)
  }

  glimpse(elapsedSeconds: number): void {
    this.glance(elapsedSeconds)
  }

  look(
    row: Float64Array,
    at: Readonly<Record<Column, number>>,
    elapsedSeconds: number,
    full: boolean,
  ): void {
    const { cgroup, plausible } = this.#job
    const { usage } = cgroup
    if (usage.memoryBytes > plausible.mostMemoryBytes) usage.memoryBytes = NaN
    this.#lookAtHeld(full, cgroup.heldBytes)
    this.#cgroup.note(usage, plausible)
    this.#seen.oomKills = this.#cgroup.oomKills
    const { memoryBytes, rssBytes, swapBytes } = this.#held
    if (this.#noteMean(elapsedSeconds)) {
      row[at.memory_bytes] = memoryBytes
      row[at.rss_bytes] = rssBytes
    }
    row[at.cgroup_memory_bytes] = usage.memoryBytes
    if (full) row[at.swap_bytes] = swapBytes
  }

  reaped({ largestProcessBytes: bytes, source }: KernelAccount, isRoot: boolean): void {
    const floor = isRoot ? this.#job.request.launcherBytes : 0
    if (isRoot && source === 'wait4') this.#silentBelowBytes = bytes > floor ? 0 : floor
    if (bytes > floor)
      this.#held.raiseByOne(bytes, `peak of a process, by the kernel at its end (${source})`)
  }

  figures(end: FollowedEnd): Readonly<Record<Key, Measured>> {
    const held = this.#held
    const evidence = this.#evidence(end)
    const peak = peakMemory(evidence)
    const seen = (peak.value ?? 0) > 0
    const unseen = unmeasured('it ended before its memory could be read')
    const series = held.countsSharedOnce
      ? 'looks over time, shared pages counted once'
      : 'looks over time, shared pages counted once per process'
    // The kernel may have told a peak where no look found any memory.
    const isLookedAt = !Number.isNaN(this.#mean.least)
    // A peak that no look came near was not in what the looks add up to.
    const tellMean = (peak.value ?? 0) > nearPeak * this.#mean.most ? atLeast : measured
    return {
      memoryPeakBytes: seen ? peak : unseen,
      memoryMeanBytes: isLookedAt
        ? tellMean(this.#mean.meanUntil(end.durationSeconds), series)
        : unseen,
      memoryMinBytes: isLookedAt ? measured(this.#mean.least, series) : unseen,
      rssSumPeakBytes: held.rssPeakBytes > 0 ? summedPeak(evidence) : unseen,
      largestProcessPeakBytes: held.largestProcessBytes > 0 ? largestProcess(evidence) : unseen,
      swapPeakBytes:
        this.#job.machine.usage.swapTotalBytes === 0
          ? measured(0, noSwapBasis)
          : seen
            ? measured(held.swapPeakBytes, 'VmSwap of all processes at the looks')
            : unseen,
      ...this.#cgroupFigures(),
    }
  }

  /**
   * A process whose program is not loaded yet holds nothing, and one that is ending has let go of all: that is not to be
   * taken for what the job held. Answers false then.
   */
  #noteMean(elapsedSeconds: number): boolean {
    const { memoryBytes } = this.#held
    if (this.#job.members.liveProcesses === 0 || memoryBytes === 0) return false
    this.#mean.add(elapsedSeconds, memoryBytes)
    return true
  }

  #lookAtHeld(withHighWater: boolean, heldBytes: number): void {
    const { cgroup, members } = this.#job
    const peakIsKept = cgroup.sensor?.keepsMemoryPeak === true
    this.#held.look(members, withHighWater, heldBytes, peakIsKept)
    this.#seen.memoryBytes = this.#held.memoryBytes
    // One whose program is not loaded yet has shown nothing of what it will hold.
    if (members.residentPages > 0) this.#livingLooks += 1
  }

  #evidence({ blindSeconds, unlookedSeconds }: FollowedEnd): PeakEvidence {
    const job = this.#job
    const { sensor } = job.cgroup
    const basis = sensor?.basis.memory ?? null
    return {
      memory: this.#held,
      cgroup:
        basis === null || sensor?.keepsMemoryPeak !== true
          ? null
          : { memory: this.#cgroup, basis, hadRuntime: this.#hadRuntime },
      ioIsWhole: ioIsWhole(job),
      blindSeconds,
      unlookedSeconds,
      members: job.members,
      livingLooks: this.#livingLooks,
      silentBelowBytes: this.#silentBelowBytes,
      mostBytesPerFault: () => mostBytesPerFault(job.system),
    }
  }

  get #hadRuntime(): boolean {
    return this.#job.request.cgroup?.hadRuntime === true
  }

  #cgroupFigures(): Pick<
    Readonly<Record<Key, Measured>>,
    'cgroupMemoryPeakBytes' | 'processesKilledForMemory'
  > {
    const { sensor } = this.#job.cgroup
    const basis = sensor?.basis.memory ?? null
    const without = unmeasured('the job has no cgroup with memory accounting')
    return {
      cgroupMemoryPeakBytes:
        basis === null
          ? without
          : sensor?.keepsMemoryPeak === true
            ? measured(
                this.#cgroup.peakBytes,
                `${basis}, page cache${this.#hadRuntime ? ' and the start of its container' : ''} included`,
              )
            : atLeast(
                this.#cgroup.peakBytes,
                `${sampledBasis(basis)} at the looks, page cache included`,
              ),
      processesKilledForMemory:
        basis === null ? without : measured(this.#cgroup.oomKills, oomKillBasis(basis)),
    }
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
  isOfV2(memoryBasis) ? 'cgroup v2 memory.events' : 'cgroup v1 memory.oom_control'

/** Of a kernel that keeps no peak, and of a cgroup that was there before, whose peak may be of that time. */
const sampledBasis = (memoryBasis: string): string =>
  isOfV2(memoryBasis) ? 'cgroup v2 memory.current' : 'cgroup v1 memory.usage_in_bytes'

const isOfV2 = (memoryBasis: string): boolean => memoryBasis.startsWith('cgroup v2')
