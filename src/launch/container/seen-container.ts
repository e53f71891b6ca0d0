import type { FollowedJob } from '../../meter/followed-job.ts'
import type { LastSeen } from '../../meter/follow-request.ts'
import { containerGauge } from '../../meter/gauges/container.ts'
import type { Meter } from '../../meter/meter.ts'
import type { Usage } from '../../model/usage.ts'
import {
  findContainerCgroup,
  type ContainerDirectories,
} from '../../sensors/container/container-cgroup.ts'
import type { EngineApi } from '../../sensors/container/engine-api.ts'
import type { Inspected } from '../../sensors/container/inspected.ts'
import { isZombie } from '../../sensors/procfs/stat.ts'
import type { System } from '../../system/system.ts'
import type { SettledFollowing } from './container-following.ts'
import { ToldContainer } from './told-container.ts'

/**
 * A runtime removes the cgroup of a container 5 to 50 ms after its main process has ended, and with it all that the kernel
 * counted. So it is glimpsed at between looks, which takes 0.4 ms: after each hundredth of its age, so that no more than
 * that can be missed, but neither more often than is worth it nor so seldom that its end is seen late.
 */
const glimpses = { shareOfAge: 0.01, leastSeconds: 0.02, mostSeconds: 0.25 } as const

/** What measures a container. */
export interface ContainerTools {
  readonly system: System
  readonly meter: Meter
}

/** What is seen of a container from one look to the next. */
export type ContainerSight = Pick<FollowedJob, 'samplesTaken' | 'lateLooks' | 'outline'> & {
  readonly seen: Readonly<LastSeen>
}

/** A container as it is measured while it runs. */
export interface SeenContainer {
  readonly sight: ContainerSight
  /** How long before its end its CPU time was last read, at most; 0 where it was read after the end. */
  readonly missedSeconds: number
  /** Whether its main process is there; null where that cannot be seen from here. */
  readonly isAlive: boolean | null
  /** Why nothing more is seen of it; null while something is. */
  readonly whyUnseen: string | null
  /** Nothing more is read after it. */
  close(): void
  finish(durationSeconds: number): Usage
}

/** Begins to measure a container: by its cgroup, or, where that cannot be read, as its daemon tells. */
export function seeContainer(
  tools: ContainerTools,
  api: EngineApi,
  { inspected, pid }: { readonly inspected: Inspected; readonly pid: number },
  following: SettledFollowing & { readonly intervalSeconds: number },
  onGone: () => void,
): SeenContainer {
  const found = findContainerCgroup(tools.system.files, pid, inspected.id)
  if (found.kind === 'ok')
    return new LocalContainer(
      tools,
      { inspected, pid, directories: found.value },
      following,
      onGone,
    )
  const { system, meter } = tools
  const machine = { columns: meter.columns, memoryBytes: meter.machineMemoryBytes() }
  const told = new ToldContainer(system, machine, api, inspected, following)
  return {
    sight: told,
    missedSeconds: NaN,
    isAlive: null,
    get whyUnseen() {
      return told.whyUnheard
    },
    close: () => {},
    finish: (durationSeconds) => told.finish(durationSeconds),
  }
}

/** A container whose cgroup and processes are read on this machine. */
class LocalContainer implements SeenContainer {
  readonly sight: FollowedJob
  readonly #tools: ContainerTools
  readonly #onGone: () => void
  readonly #pid: number
  readonly #startTicks: number | undefined
  readonly #foundAt: number
  #glimpsedAt: number
  #stopGlimpses: () => void = () => {}
  #missedSeconds = Infinity

  constructor(
    tools: ContainerTools,
    container: {
      readonly inspected: Inspected
      readonly pid: number
      readonly directories: ContainerDirectories
    },
    following: SettledFollowing & { readonly intervalSeconds: number },
    onGone: () => void,
  ) {
    const { system, meter } = tools
    this.#tools = tools
    this.#onGone = onGone
    this.#pid = container.pid
    this.sight = meter.follow(
      {
        rootPid: container.pid,
        intervalSeconds: following.intervalSeconds,
        mark: null,
        cgroup: {
          ...container.directories,
          joinsLater: false,
          launcherCpuSeconds: 0,
          hadRuntime: true,
        },
        origin: following.origin,
        startedAt: following.startedAt,
        recordedStart: following.recordedStart,
        launcherBytes: 0,
        onSamples: following.onSamples,
        onDevices: following.onDevices,
      },
      [containerGauge(container)],
    )
    this.#foundAt = this.#glimpsedAt = system.clock.monotonicSeconds()
    this.#startTicks = meter.identify(container.pid)?.startTicks
    this.#glimpseLater()
  }

  get missedSeconds(): number {
    return this.#missedSeconds
  }

  get isAlive(): boolean {
    const now = this.#tools.meter.identify(this.#pid)
    return now !== undefined && now.startTicks === this.#startTicks && !isZombie(now)
  }

  get whyUnseen(): string | null {
    return this.isAlive ? null : 'its main process has ended'
  }

  close(): void {
    this.#stopGlimpses()
    // It ended since the last glimpse, and nothing of it is left to look at.
    if (this.#missedSeconds === Infinity)
      this.#missedSeconds = this.#tools.system.clock.monotonicSeconds() - this.#glimpsedAt
  }

  finish(durationSeconds: number): Usage {
    return this.#tools.meter.finish(this.sight, durationSeconds)
  }

  #glimpseLater(): void {
    const { clock } = this.#tools.system
    const ageSeconds = clock.monotonicSeconds() - this.#foundAt
    const { shareOfAge, leastSeconds, mostSeconds } = glimpses
    const wait = Math.min(mostSeconds, Math.max(leastSeconds, ageSeconds * shareOfAge))
    this.#stopGlimpses = clock.after(wait, () => this.#glimpse())
  }

  #glimpse(): void {
    const before = this.#glimpsedAt
    this.sight.glimpse()
    this.#glimpsedAt = this.#tools.system.clock.monotonicSeconds()
    if (this.isAlive) {
      this.#glimpseLater()
      return
    }
    this.sight.look(true)
    this.#missedSeconds = this.sight.hasCgroup ? 0 : this.#glimpsedAt - before
    this.#onGone()
  }
}
