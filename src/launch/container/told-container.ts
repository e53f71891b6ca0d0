import type { LastSeen } from '../../meter/follow-request.ts'
import { containerColumnNames } from '../../meter/gauges/container/columns.ts'
import { limitFigures } from '../../meter/gauges/container/limits.ts'
import { JobDevices, type JobDevice } from '../../meter/job-devices.ts'
import { Outline } from '../../meter/outline.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import { sampleIndex, type SampleRow } from '../../model/sample.ts'
import { emptyUsage, type Usage } from '../../model/usage.ts'
import { throttledPercent } from '../../sensors/cgroup/throttling.ts'
import type { EngineApi } from '../../sensors/container/engine-api.ts'
import { sharedNetworkWords, type Inspected } from '../../sensors/container/inspected.ts'
import type { ContainerStats } from '../../sensors/container/stats.ts'
import type { Listening } from '../../system/api-socket.ts'
import type { Clock, System } from '../../system/system.ts'
import type { SettledFollowing } from './container-following.ts'
import { PlausibleStats } from './plausible-stats.ts'

/** Daemons tell about once a second. One that tells without a pause would fill the disk. */
const leastSeconds = 0.25
const basis = "the daemon's statistics, about once a second"

/** After so long without a word, what was told last is not what it does now: the daemon may be frozen. */
const longestSilence = 10
/** Daemons count neither kills nor how often the limit was met. */
const nothingSeen: Readonly<LastSeen> = {
  cpuPercent: NaN,
  memoryBytes: NaN,
  oomKills: NaN,
  limitHits: NaN,
}

/**
 * A container whose cgroup cannot be read here, as its daemon tells of it: one in another pid namespace or in a virtual
 * machine. What is told comes about once a second, and the last of it before its end.
 */
export class ToldContainer {
  readonly lateLooks = 0
  readonly #seen: LastSeen = { ...nothingSeen }
  samplesTaken = 0
  readonly #clock: Clock
  readonly #plausible: PlausibleStats
  readonly #columns: readonly string[]
  readonly #outline: Outline
  readonly #inspected: Inspected
  readonly #following: SettledFollowing
  readonly #devices: JobDevices
  readonly #device: JobDevice
  readonly #stream: Listening
  /** Of one that was running before, the first that was told: what it had done until then does not count. */
  #base: ContainerStats | undefined
  #last: ContainerStats | undefined
  #lastAt = NaN
  #heardAt = NaN
  #memoryPeakBytes = NaN
  #pidsPeak = NaN
  readonly #openedAt: number
  #isLost = false

  constructor(
    { clock, host }: Pick<System, 'clock' | 'host'>,
    {
      columns,
      memoryBytes,
    }: { readonly columns: readonly string[]; readonly memoryBytes: number | null },
    api: Pick<EngineApi, 'stats'>,
    inspected: Inspected,
    following: SettledFollowing,
  ) {
    this.#clock = clock
    this.#plausible = new PlausibleStats(host, memoryBytes)
    this.#columns = columns
    this.#outline = new Outline(columns.length)
    this.#inspected = inspected
    this.#following = following
    this.#devices = new JobDevices(following.recordedStart, following.onDevices)
    this.#device = this.#devices.open({ kind: 'container', id: inspected.id }, containerColumnNames)
    this.#openedAt = this.#elapsed()
    this.#stream = api.stats(
      inspected.id,
      () => !(this.#elapsed() - this.#heardAt < leastSeconds),
      (stats) => this.#take(stats),
      () => {
        this.#isLost = true
      },
    )
    if (following.isBackground === true) this.#stream.unref()
  }

  get outline(): readonly SampleRow[] {
    return this.#outline.rows
  }

  get seen(): Readonly<LastSeen> {
    return this.whyUnheard === null ? this.#seen : nothingSeen
  }

  /** Why its daemon tells nothing of it at present; null while it does. */
  get whyUnheard(): string | null {
    if (this.#isLost) return 'its daemon no longer tells what it does'
    const silentSeconds = this.#elapsed() - (this.#heardAt || this.#openedAt)
    return silentSeconds < longestSilence
      ? null
      : `its daemon has not told what it does for ${Math.floor(silentSeconds)} s`
  }

  #elapsed(): number {
    return this.#clock.monotonicSeconds() - this.#following.startedAt
  }

  #take(told: ContainerStats): void {
    const elapsed = this.#elapsed()
    this.#heardAt = elapsed
    // The counters are the container's own, which may be older than the job if it was not started for it.
    const isOlder = this.#following.origin === 'running'
    const age = isOlder ? this.#clock.wallSeconds() - (this.#inspected.startedAt ?? NaN) : 0
    if (!this.#plausible.allows(told, Math.max(elapsed, age || 0))) return
    if (this.#following.origin === 'running') this.#base ??= told
    const stats = this.#base === undefined ? told : grownSince(this.#base, told)
    if (this.#last !== undefined && elapsed > this.#lastAt)
      this.#seen.cpuPercent =
        (100 * (stats.cpuSeconds - this.#last.cpuSeconds)) / (elapsed - this.#lastAt)
    this.#seen.memoryBytes = stats.memoryBytes
    this.#last = stats
    this.#lastAt = elapsed
    this.#memoryPeakBytes = Math.max(this.#memoryPeakBytes || 0, stats.memoryBytes)
    if (stats.pids >= 0) this.#pidsPeak = Math.max(this.#pidsPeak || 0, stats.pids)
    this.#keepSample(stats, elapsed)
    this.#keepRow(stats, elapsed)
  }

  #keepSample(stats: ContainerStats, elapsed: number): void {
    const row = new Float64Array(this.#columns.length).fill(NaN)
    row[sampleIndex.timestamp] = this.#following.recordedStart + elapsed
    row[sampleIndex.elapsed_seconds] = elapsed
    row[sampleIndex.cpu_user_seconds] = stats.userSeconds
    row[sampleIndex.cpu_system_seconds] = stats.systemSeconds
    row[sampleIndex.memory_bytes] = stats.memoryBytes
    this.samplesTaken += 1
    this.#outline.add(row)
    this.#following.onSamples(row, 1, this.#columns)
  }

  #keepRow(stats: ContainerStats, elapsed: number): void {
    this.#device.values.set([
      stats.cpuSeconds,
      stats.memoryBytes,
      this.#inspected.limits.memoryBytes ?? NaN,
      this.#inspected.hasNetwork ? stats.netReceivedBytes : 0,
      this.#inspected.hasNetwork ? stats.netSentBytes : 0,
      stats.blockReadBytes,
      stats.blockWriteBytes,
      stats.pids,
      stats.periods,
      stats.throttledPeriods,
      stats.throttledSeconds,
    ])
    this.#device.keep(elapsed)
    this.#devices.handOn()
  }

  /** Nothing more is heard after it. */
  finish(durationSeconds: number): Usage {
    this.#stream.close()
    const stats = this.#last
    const empty = emptyUsage('the cgroup of the container cannot be read here')
    if (stats === undefined)
      return emptyUsage('it had ended before its daemon told of what it used')
    const figures: Record<string, Measured> = {
      cpuUserSeconds: atLeast(stats.userSeconds, basis),
      cpuSystemSeconds: atLeast(stats.systemSeconds, basis),
      cpuTotalSeconds: atLeast(stats.cpuSeconds, basis),
      cpuPercentMean: atLeast((100 * stats.cpuSeconds) / durationSeconds, basis),
      memoryPeakBytes: atLeast(this.#memoryPeakBytes, basis),
      containerMemoryPeakBytes: atLeast(this.#memoryPeakBytes, basis),
      containerPidsPeak: told(this.#pidsPeak),
      containerThrottledSeconds: told(stats.throttledSeconds),
      containerThrottledPercent: measured(throttledPercent(stats), basis),
      containerNetReceivedBytes: this.#network(stats.netReceivedBytes),
      containerNetSentBytes: this.#network(stats.netSentBytes),
      containerBlockReadBytes: told(stats.blockReadBytes),
      containerBlockWriteBytes: told(stats.blockWriteBytes),
    }
    return { ...empty, ...figures, ...limitFigures(this.#inspected.limits) }
  }

  #network(bytes: number): Measured {
    const { sharesNetwork, hasNetwork } = this.#inspected
    if (sharesNetwork) return unmeasured(sharedNetworkWords)
    return hasNetwork ? told(bytes) : measured(0, 'it has no network')
  }
}

/** Its counters since then; memory and pids are as they are now. */
function grownSince(base: ContainerStats, now: ContainerStats): ContainerStats {
  const grown = (key: keyof ContainerStats): number => Math.max(0, now[key] - base[key])
  return {
    cpuSeconds: grown('cpuSeconds'),
    userSeconds: grown('userSeconds'),
    systemSeconds: grown('systemSeconds'),
    memoryBytes: now.memoryBytes,
    pids: now.pids,
    throttledSeconds: grown('throttledSeconds'),
    throttledPeriods: grown('throttledPeriods'),
    periods: grown('periods'),
    netReceivedBytes: grown('netReceivedBytes'),
    netSentBytes: grown('netSentBytes'),
    blockReadBytes: grown('blockReadBytes'),
    blockWriteBytes: grown('blockWriteBytes'),
  }
}

const told = (value: number): Measured =>
  Number.isNaN(value) ? unmeasured('the daemon does not tell') : atLeast(value, basis)
