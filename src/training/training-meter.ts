import type { LiveMeter, LiveOptions, LiveSample } from '../profile/live-meter.ts'
import { wordsOf, type Care } from './care.ts'
import { metricsNamed } from './metric-names.ts'
import type { ResourceMonitorSettings } from './options.ts'
import { SensorWarnings } from './sensor-warnings.ts'

type Meter = Pick<LiveMeter, 'look' | 'ready' | 'stop'>

export interface MeterParts {
  start(options: LiveOptions): Meter
  monotonicSeconds(): number
}

/**
 * A look costs half a millisecond, and more than twice that where others crowd the machine: a loop of 10 ms batches that looked at
 * every tenth paid 1.3 % for it there.
 */
const closestLooksSeconds = 0.5

/** The meter of a training: begins with its first use, and ends with the training. */
export class TrainingMeter {
  readonly #settings: ResourceMonitorSettings
  readonly #pid: number | undefined
  readonly #parts: MeterParts
  readonly #care: Care
  readonly #warnings: SensorWarnings
  #meter: Meter | undefined
  #last: { readonly at: number; readonly sample: LiveSample } | undefined
  #isStarted = false
  #isEnded = false

  constructor(
    settings: ResourceMonitorSettings,
    pid: number | undefined,
    parts: MeterParts,
    care: Care,
  ) {
    this.#settings = settings
    this.#pid = pid
    this.#parts = parts
    this.#care = care
    this.#warnings = new SensorWarnings((message) => care.warn(message))
  }

  get isRunning(): boolean {
    return this.#meter !== undefined
  }

  /** Begins if it has not yet; false where there is nothing to measure, or no way to. */
  isMeasuring(): boolean {
    return this.#started() !== undefined
  }

  /** Begins, after an end too. Resolves when it is known which GPUs there are. */
  async start(): Promise<void> {
    this.#isEnded = false
    const meter = this.#started()
    try {
      await meter?.ready()
    } catch (error) {
      this.#care.warn(`GPUs: ${wordsOf(error)}`)
    }
  }

  end(): void {
    this.#isEnded = true
    const meter = this.#meter
    this.#meter = undefined
    this.#last = undefined
    this.#isStarted = false
    this.#warnings.tellRest()
    this.#care.attempt('the end of the measuring', () => meter?.stop())
  }

  /**
   * What was seen a moment ago is repeated, but for what was read and written since, which would count twice. The first looks of all have
   * no rates yet, and are not worth repeating.
   */
  lookOrRepeat(): Pick<LiveSample, 'timestamp' | 'metrics'> | undefined {
    const now = this.#parts.monotonicSeconds()
    const last = this.#last
    const isWhole = (last?.sample.elapsedSeconds ?? 0) >= closestLooksSeconds
    if (last !== undefined && isWhole && now - last.at < closestLooksSeconds)
      return {
        timestamp: last.sample.timestamp + now - last.at,
        metrics: metricsNamed(last.sample.metrics, 'gpu_', 'cpu_', 'memory_', 'io_'),
      }
    const sample = this.look()
    this.#last = sample === undefined ? undefined : { at: now, sample }
    return sample
  }

  look(): LiveSample | undefined {
    return this.#care.attempt('the measuring', () => {
      const sample = this.#started()?.look()
      if (sample !== undefined) this.#warnings.take(sample)
      return sample
    })
  }

  /** The meter; undefined where nothing is to be measured, or it could not be started, which is tried once. */
  #started(): Meter | undefined {
    if (this.#isStarted || this.#isEnded || !this.#settings.enabled) return this.#meter
    this.#isStarted = true
    const { gpuMonitoring, cpuMonitoring, ioMonitoring } = this.#settings
    const pid = this.#pid
    this.#meter = this.#care.attempt('the measuring', () =>
      this.#parts.start({
        ...(pid === undefined ? {} : { pid }),
        // Every look is asked for by a batch.
        intervalSeconds: Infinity,
        metrics: [
          ...(gpuMonitoring ? ['gpu'] : []),
          ...(cpuMonitoring ? ['cpu', 'memory'] : []),
          ...(ioMonitoring ? ['io'] : []),
        ],
        onProblem: (problem) => this.#care.warn(problem),
      }),
    )
    return this.#meter
  }
}
