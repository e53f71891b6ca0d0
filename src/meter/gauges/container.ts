import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import { throttledPercent, Throttling } from '../../sensors/cgroup/throttling.ts'
import {
  ContainerFiles,
  type ContainerDirectories,
} from '../../sensors/container/container-cgroup.ts'
import { sharedNetworkWords, type Inspected } from '../../sensors/container/inspected.ts'
import { NetTotals } from '../../sensors/procfs/net-dev.ts'
import type { JobDevice } from '../job-devices.ts'
import { containerColumnNames } from './container/columns.ts'
import { limitFigures } from './container/limits.ts'
import { RuntimeCost } from './container/runtime-cost.ts'
import { containerFigures } from './container/figures.ts'
import type { FollowedGauge, Gauge, KeyOf, MeteredJob } from './gauge.ts'

/** A container that runs, with the place of its cgroup. */
export interface MeasuredContainer {
  readonly inspected: Inspected
  readonly pid: number
  readonly directories: ContainerDirectories
}

const unread = { readBytes: NaN, writeBytes: NaN }

type Key = KeyOf<typeof containerFigures>

/** What a container has besides its processes: limits, throttling, network. At each look, from its cgroup and `/proc`. */
export const containerGauge = (container: MeasuredContainer): Gauge<never, Key> => ({
  name: 'container',
  reads: ['memory', 'io'],
  columns: [],
  figures: containerFigures satisfies readonly FigureDefinition[],
  follow: (job) => new FollowedContainer(job, container),
})

class FollowedContainer implements FollowedGauge<never, Key> {
  readonly #job: MeteredJob
  readonly #container: MeasuredContainer
  readonly #files: ContainerFiles
  readonly #device: JobDevice
  readonly #throttling = new Throttling()
  readonly #network = new NetTotals()
  /** As they were at the first look, of a container that ran before: that is not of the job. */
  #throttlingBefore: Readonly<Throttling> | undefined
  #networkBefore: Readonly<NetTotals> | undefined
  readonly #cost: RuntimeCost
  #memoryPeakBytes = NaN
  #memorySecondsSum = 0
  #memoryBytes = NaN
  #lookedAt = NaN
  #lookedSeconds = 0
  #pidsPeak = NaN
  #blockReadBytes = NaN
  #blockWriteBytes = NaN

  constructor(job: MeteredJob, container: MeasuredContainer) {
    this.#job = job
    this.#container = container
    this.#files = new ContainerFiles(job.system.files, container.directories, container.pid)
    this.#cost = new RuntimeCost(job.reader, job.system.host, container.pid, this.#ranBefore)
    const { id } = container.inspected
    this.#device = job.devices.open({ kind: 'container', id }, containerColumnNames)
  }

  look(_row: Float64Array, _at: object, elapsedSeconds: number, full: boolean): void {
    const { cgroup } = this.#job
    // Of one that has ended nothing can be read: what was last seen stands.
    if (!cgroup.isThere) return
    this.#noteMemory(elapsedSeconds, this.#heldBytes)
    this.#readThrottling()
    const pids = this.#files.readPids()
    if (pids >= 0) this.#pidsPeak = Math.max(this.#pidsPeak || 0, pids)
    if (full) {
      if (!this.#container.inspected.sharesNetwork) this.#readNetwork()
      this.#cost.look()
    }
    this.#noteBlocks()
    this.#keepRow(elapsedSeconds, pids)
  }

  glimpse(elapsedSeconds: number): void {
    const { cgroup, seen } = this.#job
    const bytes = cgroup.glimpsedHeldBytes
    this.#noteMemory(elapsedSeconds, bytes >= 0 ? bytes : seen.memoryBytes)
  }

  get #ranBefore(): boolean {
    return this.#job.request.origin === 'running'
  }

  #readThrottling(): void {
    const now = this.#throttling
    if (!this.#files.readThrottling(now) || !this.#ranBefore) return
    const before = (this.#throttlingBefore ??= Object.assign(new Throttling(), now))
    now.throttledSeconds -= before.throttledSeconds
    now.periods -= before.periods
    now.throttledPeriods -= before.throttledPeriods
  }

  #readNetwork(): void {
    const now = this.#network
    if (!this.#files.readNetwork(now) || !this.#ranBefore) return
    const before = (this.#networkBefore ??= Object.assign(new NetTotals(), now))
    now.receivedBytes -= before.receivedBytes
    now.sentBytes -= before.sentBytes
  }

  /** Without a controller of memory, what its processes hold. */
  get #heldBytes(): number {
    const { cgroup, seen } = this.#job
    return cgroup.heldBytes >= 0 ? cgroup.heldBytes : seen.memoryBytes
  }

  #noteMemory(elapsedSeconds: number, heldBytes: number): void {
    if (Number.isNaN(heldBytes)) return
    const since = elapsedSeconds - this.#lookedAt
    if (since > 0) {
      this.#memorySecondsSum += ((heldBytes + this.#memoryBytes) / 2) * since
      this.#lookedSeconds += since
    }
    this.#lookedAt = elapsedSeconds
    this.#memoryBytes = heldBytes
    this.#memoryPeakBytes = Math.max(this.#memoryPeakBytes || 0, heldBytes)
  }

  /**
   * v1 charges what is written through the page cache to nobody: there the processes' own counters know more than their
   * cgroup.
   */
  #noteBlocks(): void {
    const { cgroup, members } = this.#job
    const { usage } = cgroup
    const own = members.ioReadable ? members.totals() : unread
    const isV1 = this.#blocksByProcesses
    this.#blockReadBytes = isV1 ? Math.max(usage.readBytes || 0, own.readBytes) : usage.readBytes
    this.#blockWriteBytes = isV1
      ? Math.max(usage.writeBytes || 0, own.writeBytes)
      : usage.writeBytes
  }

  get #blocksByProcesses(): boolean {
    return this.#job.cgroup.sensor?.basis.io?.startsWith('cgroup v2') !== true
  }

  #keepRow(elapsedSeconds: number, pids: number): void {
    const { usage } = this.#job.cgroup
    const { limits } = this.#container.inspected
    const values = [
      usage.usageSeconds,
      this.#memoryBytes,
      limits.memoryBytes ?? NaN,
      this.#network.receivedBytes,
      this.#network.sentBytes,
      this.#blockReadBytes,
      this.#blockWriteBytes,
      pids,
      this.#throttling.periods,
      this.#throttling.throttledPeriods,
      this.#throttling.throttledSeconds,
      usage.oomKills,
    ]
    this.#device.values.set(values)
    this.#device.keep(elapsedSeconds)
  }

  figures(): Readonly<Record<Key, Measured>> {
    const { limits, sharesNetwork } = this.#container.inspected
    const { basis } = this.#job.cgroup.sensor ?? {}
    const by = basis?.memory ? 'at the looks, by its cgroup' : 'at the looks, of its processes'
    const blocks = this.#blocksByProcesses
      ? '/proc/PID/io of its processes, which cgroup v1 does not count in full'
      : 'cgroup v2 io.stat'
    const network = (bytes: number): Measured =>
      sharesNetwork
        ? unmeasured(sharedNetworkWords)
        : measured(bytes, '/proc/PID/net/dev of its main process at the last full look')
    const { throttledPeriods, throttledSeconds } = this.#throttling
    const asSet = limitFigures(limits)
    const { containerCpuLimitPercent: cpuLimit } = asSet
    const throttled = (value: number): Measured =>
      cpuLimit.value === null && !(throttledPeriods > 0)
        ? cpuLimit
        : measured(value, "cpu.stat of the container's cgroup")
    return {
      ...asSet,
      containerMemoryPeakBytes: atLeast(this.#memoryPeakBytes, `memory without page cache ${by}`),
      containerMemoryMeanBytes: measured(
        this.#lookedSeconds > 0 ? this.#memorySecondsSum / this.#lookedSeconds : this.#memoryBytes,
        `memory without page cache ${by}`,
      ),
      containerPidsPeak: measured(this.#pidsPeak, 'pids.current of its cgroup at the looks'),
      containerThrottledSeconds: throttled(throttledSeconds),
      containerThrottledPercent: throttled(throttledPercent(this.#throttling)),
      containerNetReceivedBytes: network(this.#network.receivedBytes),
      containerNetSentBytes: network(this.#network.sentBytes),
      containerBlockReadBytes: measured(this.#blockReadBytes, blocks),
      containerBlockWriteBytes: measured(this.#blockWriteBytes, blocks),
      ...this.#cost.figures(),
    }
  }
}
