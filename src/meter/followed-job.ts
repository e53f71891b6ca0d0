import { sampleIndex, sampleWidth } from '../model/sample.ts'
import { CgroupSensor, CgroupUsage } from '../sensors/cgroup/cgroup-sensor.ts'
import type { KernelAccount, System } from '../system/system.ts'
import { CgroupMemory } from './cgroup-memory.ts'
import { CpuWindows } from './cpu-windows.ts'
import { JobCpu } from './job-cpu.ts'
import { MachineSpan } from './machine-span.ts'
import type { MachineWatch } from './machine-watch.ts'
import type { Member } from './member.ts'
import { Members } from './members.ts'
import { MemoryGauge } from './memory-gauge.ts'
import type { Seeker } from './orphans.ts'
import { Outline } from './outline.ts'
import { Pace } from './pace.ts'
import { Plausible } from './plausible.ts'
import type { ProcessReader } from './process-reader.ts'
import { SampleBuffer, type SampleSink } from './sample-buffer.ts'
import { fillSampleRow } from './sample-row.ts'
import { TimeMean } from './time-mean.ts'

/** The job's own cgroup: its directory in each hierarchy, and what the launcher itself was charged there. */
export interface CgroupDirectories {
  readonly v2: string | null
  readonly v1: ReadonlyMap<string, string>
  /** Whether the job will join a v2 of its own if it lasts. */
  readonly joinsLater: boolean
  readonly launcherCpuSeconds: number
}

export interface FollowRequest {
  readonly rootPid: number
  readonly intervalSeconds: number
  /** Text in the environment of the job's processes that no other process has. */
  readonly mark: string | null
  readonly cgroup: CgroupDirectories | null
  /** `launched` jobs count from zero; a process that was already running counts from now on. */
  readonly origin: 'launched' | 'running'
  /** When it was started, by the clock that never steps; now, where that is not known. */
  readonly startedAt?: number
  /** The same in seconds since 1970, as its record has it: the times of samples count from there. */
  readonly recordedStart?: number
  /** Resident size of the launcher when it started the job: below it the kernel's account says nothing of memory. */
  readonly launcherBytes: number
  readonly onSamples: SampleSink
  /** Called after each look, for limits that nobody but us can enforce. */
  readonly onLook?: (job: FollowedJob) => void
}

/** What a job has in processes and memory is seen if it stands for so long, however far samples are apart. */
const longestBlindSeconds = 1
/** I/O, high-water marks and the whole machine are looked at no more than once in this time. */
const fullLookSeconds = 1
/** Except in the first second, as long as so few processes make that cheap: short jobs have no other. */
const smallFamily = 8

/** Reading a cgroup takes a tenth of this. */
const promptSeconds = 0.005
const mostTries = 3

const pressureKeys = ['cpuPressureSeconds', 'memoryPressureSeconds', 'ioPressureSeconds'] as const
type PressureKey = (typeof pressureKeys)[number]

/** One job being measured. */
export class FollowedJob implements Seeker {
  readonly request: FollowRequest
  readonly mark: string | null
  readonly members: Members
  readonly memory: MemoryGauge
  readonly pace: Pace
  readonly outline = new Outline()
  readonly cpuWindows = new CpuWindows()
  readonly memoryMean = new TimeMean()
  readonly cgroupUsage = new CgroupUsage()
  /** As last told by the cgroup. */
  readonly pressure: Record<PressureKey, number> = {
    cpuPressureSeconds: NaN,
    memoryPressureSeconds: NaN,
    ioPressureSeconds: NaN,
  }
  readonly machine: MachineWatch
  readonly machineSpan: MachineSpan
  processesPeak = 0
  /** Looks at which some process of it lived. */
  livingLooks = 0
  threadsPeak = 0
  readonly cgroupMemory = new CgroupMemory()
  /** How long new processes were not looked for, because that was too dear. */
  blindSeconds = 0
  /** Orphans that ended and might have been this job's or another's. */
  strayOrphans = 0
  readonly cpu: JobCpu
  samplesTaken = 0
  /** What `wait4` told of the main process and of orphans, for the cross-check. */
  accountedUserSeconds = NaN
  accountedSystemSeconds = NaN
  account: KernelAccount | null = null
  /** Below this, wait4 told nothing of the memory of the main process and of those that it waited for. */
  silentBelowBytes = Infinity
  /** When a process of it was last reaped, by its own clock. */
  lastReapedSeconds = 0

  readonly #system: System
  readonly #plausible: Plausible
  readonly #startedAt: number
  readonly #recordedStart: number
  readonly #row = new Float64Array(sampleWidth)
  readonly #buffer: SampleBuffer
  readonly #pids: number[] = []
  #cgroup: CgroupSensor | undefined
  /** A search has taken in what the cgroup lists since the last look, and there will be another when anything is started. */
  #isListed = false
  #fullLookAt = -Infinity
  #glancedAt = 0

  constructor(
    system: System,
    reader: ProcessReader,
    machine: MachineWatch,
    request: FollowRequest,
  ) {
    this.#system = system
    this.request = request
    this.mark = request.mark
    this.machine = machine
    this.machineSpan = new MachineSpan(machine)
    this.#startedAt = request.startedAt ?? system.clock.monotonicSeconds()
    this.#recordedStart =
      request.recordedStart ?? system.clock.wallSeconds() - this.elapsedSeconds()
    this.#plausible = new Plausible(system.host)
    this.cpu = new JobCpu(
      system.host,
      this.#plausible,
      () => request.cgroup?.launcherCpuSeconds ?? 0,
    )
    this.members = new Members(reader, this.#plausible, system.host.ticksPerSecond)
    this.memory = new MemoryGauge(
      reader,
      this.#plausible,
      system.host.pageBytes,
      () => system.clock.monotonicSeconds(),
      () => system.processes.ownThreadCpuSeconds(),
    )
    this.pace = new Pace(request.intervalSeconds)
    this.#buffer = new SampleBuffer(request.onSamples)
    this.#updatePlausible(0)
    const root = this.members.add(request.rootPid)
    // posix_spawn returns a moment before the child has let our memory go.
    if (root !== undefined && request.origin === 'launched') root.isOurChild = true
  }

  /** Opened when first needed: a job that is over in a millisecond should not wait for it. */
  get cgroup(): CgroupSensor | null {
    if (this.request.cgroup === null) return null
    this.#cgroup ??= new CgroupSensor(this.#system, this.request.cgroup)
    return this.#cgroup
  }

  /** Has the job join a v2 cgroup, which counts from then on: what counts from the start is opened before. */
  join(enter: () => string | null): void {
    const { cgroup } = this
    const v2 = enter()
    if (v2 !== null) cgroup?.join(v2)
  }

  has(pid: number): boolean {
    return this.members.byPid.has(pid)
  }

  take(pid: number): Member | undefined {
    return this.members.add(pid)
  }

  takeListed(): void {
    if (this.cgroup === null) return
    this.#isListed = true
    this.#pids.length = 0
    if (!this.cgroup.members(this.#pids)) return
    for (const pid of this.#pids)
      if (!this.members.byPid.has(pid) && pid !== this.#system.processes.self) this.members.add(pid)
  }

  hasFamily(id: number): boolean {
    return this.members.hasFamily(id)
  }

  living(): Iterable<Member> {
    return this.members.byPid.values()
  }

  get cgroupName(): string | null {
    const { cgroup } = this.request
    const directory = cgroup?.v2 ?? cgroup?.v1.values().next().value
    return directory?.slice(directory.lastIndexOf('/') + 1) ?? null
  }

  /** Those that were just taken in, and not looked at yet, count as well. */
  get knownThreads(): number {
    return Math.max(this.members.liveThreads, this.members.byPid.size)
  }

  elapsedSeconds(): number {
    return this.#system.clock.monotonicSeconds() - this.#startedAt
  }

  /** When the next look or glance is due, in seconds since the start. */
  get nextLookSeconds(): number {
    return Math.min(this.pace.nextAtSeconds, this.#glancedAt + longestBlindSeconds)
  }

  /**
   * A quick look at the processes alone, without a sample: right at the start, because short jobs leave no time for more,
   * and between samples that are far apart, so that what stands for a second is seen.
   */
  glance(): void {
    this.#glancedAt = this.elapsedSeconds()
    // Not at the start: opening the cgroup's files would take longer than many a job.
    if (this.#glancedAt > longestBlindSeconds / 2) this.#takeUnlisted()
    this.members.look(false)
    this.memory.look(this.members, false, NaN, false)
    this.#notePeaks()
  }

  /** Looks at everything once; a `thorough` look leaves nothing out, however short the last one is ago. */
  look(thorough = false): void {
    const began = this.elapsedSeconds()
    this.#glancedAt = began
    const small = this.members.byPid.size <= smallFamily
    const full =
      thorough ||
      (small && began < fullLookSeconds) ||
      began - this.#fullLookAt >= fullLookSeconds * 0.95
    if (full) {
      this.#fullLookAt = began
      this.machine.look()
    }
    this.#updatePlausible(began)
    if (thorough) this.takeListed()
    else this.#takeUnlisted()
    this.members.look(full)
    const elapsed = this.#readCgroup()
    this.memory.look(this.members, full, this.#heldBytes(), this.cgroup?.keepsMemoryPeak === true)
    this.cpu.update(
      elapsed,
      this.cgroupUsage,
      this.members,
      (this.cgroup?.basis.cpu ?? null) !== null,
    )
    this.#record(elapsed, full)
    this.request.onLook?.(this)
  }

  /**
   * A process of the job is dead and not yet reaped: its last counters stand for all it waited for. Where it has been
   * reaped already, its account stands for them.
   */
  lookAtEnded(pid: number, account: KernelAccount | null): void {
    const isKnown = this.members.byPid.has(pid)
    this.members.add(pid)
    if (account !== null) this.members.close(pid, account)
    // A thousand that end at once must not look at each other a million times.
    else if (isKnown && pid !== this.request.rootPid && this.members.lookAtOne(pid)) return
    this.takeListed()
    // At all of them, not at this one alone: what its own children left must be settled in the same look.
    this.members.look(true)
  }

  retire(pid: number, account: KernelAccount | null): void {
    this.lastReapedSeconds = this.elapsedSeconds()
    this.members.retireReaped(pid, account)
    if (account === null) return
    this.accountedUserSeconds = (this.accountedUserSeconds || 0) + account.userSeconds
    this.accountedSystemSeconds = (this.accountedSystemSeconds || 0) + account.systemSeconds
    if (pid === this.request.rootPid) this.account = account
    const bytes = account.largestProcessBytes
    const isRoot = pid === this.request.rootPid
    const floor = isRoot ? this.request.launcherBytes : 0
    if (isRoot && account.source === 'wait4') this.silentBelowBytes = bytes > floor ? 0 : floor
    if (bytes > floor) {
      this.memory.raiseByOne(
        bytes,
        `peak of a process, by the kernel at its end (${account.source})`,
      )
    }
  }

  /** An orphan has ended, and nothing told whose it was. */
  mayLackOrphan(): void {
    this.strayOrphans += 1
  }

  /** Gives samples out that would grow too old before the next look. */
  handOn(): void {
    this.#buffer.flushBefore(this.pace.nextAtSeconds)
  }

  /** The last look, and what is buffered goes out. */
  end(): void {
    this.members.look(true)
    this.members.settle()
    this.look(true)
    this.#buffer.flush()
  }

  close(): void {
    this.members.release()
    this.#cgroup?.close()
  }

  #takeUnlisted(): void {
    if (!this.#isListed) this.takeListed()
    this.#isListed = false
  }

  #updatePlausible(elapsed: number): void {
    const { usage } = this.machine
    const lifetime = this.request.origin === 'launched' ? elapsed : Infinity
    this.#plausible.update(lifetime, usage.totalMemoryBytes, usage.swapTotalBytes)
  }

  /**
   * Answers the time as of which counters are told: after they were read, so that they may lag behind it but never run
   * ahead. Where we were stopped in between, which a busy machine does, they are read once more.
   */
  #readCgroup(): number {
    const { cgroup, cgroupUsage: usage, pressure } = this
    if (cgroup === null) return this.elapsedSeconds()
    let elapsed = NaN
    for (let tries = 0; tries < mostTries; tries++) {
      const before = this.elapsedSeconds()
      cgroup.read(usage)
      elapsed = this.elapsedSeconds()
      if (elapsed - before < promptSeconds) break
    }
    if (usage.memoryBytes > this.#plausible.mostMemoryBytes) usage.memoryBytes = NaN
    for (const key of pressureKeys) {
      // Less than before is as impossible as more than the time there was.
      if (usage[key] >= (pressure[key] || 0) && usage[key] <= this.#plausible.mostSeconds)
        pressure[key] = usage[key]
      else usage[key] = NaN
    }
    return elapsed
  }

  #record(elapsed: number, full: boolean): void {
    const { members, memory, cgroupUsage } = this
    this.cpuWindows.add(elapsed, this.cpu.totalSeconds, members.liveThreads)
    if (full) this.machineSpan.look(elapsed)
    // Nothing is held by a process whose program is not loaded yet.
    if (memory.memoryBytes > 0 && members.liveProcesses > 0)
      this.memoryMean.add(elapsed, memory.memoryBytes)
    this.#notePeaks()
    this.cgroupMemory.note(cgroupUsage, this.#plausible)
    const row = this.#row
    fillSampleRow(row, this, this.#system, elapsed, full)
    row[sampleIndex.timestamp] = this.#recordedStart + elapsed
    this.samplesTaken += 1
    this.outline.add(row)
    this.#buffer.add(row, elapsed)
  }

  #notePeaks(): void {
    if (this.members.liveProcesses > 0) this.livingLooks += 1
    this.processesPeak = Math.max(this.processesPeak, this.members.liveProcesses)
    this.threadsPeak = Math.max(this.threadsPeak, this.members.liveThreads)
  }

  /** What the cgroup says that processes hold; NaN without one. */
  #heldBytes(): number {
    const { anonymousBytes, sharedBytes } = this.cgroupUsage
    return anonymousBytes + (sharedBytes || 0)
  }
}
