import { containerUsage } from '../launch/container/container-usage.ts'
import { MeasuredRun } from '../launch/container/measured-run.ts'
import { reachableEngines } from '../launch/container/reachable-engines.ts'
import { Meter } from '../meter/meter.ts'
import { whyNot } from '../model/reading.ts'
import { emptyUsage, type Usage } from '../model/usage.ts'
import type { System } from '../system/system.ts'
import type { Figures } from './live-figures.ts'
import { megabyte } from '../model/bytes.ts'

interface ContainerWatch {
  readonly name: string
  readonly intervalSeconds: number
  readonly startedAt: number
  readonly recordedStart: number
}

const nothing = { cpuPercent: NaN, memoryBytes: NaN }

/** A container that is watched by its name; one that is not there yet is waited for. */
export class LiveContainer {
  readonly #watch: ContainerWatch
  readonly #meter: Meter | undefined
  readonly #run: MeasuredRun | undefined
  readonly #whyNone: string

  constructor(system: System, watch: ContainerWatch) {
    this.#watch = watch
    const apis = reachableEngines(system, process.env)
    this.#whyNone = apis.kind === 'ok' ? '' : whyNot(apis)
    if (apis.kind !== 'ok') return
    // A meter of its own: what is measured of a container does not depend on what was asked for of the process.
    this.#meter = new Meter(system)
    this.#run = new MeasuredRun(
      { system, meter: this.#meter },
      apis.value,
      { name: watch.name },
      {
        ...watch,
        origin: 'either',
        isBackground: true,
        onSamples: () => {},
        onDevices: () => {},
      },
    )
  }

  /** Resolves when the daemon has answered. */
  async ready(): Promise<void> {
    await this.#run?.answered
  }

  /** Adds what it does just now. */
  addTo({ metrics, unavailable }: Figures): void {
    const lately = this.#lately
    const { cpuPercent, memoryBytes } = lately.kind === 'ok' ? lately.value : nothing
    const why = lately.kind === 'ok' ? 'it was looked at only once' : whyNot(lately)
    if (Number.isNaN(cpuPercent)) unavailable['container_cpu_percent'] = why
    else metrics['container_cpu_percent'] = cpuPercent
    // Nothing holds no memory: it has not been looked at yet.
    if (memoryBytes > 0) metrics['container_memory_mb'] = memoryBytes / megabyte
    else unavailable['container_memory_mb'] = why
  }

  get #lately(): MeasuredRun['lately'] {
    return this.#run?.lately ?? { kind: 'unavailable', why: this.#whyNone }
  }

  /** What it used; nothing more is heard of it. */
  finish(durationSeconds: number): Usage {
    const run = this.#run
    const usage = run?.finish(durationSeconds)
    this.#meter?.close()
    return run === undefined || usage === undefined
      ? emptyUsage(run?.why ?? this.#whyNone)
      : containerUsage(run, usage, run.engine, { ...this.#watch, durationSeconds })
  }
}
