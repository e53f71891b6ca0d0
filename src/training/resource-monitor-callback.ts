import { whyNot } from '../model/reading.ts'
import { LiveMeter } from '../profile/live-meter.ts'
import { appendText } from '../system/append-file.ts'
import { realClock } from '../system/real-clock.ts'
import { realFiles } from '../system/real-files.ts'
import { realOutput } from '../system/real-output.ts'
import { alertSign, checkAlerts } from './alerts.ts'
import { BatchTimes } from './batch-times.ts'
import { Care } from './care.ts'
import { consoleBlock } from './console-block.ts'
import { EpochCsv } from './epoch-csv.ts'
import { metricsNamed, type Metrics } from './metric-names.ts'
import { settled, type ResourceMonitorSettings } from './options.ts'
import { TrainingMeter, type MeterParts } from './training-meter.ts'

/**
 * All that can be given to a `ResourceMonitorCallback`; every setting has a default.
 *
 * @see ResourceMonitorCallback
 */
export interface ResourceMonitorOptions extends Partial<ResourceMonitorSettings> {
  /** The process that trains, with its descendants; by default this one. */
  readonly pid?: number
  /** Where the console block goes, a few lines at a time; by default standard output. */
  readonly print?: (text: string) => void
  /** Is told what could not be measured or written; by default that is printed. */
  readonly logger?: { readonly warn: (message: string) => void }
  /** Is called with what was seen at each batch that is logged, for a logger of experiments. */
  readonly onMetrics?: (logged: LoggedBatch) => void
}

/**
 * What was seen at a batch that is logged.
 *
 * @see ResourceMonitorCallback
 */
export interface LoggedBatch {
  readonly epoch: number
  readonly batch: number
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly metrics: Metrics
  /** Such as `⚠️ High memory usage: 92.1% (threshold: 90%)`. */
  readonly alerts: readonly string[]
}

/**
 * What an epoch came to.
 *
 * @see ResourceMonitorCallback
 */
export interface EpochSummary {
  readonly epoch: number
  readonly batches: number
  /** `batch_time_mean_ms` and the like, over all batches of the epoch. */
  readonly metrics: Metrics
  /** How many alerts there were. */
  readonly alerts: number
  /** The CSV file; null where none was written. */
  readonly timeseries: string | null
}

/** What the callback is made of; tests give it other parts. */
export interface CallbackParts extends MeterParts {
  print(text: string): void
  readonly csv: (directory: string) => Pick<EpochCsv, 'write' | 'pathOf'>
}

const realParts: CallbackParts = {
  start: (options) => LiveMeter.start(options),
  monotonicSeconds: realClock.monotonicSeconds,
  print: (text) => void realOutput.write(1, text),
  csv: (directory) => new EpochCsv(realFiles, appendText, directory),
}

/**
 * Watches GPUs, CPU, memory and I/O while a model is trained: logs them every so many batches, warns of what holds the training back,
 * and writes them to a CSV file for each epoch. Whatever fails here is told once, and the training goes on.
 *
 * @example
 * ```ts
 * import assert from 'node:assert/strict'
 * import {
 *   ResourceMonitorCallback,
 *   type EpochSummary,
 *   type LoggedBatch,
 *   type ResourceMonitorOptions,
 *   type ResourceMonitorSettings,
 * } from 'jobmeter'
 *
 * const printed: string[] = []
 * const seen: LoggedBatch[] = []
 * const settings: Partial<ResourceMonitorSettings> = { logInterval: 5, exportTimeseries: false }
 * const options: ResourceMonitorOptions = {
 *   ...settings,
 *   print: (text) => printed.push(text),
 *   onMetrics: (logged) => seen.push(logged),
 * }
 * const monitor = new ResourceMonitorCallback(options)
 * await monitor.onTrainStart()
 * monitor.onEpochStart(0)
 * for (let batch = 0; batch < 10; batch += 1) {
 *   monitor.onBatchStart(batch)
 *   Math.hypot(...Array.from({ length: 1000 }, Math.random)) // the training itself
 *   monitor.onBatchEnd(batch)
 * }
 * const epoch: EpochSummary | undefined = monitor.onEpochEnd(0)
 * monitor.onTrainEnd()
 * assert.equal(epoch?.batches, 10)
 * assert.match(printed[1] ?? '', /^\[Resources\] Batch 5:/)
 * assert.deepEqual(seen.map(({ batch }) => batch), [0, 5])
 * ```
 */
export class ResourceMonitorCallback {
  readonly settings: ResourceMonitorSettings
  readonly #options: ResourceMonitorOptions
  readonly #parts: CallbackParts
  readonly #times = new BatchTimes()
  readonly #care: Care
  readonly #meter: TrainingMeter
  #csv: ReturnType<CallbackParts['csv']> | undefined
  #epoch = 0
  #nextEpoch = 0
  #alerts = 0
  #rows = 0

  /** Throws a `RangeError` where an option makes no sense. */
  constructor(options: ResourceMonitorOptions = {}, parts: CallbackParts = realParts) {
    this.settings = settled(options)
    this.#options = options
    this.#parts = parts
    this.#care = new Care((message) => this.#tell(message))
    this.#meter = new TrainingMeter(this.settings, options.pid, parts, this.#care)
  }

  /**
   * Options from YAML, `resource_monitor:` and below it the settings in snake_case. What is wrong is thrown as one error that names each
   * line and column.
   *
   * @example
   * ```ts
   * import { ResourceMonitorCallback } from 'jobmeter'
   *
   * const yaml = 'resource_monitor:\n  log_interval: 5\n  memory_threshold: 0.8\n'
   * const monitor = await ResourceMonitorCallback.fromYaml(yaml)
   * if (monitor.settings.logInterval !== 5) throw new Error('not read')
   * ```
   */
  static async fromYaml(
    text: string,
    fileName = 'resource_monitor.yaml',
    further: ResourceMonitorOptions = {},
  ): Promise<ResourceMonitorCallback> {
    // Most set their options in the program, and reading YAML takes 20 ms to load.
    const { readMonitorYaml } = await import('./monitor-yaml.ts')
    return new ResourceMonitorCallback({ ...readMonitorYaml(text, fileName), ...further })
  }

  get currentEpoch(): number {
    return this.#epoch
  }

  /** Begins to measure. Resolves when it is known which GPUs there are; who does not wait has no figures of them at first. */
  async onTrainStart(): Promise<void> {
    await this.#meter.start()
  }

  /** Without a number, the epoch after the last one. */
  onEpochStart(epoch: number = this.#nextEpoch): void {
    if (!this.#meter.isMeasuring()) return
    this.#epoch = epoch
    this.#nextEpoch = epoch + 1
    this.#alerts = 0
    this.#rows = 0
    this.#times.startEpoch(this.#parts.monotonicSeconds())
  }

  /** Marks where a batch has its data and begins: without it, the time of loading is not known, and counts as the batch's. */
  onBatchStart(_batch?: number): void {
    if (this.#meter.isMeasuring()) this.#times.startBatch(this.#parts.monotonicSeconds())
  }

  /** Logs, at every `logInterval` batches. Answers what was logged. */
  onBatchEnd(batch: number): LoggedBatch | undefined {
    if (!this.#meter.isMeasuring()) return undefined
    this.#times.endBatch(this.#parts.monotonicSeconds())
    return this.onTimedBatch(batch)
  }

  /** For batches that are timed elsewhere: how long each took since the last call. */
  addTimes(batchSeconds: readonly number[], dataSeconds: readonly number[]): void {
    for (const seconds of batchSeconds) this.#times.addBatch(seconds)
    for (const seconds of dataSeconds) this.#times.addData(seconds)
  }

  /** As `onBatchEnd`, for a batch that is timed elsewhere. */
  onTimedBatch(batch: number): LoggedBatch | undefined {
    return this.#meter.isMeasuring() && this.#isDue(batch) ? this.#log(batch) : undefined
  }

  /** Something else than training begins, such as validation: its time does not count as loading of data. */
  onPause(): void {
    this.#times.pause()
  }

  /** Answers what the epoch came to; undefined where nothing is measured. */
  onEpochEnd(epoch: number = this.#epoch): EpochSummary | undefined {
    if (!this.#meter.isRunning) return undefined
    const { batches, metrics } = this.#times.ofEpoch()
    this.#times.pause()
    const timeseries = this.#rows > 0 ? (this.#csv?.pathOf(epoch) ?? null) : null
    return { epoch, batches, metrics, alerts: this.#alerts, timeseries }
  }

  /** Ends the measuring. What is called after it does nothing, until `onTrainStart`. */
  onTrainEnd(): void {
    this.#meter.end()
  }

  /** All that is measured, as of now. Rates count since the last look. */
  getMetrics(): Metrics {
    return this.#meter.look()?.metrics ?? {}
  }

  /** `gpu_0_util` and the like, of all GPUs, as of now. */
  getGpuMetrics(): Metrics {
    return metricsNamed(this.getMetrics(), 'gpu_')
  }

  /** `cpu_percent`, `memory_percent` and the like, as of now. */
  getCpuMemoryMetrics(): Metrics {
    return metricsNamed(this.getMetrics(), 'cpu_', 'memory_')
  }

  /** `io_read_rate_mbps` and the like, as of now. */
  getIoMetrics(): Metrics {
    return metricsNamed(this.getMetrics(), 'disk_', 'io_')
  }

  /** What the settings make of these figures. */
  checkAlerts(metrics: Metrics): string[] {
    return checkAlerts(metrics, this.settings)
  }

  /** Adds a line to the CSV file of the current epoch. */
  exportTimeseries(metrics: Metrics, step: number, timestamp: number = Date.now() / 1000): void {
    if (!this.settings.enabled) return
    this.#care.attempt('the CSV file', () => {
      this.#csv ??= this.#parts.csv(this.settings.timeseriesPath)
      const written = this.#csv.write({ epoch: this.#epoch, step, timestamp, metrics })
      if (written.kind === 'ok') this.#rows += 1
      else this.#care.warn(`not written: ${whyNot(written)}`)
    })
  }

  #isDue(batch: number): boolean {
    return batch % this.settings.logInterval === 0
  }

  #log(batch: number): LoggedBatch | undefined {
    const seen = this.#meter.lookOrRepeat()
    if (seen === undefined) return undefined
    const metrics = { ...seen.metrics, ...this.#times.takeSinceLog() }
    const alerts = this.checkAlerts(metrics)
    this.#alerts += alerts.length
    const { timestamp } = seen
    const logged: LoggedBatch = { epoch: this.#epoch, batch, timestamp, metrics, alerts }
    if (this.settings.exportTimeseries) this.exportTimeseries(metrics, batch, timestamp)
    this.#care.attempt('the console', () => this.#print(consoleBlock(batch, metrics, alerts)))
    this.#care.attempt('onMetrics', () => this.#options.onMetrics?.(logged))
    return logged
  }

  #print(text: string): void {
    ;(this.#options.print ?? this.#parts.print)(text)
  }

  #tell(message: string): void {
    const { logger } = this.#options
    if (logger === undefined) this.#print(`[Resources] ${alertSign}${message}\n`)
    else logger.warn(message)
  }
}
