import type { SampleRow } from '../model/sample.ts'
import type { Measured } from '../model/measured.ts'
import type { Usage, UsageKey } from '../model/usage.ts'
import type { KernelAccount, System } from '../system/system.ts'
import { accountFigures } from './account-figures.ts'
import { CgroupReadings } from './cgroup-readings.ts'
import type { FollowRequest, LastSeen, SeenJob } from './follow-request.ts'
import type {
  FollowedEnd,
  FollowedGauge,
  Gauge,
  MeteredJob,
  SharedReading,
} from './gauges/gauge.ts'
import type { SampleLayout } from './gauges/sample-layout.ts'
import { accountedFigure } from './gauges/whole-account.ts'
import { JobAccounts } from './job-accounts.ts'
import type { GpuWatch } from './gpu-watch.ts'
import { JobDevices } from './job-devices.ts'
import { JobFamily } from './job-family.ts'
import type { MachineWatch } from './machine-watch.ts'
import type { Member } from './member.ts'
import { Members } from './members.ts'
import type { Seeker } from './orphans.ts'
import { Pace } from './pace.ts'
import { Plausible } from './plausible.ts'
import type { ProcessReader } from './process-reader.ts'
import { Sampling } from './sampling.ts'
import { gatherUsage, unaskedFigures } from './usage-of-gauges.ts'

/** What a job has in processes and memory is seen if it stands for so long, however far samples are apart. */
const glanceSeconds = 1
/** I/O, high-water marks and the whole machine are looked at no more than once in this time. */
const fullLookSeconds = 1
/** Except in the first second, as long as so few processes make that cheap: short jobs have no other. */
const smallFamily = 8

/** What jobs are followed with. */
export interface MeterTools {
  readonly system: System
  readonly reader: ProcessReader
  readonly machine: MachineWatch
  readonly gpus: GpuWatch
  readonly gauges: readonly Gauge[]
  readonly layout: SampleLayout
}

/** One job being measured. It knows when to look; what there is to see is up to the gauges. */
export class FollowedJob implements SeenJob {
  readonly #system: System
  readonly #request: FollowRequest
  readonly #machine: MachineWatch
  readonly #plausible: Plausible
  readonly #members: Members
  readonly #family: JobFamily
  readonly #cgroup: CgroupReadings
  readonly #accounts = new JobAccounts()
  readonly #job: MeteredJob
  #told: Partial<Record<UsageKey, Measured>> = {}
  readonly #seen: LastSeen = {
    cpuPercent: NaN,
    memoryBytes: NaN,
    oomKills: NaN,
    limitHits: NaN,
  }
  readonly #gauges: readonly FollowedGauge[]
  readonly #unasked: Readonly<Record<string, Measured>>
  readonly #reads: ReadonlySet<SharedReading>
  readonly #sampling: Sampling
  readonly #pace: Pace
  /** Looked at by the timer: measured, or held to a limit. */
  readonly #isWatched: boolean
  readonly #startedAt: number
  #lastReapedSeconds = 0
  #fullLookAt = -Infinity
  #glancedAt: number
  /** The longest time between two looks, glances among them. */
  #unlookedSeconds = 0

  constructor(
    { system, reader, machine, gpus, gauges, layout }: MeterTools,
    request: FollowRequest,
  ) {
    this.#system = system
    this.#request = request
    this.#machine = machine
    this.#startedAt = request.startedAt ?? system.clock.monotonicSeconds()
    const recordedStart =
      request.recordedStart ?? system.clock.wallSeconds() - this.elapsedSeconds()
    this.#plausible = new Plausible(system.host)
    const reads = new Set(gauges.flatMap((gauge) => gauge.reads ?? []))
    this.#reads = reads
    this.#members = new Members(system, reader, this.#plausible, {
      readsIo: reads.has('io'),
      keepsOrphans: request.origin === 'launched' && system.processes.adoptsOrphans,
    })
    this.#cgroup = new CgroupReadings(system, request.cgroup, {
      memory: reads.has('memory'),
      io: reads.has('io'),
      pressure: reads.has('pressure'),
    })
    this.#family = new JobFamily(system, request, this.#members, this.#cgroup)
    const devices = new JobDevices(recordedStart, request.onDevices ?? (() => {}))
    const job: MeteredJob = (this.#job = {
      system,
      request,
      reader,
      machine,
      plausible: this.#plausible,
      members: this.#members,
      cgroup: this.#cgroup,
      accounts: this.#accounts,
      seen: this.#seen,
      devices,
      gpus,
    })
    this.#gauges = gauges.map((gauge) => gauge.follow(job))
    this.#unasked = unaskedFigures(gauges)
    const sink = this.#isMeasured ? request.onSamples : () => {}
    this.#sampling = new Sampling(this.#gauges, layout, recordedStart, sink, devices)
    const { intervalSeconds, memoryLookSeconds = Infinity } = request
    const lookSeconds = Math.min(intervalSeconds ?? Infinity, memoryLookSeconds)
    this.#pace = new Pace(lookSeconds, request.looksEvenly)
    // Of one that was started long ago, nobody has missed a look so far.
    this.#glancedAt = this.elapsedSeconds()
    this.#isWatched = this.#isMeasured || request.memoryLookSeconds !== undefined
    this.#updatePlausible()
    const root = this.#members.add(request.rootPid)
    // posix_spawn returns a moment before the child has let our memory go.
    if (root !== undefined && request.origin === 'launched') root.isOurChild = true
  }

  get #isMeasured(): boolean {
    return this.#request.intervalSeconds !== null
  }

  /** For those who look for its processes. */
  get family(): Seeker {
    return this.#family
  }

  has(pid: number): boolean {
    return this.#family.has(pid)
  }

  elapsedSeconds(): number {
    return this.#system.clock.monotonicSeconds() - this.#startedAt
  }

  get livingProcesses(): number {
    return this.#members.liveProcesses
  }

  get seen(): Readonly<LastSeen> {
    return this.#seen
  }

  /** Its processes that can be signalled: all but those that are dead already. */
  livingPids(): number[] {
    return [...this.#members.byPid.values()].flatMap(({ pid, zombie }) => (zombie ? [] : pid))
  }

  /** By what a process of it can be found again; undefined for one that is not known. */
  identify(pid: number): Pick<Member, 'pid' | 'startTicks' | 'sessionId'> | undefined {
    return this.#members.byPid.get(pid)
  }

  /** When a process of it was last reaped, in seconds since the start. */
  get lastReapedSeconds(): number {
    return this.#lastReapedSeconds
  }

  get samplesTaken(): number {
    return this.#isMeasured ? this.#sampling.taken : 0
  }

  /** Looks that came later than half an interval after they were due. */
  get lateLooks(): number {
    return this.#isMeasured ? this.#pace.late : 0
  }

  /** Its samples, thinned for drawing. */
  get outline(): readonly SampleRow[] {
    return this.#isMeasured ? this.#sampling.outline : []
  }

  /** When the next look or glance is due, in seconds since the start; Infinity for a job that nobody watches. */
  get nextLookSeconds(): number {
    if (!this.#isWatched) return Infinity
    return Math.min(this.#pace.nextAtSeconds, this.#glancedAt + glanceSeconds)
  }

  /** Has the job join a v2 cgroup, which counts from then on. */
  join(enter: () => string | null): void {
    this.#cgroup.join(enter)
  }

  /** Whether its cgroup was still there at the last look. */
  get hasCgroup(): boolean {
    return this.#cgroup.isThere
  }

  /**
   * Takes note of what vanishes with the last process of a container: the CPU time of its cgroup, and the counters of its
   * processes, as long as they are few.
   */
  glimpse(): void {
    this.#updatePlausible()
    this.#cgroup.glimpse()
    if (this.#members.byPid.size <= smallFamily) {
      this.#family.takeListed()
      this.#members.look(true)
    }
    const elapsed = this.elapsedSeconds()
    for (const gauge of this.#gauges) gauge.glimpse?.(elapsed)
  }

  /** The first look. Of processes that were running before, nothing counts that they did until now. */
  begin(): void {
    if (this.#request.origin === 'launched') {
      this.glance()
      return
    }
    if (this.#request.origin === 'running') {
      this.#members.look(true)
      this.#members.countFromHere()
      this.#cgroup.countFromHere()
    }
    this.look()
  }

  /** Has gauges ask for what takes a while to be answered, for a look that is about to come. */
  ask(): void {
    for (const gauge of this.#gauges) gauge.ask?.()
  }

  askIfDue(): void {
    if (this.elapsedSeconds() >= this.nextLookSeconds - 0.001) this.ask()
  }

  /** Nobody of it had run when it was last looked at. */
  get isAsleep(): boolean {
    return this.#members.areAsleep
  }

  /**
   * Looks, or glances, if that is due; gives samples out that would grow too old before the next look. `seek` looks for new
   * processes: where that was left out because all slept, and somebody has run meanwhile.
   */
  lookIfDue(seek?: () => void): void {
    // A timer may fire a fraction of a millisecond before its time.
    const elapsed = this.elapsedSeconds()
    if (elapsed >= this.#pace.nextAtSeconds - 0.001) {
      this.look(false, seek)
      this.#pace.looked(elapsed)
      this.#sampling.handOnBefore(this.#pace.nextAtSeconds)
    } else if (elapsed >= this.nextLookSeconds - 0.001) this.glance(seek)
  }

  /**
   * A quick look at the processes and the CPU time of the cgroup, without a sample: right at the start, because short jobs
   * leave no time for more, and between samples that are far apart, so that what stands for a second is seen.
   */
  glance(seek?: () => void): void {
    this.#noteLook(this.elapsedSeconds())
    this.#updatePlausible()
    this.#seekIfAwake(false, seek)
    // Not at the start: opening the cgroup's files would take longer than many a job.
    const isStart = this.#glancedAt <= glanceSeconds / 2
    if (!isStart) this.#takeUnlisted(seek)
    if (!this.#isLookedAt(seek)) this.#members.look(false, seek !== undefined)
    const elapsed = isStart ? this.#glancedAt : this.#cgroup.read(this.#startedAt, true)
    for (const gauge of this.#gauges) gauge.glance?.(elapsed)
  }

  /** Looks at everything once; a `thorough` look leaves nothing out, however short the last one is ago. */
  look(thorough = false, seek?: () => void): void {
    const began = this.elapsedSeconds()
    this.#noteLook(began)
    const small = this.#members.byPid.size <= smallFamily
    const full =
      thorough ||
      this.#request.looksEvenly === true ||
      (small && began < fullLookSeconds) ||
      began - this.#fullLookAt >= fullLookSeconds * 0.95
    if (full) {
      this.#fullLookAt = began
      if (this.#reads.has('machine')) this.#machine.look()
    }
    this.#updatePlausible()
    this.#seekIfAwake(full, seek)
    if (thorough) this.#family.takeListed()
    else this.#takeUnlisted(seek)
    if (!this.#isLookedAt(seek)) this.#members.look(full, seek !== undefined)
    const elapsed = this.#cgroup.read(this.#startedAt)
    // The gauge of memory, where there is one, knows more, and says so instead.
    this.#seen.oomKills = this.#cgroup.usage.oomKills
    this.#seen.limitHits = this.#cgroup.usage.limitHits
    if (this.#isWatched) this.#sampling.take(elapsed, full)
    this.#request.onLook?.(this)
  }

  /**
   * A process of the job is dead and not yet reaped: its last counters stand for all it waited for. Where it has been
   * reaped already, its account stands for them.
   */
  lookAtEnded(pid: number, account: KernelAccount | null): void {
    const isKnown = this.has(pid)
    this.#updatePlausible()
    this.#members.add(pid)?.rest.ended()
    if (account !== null) this.#members.close(pid, account)
    // A thousand that end at once must not look at each other a million times.
    else if (isKnown && pid !== this.#request.rootPid && this.#members.lookAtOne(pid)) return
    this.#family.takeListed()
    // At all of them, not at this one alone: what its own children left must be settled in the same look.
    this.#members.look(true)
    const main = pid === this.#request.rootPid ? this.#members.byPid.get(pid) : undefined
    if (main !== undefined) for (const gauge of this.#gauges) gauge.mainEnded?.(main)
  }

  retire(pid: number, account: KernelAccount | null): void {
    this.#lastReapedSeconds = this.elapsedSeconds()
    this.#members.retireReaped(pid, account)
    if (account === null) return
    const isRoot = pid === this.#request.rootPid
    this.#accounts.add(account, isRoot)
    for (const gauge of this.#gauges) gauge.reaped?.(account, isRoot)
  }

  /** An orphan has ended, and nothing told whose it was. */
  mayLackOrphan(): void {
    this.#accounts.strayOrphans += 1
  }

  /**
   * The main process was reaped and others go on; this was just looked at. They may be about to end, and all they do counts.
   * If they are left behind, nothing counts that they do from here on.
   */
  outlived(): void {
    for (const gauge of this.#gauges) gauge.outlived?.()
    this.#sampling.hold()
  }

  /** The last look; what is buffered goes out, and what the job used is drawn up. */
  end(durationSeconds: number): Usage {
    this.#updatePlausible()
    this.#members.look(true)
    this.#members.settle()
    this.look(true)
    const leavesProcesses = this.livingPids().length > 0
    this.#sampling.letGo(leavesProcesses)
    this.#sampling.handOn()
    const { root, whole } = this.#accounts
    if (root !== null && whole !== null)
      this.#told = accountFigures(whole, durationSeconds, accountedFigure(this.#job))
    const { blind } = this.#family
    blind.end(this.#system.clock.monotonicSeconds())
    const end: FollowedEnd = {
      durationSeconds,
      blindSeconds: blind.longestSeconds,
      blindInAllSeconds: blind.inAllSeconds,
      unlookedSeconds: this.#unlookedSeconds,
      leavesProcesses,
    }
    return gatherUsage(this.#gauges, end, this.#told, this.#unasked)
  }

  /** What the kernel told of it, known once it has ended, however little of it was looked at. */
  get told(): Partial<Record<UsageKey, Measured>> {
    return this.#told
  }

  close(): void {
    this.#members.release()
    this.#cgroup.close()
  }

  #noteLook(elapsedSeconds: number): void {
    this.#unlookedSeconds = Math.max(this.#unlookedSeconds, elapsedSeconds - this.#glancedAt)
    this.#glancedAt = elapsedSeconds
  }

  /** Of those who all slept: whoever has run meanwhile may have started others, which are to be in the same look. */
  #seekIfAwake(withIo: boolean, seek: (() => void) | undefined): void {
    if (seek === undefined) return
    this.#members.look(withIo)
    if (!this.#members.areAsleep) seek()
  }

  /** Whether that was the look already, and nobody was taken in after it. */
  #isLookedAt(seek: (() => void) | undefined): boolean {
    return seek !== undefined && this.#members.areAsleep
  }

  #takeUnlisted(seek: (() => void) | undefined): void {
    if (this.#isLookedAt(seek)) this.#family.takeUnlistedAsleep()
    else this.#family.takeUnlistedAwake()
  }

  /** Before each look at its processes: what was too much a few seconds ago would be passed over, though true by now. */
  #updatePlausible(): void {
    const { usage } = this.#machine
    const lifetime = this.#request.origin === 'running' ? Infinity : this.elapsedSeconds()
    this.#plausible.update(lifetime, usage.totalMemoryBytes, usage.swapTotalBytes)
  }
}
