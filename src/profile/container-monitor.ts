import type { ContainerInfo } from './container-info.ts'
import type { LiveSample } from './live-meter.ts'
import type { ResourceProfile } from './resource-profile.ts'
import { ResourceProfiler, type ProfilerEvents, type ProfilerOptions } from './resource-profiler.ts'

/**
 * Measures a container of Docker or Podman by its name, as `ResourceProfiler` measures a process. The container may run
 * already or be started later.
 *
 * @example
 * ```ts
 * import { ContainerResourceMonitor, type ContainerInfo } from 'jobmeter'
 *
 * const monitor = new ContainerResourceMonitor('solver')
 * monitor.startMonitoring()
 * await monitor.ready()
 * // … the container works …
 * const profile = monitor.stopMonitoring()
 * const { cpu_percent: cpu, memory_usage: memory } = profile.container_stats
 * console.log(cpu === undefined ? profile.unavailable.container_stats : `${cpu} %, ${memory}`)
 *
 * const describe = ({ image, running, limits }: ContainerInfo): string =>
 *   `${image}, ${running ? 'running' : 'ended'}, limit ${limits.memory_mb ?? 'none'}`
 * console.log(await monitor.getContainerInfo().then(describe, (error: Error) => error.message))
 * ```
 */
export class ContainerResourceMonitor {
  readonly containerName: string
  readonly #profiler: ResourceProfiler

  constructor(containerName: string, options: ProfilerOptions = {}) {
    this.containerName = containerName
    this.#profiler = new ResourceProfiler(options)
  }

  /** Begins at once. A container that does not run yet is followed from the moment it is started. */
  startMonitoring(): void {
    this.#profiler.startProfiling(this.containerName)
  }

  /** Resolves when the daemon of containers has answered, or there is none. It never rejects. */
  ready(): Promise<void> {
    return this.#profiler.ready()
  }

  /** A profile with `container_stats`; where these are empty, `unavailable.container_stats` says why. */
  stopMonitoring(): ResourceProfile {
    return this.#profiler.stopProfiling()
  }

  /** Asks the daemon; rejects if there is none or it knows no such container. */
  async getContainerInfo(): Promise<ContainerInfo> {
    const { containerInfo } = await import('./container-info.ts')
    return containerInfo(this.containerName)
  }

  /** Calls back at each event of that name; the answer ends that. */
  on<Name extends keyof ProfilerEvents>(
    name: Name,
    listener: (detail: ProfilerEvents[Name]) => void,
  ): () => void {
    return this.#profiler.on(name, listener)
  }

  /** Each sample from now on, until `stopMonitoring`. */
  [Symbol.asyncIterator](): AsyncIterableIterator<LiveSample> {
    return this.#profiler[Symbol.asyncIterator]()
  }
}
