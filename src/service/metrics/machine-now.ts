import type { DeviceMetrics, GpuMetrics, NodeMetrics } from '../../model/metric-facts.ts'
import type { GpuCard, GpuSource } from '../../sensors/gpu/gpu-card.ts'
import { presentSources } from '../../sensors/gpu/present-sources.ts'
import { MachineSensor, MachineUsage } from '../../sensors/machine-sensor.ts'
import { Loadavg, parseLoadavg } from '../../sensors/procfs/loadavg.ts'
import { ReadBuffer } from '../../sensors/read-buffer.ts'
import type { System } from '../../system/system.ts'

/** Whoever asks again sooner gets the same answer: rates over less time tell little. */
const leastSeconds = 1

/** This machine, where no agent keeps rounds of it. Rates are of the time between two looks. */
export class MachineNow {
  readonly #system: System
  readonly #sensor: MachineSensor
  readonly #buffer = new ReadBuffer()
  readonly #loadavg = new Loadavg()
  #sources: Promise<readonly GpuSource[]> | undefined
  #before = new MachineUsage()
  #lookedAt: number
  #last: NodeMetrics | undefined

  constructor(system: System) {
    this.#system = system
    this.#sensor = new MachineSensor(system)
    this.#sensor.read(this.#before)
    this.#lookedAt = system.clock.monotonicSeconds()
  }

  async look(): Promise<NodeMetrics> {
    this.#sources ??= presentSources(this.#system)
    const sources = await this.#sources
    const now = this.#system.clock.monotonicSeconds()
    const seconds = now - this.#lookedAt
    if (this.#last !== undefined && seconds < leastSeconds) return this.#last
    const usage = new MachineUsage()
    this.#sensor.read(usage)
    this.#last = this.#told(usage, seconds, sources.flatMap(cardsOf))
    this.#before = usage
    this.#lookedAt = now
    return this.#last
  }

  close(): void {
    this.#sensor.close()
    void closeAll(this.#sources)
  }

  #told(usage: MachineUsage, seconds: number, gpus: readonly GpuMetrics[]): NodeMetrics {
    const rate = (name: keyof MachineUsage): number | null =>
      known((usage[name] - this.#before[name]) / seconds)
    const devices = (
      inside: 'diskReadBytes' | 'netReceivedBytes',
      outside: 'diskWriteBytes' | 'netSentBytes',
    ): DeviceMetrics[] => [
      {
        device: 'all',
        inBytesPerSecond: rate(inside),
        outBytesPerSecond: rate(outside),
        inBytes: known(usage[inside]),
        outBytes: known(usage[outside]),
      },
    ]
    return {
      host: this.#system.host.name,
      roundAgeSeconds: null,
      cores: this.#system.host.onlineCores,
      busyCores: rate('busySeconds'),
      ioWaitCores: rate('ioWaitSeconds'),
      cpuSeconds: {
        busy: known(usage.busySeconds),
        ioWait: known(usage.ioWaitSeconds),
        idle: known(usage.idleSeconds),
      },
      load: this.#load(),
      memoryBytes: known(usage.usedMemoryBytes),
      memorySizeBytes: known(usage.totalMemoryBytes),
      swapBytes: known(usage.swapTotalBytes - usage.swapFreeBytes),
      processes: null,
      threads: null,
      disks: devices('diskReadBytes', 'diskWriteBytes'),
      interfaces: devices('netReceivedBytes', 'netSentBytes'),
      gpuCount: gpus.length,
      gpus,
    }
  }

  #load(): number | null {
    const length = this.#buffer.readPath(this.#system.files, '/proc/loadavg')
    return parseLoadavg(this.#buffer.bytes, length, this.#loadavg) ? this.#loadavg.one : null
  }
}

/** A counter that went back, and what cannot be read, tell nothing. */
const known = (value: number): number | null =>
  value >= 0 && value < Number.POSITIVE_INFINITY ? value : null

/** They may still be looked for. */
async function closeAll(sources: Promise<readonly GpuSource[]> | undefined): Promise<void> {
  for (const source of (await sources) ?? []) source.close()
}

/** A driver that fails in a way nobody thought of takes its own cards away, and nothing else. */
function cardsOf(source: GpuSource): GpuMetrics[] {
  try {
    source.look(false)
  } catch {
    return []
  }
  return source.cards
    .filter(({ isDivided, failure }) => !isDivided && failure === null)
    .map(cardMetrics)
}

const cardMetrics = (card: GpuCard): GpuMetrics => ({
  gpu: `${card.identity.vendor} ${card.identity.index} ${card.identity.name}`,
  busyShare: known(card.utilizationPercent / 100),
  memoryBytes: known(card.memoryUsedBytes),
  memorySizeBytes: known(card.memoryTotalBytes),
  watts: known(card.powerWatts),
})
