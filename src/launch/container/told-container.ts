import { containerColumnNames } from '../../meter/gauges/container/columns.ts'
import { limitFigures } from '../../meter/gauges/container/limits.ts'
import { JobDevices, type JobDevice } from '../../meter/job-devices.ts'
import { atLeast, measured, type Measured } from '../../model/measured.ts'
import { sampleIndex, type SampleRow } from '../../model/sample.ts'
import { emptyUsage, type Usage } from '../../model/usage.ts'
import { throttledPercent } from '../../sensors/cgroup/throttling.ts'
import type { EngineApi } from '../../sensors/container/engine-api.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'
import type { ContainerStats } from '../../sensors/container/stats.ts'
import type { Clock } from '../../system/system.ts'
import type { ContainerFollowing } from './container-following.ts'

/** Enough to draw. */
const mostOutlined = 600
const basis = "the daemon's statistics, about once a second"

/**
 * A container whose cgroup cannot be read here, as its daemon tells of it: one in another pid namespace or in a virtual
 * machine. What is told comes about once a second, and the last of it before its end.
 */
export class ToldContainer {
  readonly lateLooks = 0
  readonly outline: SampleRow[] = []
  readonly seen = { cpuPercent: NaN, memoryBytes: 0 }
  samplesTaken = 0
  readonly #clock: Clock
  readonly #columns: readonly string[]
  readonly #inspected: Inspected
  readonly #following: ContainerFollowing
  readonly #devices: JobDevices
  readonly #device: JobDevice
  readonly #stream: { close(): void }
  #last: ContainerStats | undefined
  #lastAt = NaN
  #memoryPeakBytes = NaN
  #pidsPeak = NaN

  constructor(
    { clock, columns }: { readonly clock: Clock; readonly columns: readonly string[] },
    api: EngineApi,
    inspected: Inspected,
    following: ContainerFollowing,
  ) {
    this.#clock = clock
    this.#columns = columns
    this.#inspected = inspected
    this.#following = following
    this.#devices = new JobDevices(following.recordedStart, following.onDevices)
    this.#device = this.#devices.open({ kind: 'container', id: inspected.id }, containerColumnNames)
    this.#stream = api.stats(
      inspected.id,
      (stats) => this.#take(stats),
      () => {},
    )
  }

  #take(stats: ContainerStats): void {
    const elapsed = this.#clock.monotonicSeconds() - this.#following.startedAt
    if (this.#last !== undefined && elapsed > this.#lastAt)
      this.seen.cpuPercent =
        (100 * (stats.cpuSeconds - this.#last.cpuSeconds)) / (elapsed - this.#lastAt)
    this.seen.memoryBytes = stats.memoryBytes
    this.#last = stats
    this.#lastAt = elapsed
    this.#memoryPeakBytes = Math.max(this.#memoryPeakBytes || 0, stats.memoryBytes)
    this.#pidsPeak = Math.max(this.#pidsPeak || 0, stats.pids || 0)
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
    if (this.outline.length < mostOutlined) this.outline.push(row)
    this.#following.onSamples(row, 1, this.#columns)
  }

  #keepRow(stats: ContainerStats, elapsed: number): void {
    this.#device.values.set([
      stats.cpuSeconds,
      stats.memoryBytes,
      this.#inspected.limits.memoryBytes ?? NaN,
      stats.netReceivedBytes,
      stats.netSentBytes,
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
      containerPidsPeak: atLeast(this.#pidsPeak, basis),
      containerThrottledSeconds: atLeast(stats.throttledSeconds, basis),
      containerThrottledPercent: measured(throttledPercent(stats), basis),
      containerNetReceivedBytes: atLeast(stats.netReceivedBytes, basis),
      containerNetSentBytes: atLeast(stats.netSentBytes, basis),
      containerBlockReadBytes: atLeast(stats.blockReadBytes, basis),
      containerBlockWriteBytes: atLeast(stats.blockWriteBytes, basis),
    }
    return { ...empty, ...figures, ...limitFigures(this.#inspected.limits) }
  }
}
