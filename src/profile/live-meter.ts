import type { FollowedJob } from '../meter/followed-job.ts'
import { Meter } from '../meter/meter.ts'
import { emptyUsage, type Usage } from '../model/usage.ts'
import type { GpuCard } from '../sensors/gpu/gpu-card.ts'
import { backgroundSystem } from '../system/background-system.ts'
import { stayAliveFor } from '../system/stay-alive.ts'
import type { System } from '../system/system.ts'
import { basisOf, LiveFigures } from './live-figures.ts'
import type { LiveContainer } from './live-container.ts'
import { LiveView } from './live-gauge.ts'
import { addCards } from './live-gpus.ts'
import { SampleStream } from './sample-stream.ts'
import { TypedEvents } from './typed-events.ts'
import { wantedMetrics, type WantedMetrics } from './wanted-metrics.ts'

/** The start of a driver takes seconds where no other program has it open. */
const longestReadySeconds = 30

/**
 * What a `LiveMeter` follows, and how. Every option has a sensible default.
 *
 * @see LiveMeter
 */
export interface LiveOptions {
  /** The process to follow, with all its descendants; by default this one. */
  readonly pid?: number
  /** Time between samples; 0.5 by default. With `Infinity` there are none but those that `look` makes. */
  readonly intervalSeconds?: number
  /** What to measure, by the names of metrics or `cpu`, `memory`, `io` and `gpu` for groups of them; by default all. */
  readonly metrics?: readonly string[]
  /** A container of Docker or Podman to follow beside the process, by its name or id; it may be started later. */
  readonly containerName?: string
  /** Is called with what went wrong, such as a listener that threw. It never disturbs the measuring. */
  readonly onProblem?: (problem: string) => void
}

/**
 * What was seen at one moment.
 *
 * @see LiveMeter
 */
export interface LiveSample {
  /** Seconds since 1970. */
  readonly timestamp: number
  /** Since the meter was started, by a clock that never steps. */
  readonly elapsedSeconds: number
  /** Metrics by name. What was not measured is not in it. */
  readonly metrics: Readonly<Record<string, number>>
  /** Why metrics are missing, by name; `gpu` stands for all metrics of GPUs. */
  readonly unavailable: Readonly<Record<string, string>>
  /** How metrics were obtained for which there is more than one way. */
  readonly basis: Readonly<Record<string, string>>
}

/**
 * What was measured from the start of a meter to its end.
 *
 * @see LiveMeter
 */
export interface LiveSummary {
  readonly durationSeconds: number
  readonly intervalSeconds: number
  readonly samplesCollected: number
  /** CPU time, memory and I/O of the process and its descendants, and what the machine and its GPUs did meanwhile. */
  readonly usage: Usage
  /** The same of the container; null where none was asked for. */
  readonly containerUsage: Usage | null
  readonly machineMemoryBytes: number | null
}

/**
 * Follows a process and its descendants, the machine and its GPUs, while the program that asks for it goes on: a sample
 * every half second and whenever `look` is called. It does not keep the program alive, prints nothing, and never throws once
 * it is started.
 *
 * @example
 * ```ts
 * import { LiveMeter, type LiveOptions, type LiveSample, type LiveSummary } from 'jobmeter'
 *
 * const options: LiveOptions = { intervalSeconds: 0.1, metrics: ['cpu', 'memory'] }
 * const meter = LiveMeter.start(options)
 * await meter.ready()
 *
 * const show = ({ metrics }: LiveSample): void => console.log(metrics['memory_process_mb'])
 * const forget = meter.onSample(show)
 * show(meter.look()) // at once, whenever you like
 * forget()
 *
 * const summary: LiveSummary = meter.stop()
 * console.log(summary.durationSeconds, summary.usage.cpuTotalSeconds.value)
 * ```
 *
 * @example Samples as they come
 * ```ts
 * import { setTimeout } from 'node:timers/promises'
 * import { LiveMeter } from 'jobmeter'
 *
 * const meter = LiveMeter.start({ intervalSeconds: 0.05 })
 * const watching = (async () => {
 *   for await (const { elapsedSeconds, metrics, unavailable } of meter)
 *     console.log(elapsedSeconds, metrics['cpu_process_percent'] ?? unavailable['cpu_process_percent'])
 * })()
 * await setTimeout(120) // your own work
 * meter.stop() // ends the loop above
 * await watching
 * ```
 */
export class LiveMeter {
  readonly #meter: Meter
  readonly #view: LiveView
  readonly #wanted: WantedMetrics
  readonly #job: FollowedJob
  readonly #events: TypedEvents<{ readonly sample: LiveSample }>
  readonly #streams = new Set<SampleStream<LiveSample>>()
  readonly #intervalSeconds: number
  readonly #startedAt: number
  /** For samples that come by themselves, and for those that somebody asks for. */
  readonly #regular: LiveFigures
  readonly #asked: LiveFigures
  readonly #containerName: string | undefined
  readonly #containerOpened: Promise<void> | undefined
  #container: LiveContainer | undefined
  #isBusy = true
  #sampledAt = 0
  #samples = 0
  #summary: LiveSummary | undefined

  /** Throws where there is no such process or metric. */
  static start(options: LiveOptions = {}): LiveMeter {
    return new LiveMeter(backgroundSystem(), options)
  }

  /** On another machine than this one; `start` is for this one. */
  constructor(system: System, options: LiveOptions = {}) {
    const { pid = system.processes.self, intervalSeconds = 0.5, metrics, onProblem } = options
    if (!(intervalSeconds >= 0.01))
      throw new RangeError(`intervalSeconds must be 0.01 or more, not ${intervalSeconds}`)
    this.#wanted = wantedMetrics(metrics)
    // Signal 0 to process 0 or below is one to a group of processes, and so seems to arrive.
    if (!(pid > 0 && system.processes.exists(pid)))
      throw new RangeError(`there is no process ${pid}`)
    this.#intervalSeconds = intervalSeconds
    this.#events = new TypedEvents(onProblem ?? (() => {}))
    this.#view = new LiveView(this.#wanted.readsMachine)
    this.#meter = new Meter(system, this.#wanted.gauges)
    this.#startedAt = system.clock.wallSeconds()
    this.#job = this.#meter.follow(
      {
        rootPid: pid,
        intervalSeconds,
        looksEvenly: true,
        watchesAllCards: true,
        mark: null,
        cgroup: null,
        origin: 'running',
        recordedStart: this.#startedAt,
        launcherBytes: 0,
        onSamples: () => {},
        onLook: () => this.#looked(),
      },
      [this.#view.gauge],
    )
    this.#regular = new LiveFigures(this.#wanted.metrics, this.#view.now)
    this.#asked = new LiveFigures(this.#wanted.metrics, this.#view.now)
    if (this.#wanted.readsCards) this.#view.lookAtCards()
    this.#containerName = options.containerName
    if (options.containerName !== undefined)
      this.#containerOpened = this.#openContainer(system, options.containerName)
    this.#isBusy = false
  }

  /**
   * Resolves when it is known which GPUs there are, which takes up to a second where there are some, and whether the
   * container is there; after 30 s in any case, because a driver may hang. Until then samples have no metrics of them, and
   * the program stays alive. It never rejects.
   */
  ready(): Promise<void> {
    return stayAliveFor(this.#found(), longestReadySeconds)
  }

  /** Looks at once. What was read and written, and rates, count from the last call, or from the start. */
  look(): LiveSample {
    if (this.#summary === undefined) this.#unheard(() => this.#meter.lookAt(this.#job))
    return this.#sample(this.#asked)
  }

  /** Calls back with each sample, every `intervalSeconds`; the answer ends that. */
  onSample(listener: (sample: LiveSample) => void): () => void {
    return this.#events.on('sample', listener)
  }

  /** Each sample from now on, until `stop`. Who is slow gets the last 1,000 of those that were missed. */
  [Symbol.asyncIterator](): AsyncIterableIterator<LiveSample> {
    const stream = new SampleStream<LiveSample>(() => void this.#streams.delete(stream))
    if (this.#summary === undefined) this.#streams.add(stream)
    else stream.end()
    return stream
  }

  /** Ends the measuring. A second call answers the same. */
  stop(): LiveSummary {
    if (this.#summary !== undefined) return this.#summary
    const durationSeconds = this.#job.elapsedSeconds()
    const usage = this.#unheard(() => this.#meter.finish(this.#job, durationSeconds))
    const rest = durationSeconds - this.#sampledAt
    // Of a short time there would be no sample at all.
    const isDue = this.#samples === 0 || rest >= this.#intervalSeconds / 2
    const last = isDue ? this.#nextSample() : undefined
    const containerUsage =
      this.#containerName === undefined
        ? null
        : (this.#container?.finish(durationSeconds) ??
          emptyUsage('the measuring ended before the container could be looked for'))
    const machineMemoryBytes = this.#meter.machineMemoryBytes()
    this.#meter.close()
    this.#summary = {
      durationSeconds,
      intervalSeconds: this.#intervalSeconds,
      samplesCollected: this.#samples,
      usage,
      containerUsage,
      machineMemoryBytes,
    }
    // Only now: a listener may call this very method.
    if (last !== undefined) this.#handOut(last)
    for (const stream of this.#streams) stream.end()
    return this.#summary
  }

  async #found(): Promise<void> {
    if (this.#wanted.readsCards && this.#summary === undefined) await this.#meter.gpusFound()
    await this.#containerOpened
    await this.#container?.ready()
  }

  /** Loaded only here: few need it. */
  async #openContainer(system: System, name: string): Promise<void> {
    const startedAt = system.clock.monotonicSeconds()
    try {
      const { LiveContainer } = await import('./live-container.ts')
      if (this.#summary !== undefined) return
      this.#container = new LiveContainer(system, {
        name,
        intervalSeconds: this.#intervalSeconds,
        startedAt,
        recordedStart: this.#startedAt,
      })
    } catch (error) {
      this.#events.report(`container ${name} cannot be followed: ${String(error)}`)
    }
  }

  #looked(): void {
    if (!this.#isBusy) this.#handOut(this.#nextSample())
  }

  /** Does that without a regular sample. */
  #unheard<T>(work: () => T): T {
    this.#isBusy = true
    try {
      return work()
    } finally {
      this.#isBusy = false
    }
  }

  #nextSample(): LiveSample {
    this.#samples += 1
    this.#sampledAt = this.#view.now.elapsedSeconds
    return this.#sample(this.#regular)
  }

  #handOut(sample: LiveSample): void {
    for (const stream of this.#streams) stream.push(sample)
    this.#events.emit('sample', sample)
  }

  #cards(): readonly GpuCard[] | string {
    return this.#summary === undefined ? this.#view.lookAtCards() : 'the meter was stopped'
  }

  #sample(caller: LiveFigures): LiveSample {
    const { now } = this.#view
    const figures = caller.take(now)
    if (this.#wanted.readsCards)
      addCards(figures, this.#cards(), (name) => this.#wanted.wantsCard(name))
    this.#container?.addTo(figures)
    return {
      timestamp: this.#startedAt + now.elapsedSeconds,
      elapsedSeconds: now.elapsedSeconds,
      ...figures,
      basis: basisOf(now),
    }
  }
}
