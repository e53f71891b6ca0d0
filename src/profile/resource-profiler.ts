import { LiveMeter, type LiveSample } from './live-meter.ts'
import {
  metricsOfSections,
  profileOf,
  profileSections,
  type ProfileSection,
  type ResourceProfile,
} from './resource-profile.ts'
import { TypedEvents } from './typed-events.ts'

/**
 * What a profiler measures, and how often.
 *
 * @see ResourceProfiler
 */
export interface ProfilerOptions {
  /** Time between samples; 0.5 by default. */
  readonly intervalSeconds?: number
  /** The parts of the profile to measure; by default all. Parts that are left out cost nothing and are null. */
  readonly metrics?: readonly ProfileSection[]
  /** The process to profile, with all its descendants; by default this one. */
  readonly pid?: number
}

/**
 * What a profiler tells while it runs, by the names of the events.
 *
 * @see ResourceProfiler
 */
export interface ProfilerEvents {
  readonly start: { readonly containerName: string | null }
  readonly sample: LiveSample
  readonly stop: ResourceProfile
  /** What went wrong, such as a listener that threw. The profiling goes on. */
  readonly problem: string
}

/**
 * Measures a part of a program, and answers a profile of it: CPU, memory, I/O, GPUs and, if one is named, a container. Any
 * number of profilers may run at once. A profiler does not keep the program alive and prints nothing.
 *
 * @example
 * ```ts
 * import {
 *   ResourceProfiler,
 *   type ProfilerEvents,
 *   type ProfilerOptions,
 *   type ProfileSection,
 *   type ResourceProfile,
 * } from 'jobmeter'
 *
 * const metrics: readonly ProfileSection[] = ['process_cpu', 'process_memory', 'io_stats']
 * const options: ProfilerOptions = { intervalSeconds: 0.1, metrics }
 * const profiler = new ResourceProfiler(options)
 * const onStop = (profile: ProfilerEvents['stop']): void => console.log(profile.samples_collected)
 * profiler.on('stop', onStop)
 *
 * profiler.startProfiling()
 * for (let sum = 0, at = 0; at < 1e7; at++) sum += Math.sqrt(at) // your own work
 * const profile: ResourceProfile = profiler.stopProfiling()
 *
 * console.log(`Duration: ${profile.duration_seconds} s`)
 * console.log(`CPU: ${profile.process_cpu.mean_percent} %`)
 * console.log(`Memory peak: ${profile.process_memory.max_mb} MB`)
 * console.log(`I/O: ${profile.io_stats.total_io_mb ?? profile.unavailable.io_stats} MB`)
 * ```
 */
export class ResourceProfiler {
  readonly #options: ProfilerOptions
  readonly #sections: readonly ProfileSection[]
  readonly #metrics: readonly string[]
  readonly #events: TypedEvents<{ readonly [Name in keyof ProfilerEvents]: ProfilerEvents[Name] }>
  #meter: LiveMeter | undefined

  constructor(options: ProfilerOptions = {}) {
    this.#options = options
    this.#sections = options.metrics ?? profileSections
    this.#metrics = metricsOfSections(this.#sections)
    this.#events = new TypedEvents((problem) => this.#events.emit('problem', problem))
  }

  get isProfiling(): boolean {
    return this.#meter !== undefined
  }

  /** Begins at once, and throws if it has begun already. A container is followed beside the process, now or once it is started. */
  startProfiling(containerName?: string): void {
    if (this.#meter !== undefined)
      throw new Error('this profiler is running already; call stopProfiling first, or make another')
    const { intervalSeconds, pid } = this.#options
    const meter = LiveMeter.start({
      ...(intervalSeconds === undefined ? {} : { intervalSeconds }),
      ...(pid === undefined ? {} : { pid }),
      ...(containerName === undefined ? {} : { containerName }),
      metrics: this.#metrics,
      onProblem: (problem) => this.#events.emit('problem', problem),
    })
    meter.onSample((sample) => this.#events.emit('sample', sample))
    this.#meter = meter
    this.#events.emit('start', { containerName: containerName ?? null })
  }

  /** Resolves when the GPUs and the container are found, or known not to be there. It never rejects. */
  async ready(): Promise<void> {
    await this.#meter?.ready()
  }

  /** Looks at once, without waiting for the next sample; throws if it is not running. */
  look(): LiveSample {
    return this.#running().look()
  }

  /** Ends the profiling, and throws if it was not running. */
  stopProfiling(): ResourceProfile {
    const meter = this.#running()
    const profile = profileOf(meter.stop(), this.#sections)
    // A listener of the last sample may have stopped it, and even begun anew.
    if (this.#meter !== meter) return profile
    this.#meter = undefined
    this.#events.emit('stop', profile)
    return profile
  }

  /** Calls back at each event of that name; the answer ends that. */
  on<Name extends keyof ProfilerEvents>(
    name: Name,
    listener: (detail: ProfilerEvents[Name]) => void,
  ): () => void {
    return this.#events.on(name, listener)
  }

  /** Each sample from now on, until `stopProfiling`. */
  [Symbol.asyncIterator](): AsyncIterableIterator<LiveSample> {
    return this.#running()[Symbol.asyncIterator]()
  }

  #running(): LiveMeter {
    if (this.#meter === undefined)
      throw new Error('this profiler is not running; call startProfiling first')
    return this.#meter
  }
}

let shared: ResourceProfiler | undefined

/**
 * The one profiler that all parts of a program share.
 *
 * @example
 * ```ts
 * import { getProfiler } from 'jobmeter'
 *
 * getProfiler().startProfiling()
 * // … anywhere else in the program:
 * console.log(getProfiler().isProfiling) // true
 * const profile = getProfiler().stopProfiling()
 * console.log(profile.cpu.mean_percent, profile.memory.max_used_mb)
 * ```
 */
export function getProfiler(): ResourceProfiler {
  shared ??= new ResourceProfiler()
  return shared
}
