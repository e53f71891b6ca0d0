import { nvmlCodes, nvmlTrouble, type Nvml } from '../../system/nvml.ts'
import type { GpuCard } from './gpu-card.ts'
import { gpmMetricBytes, gpmMetricsAt, readUint64, writeUint64 } from './nvml-structs.ts'

const mebibyte = 2 ** 20

/** Of NVML's list of GPM metrics those that tell what a card was bound by. Asking for each takes time. */
const asked = {
  graphicsPercent: 1,
  smActivePercent: 2,
  smOccupancyPercent: 3,
  integerPercent: 4,
  tensorPercent: 5,
  dramPercent: 10,
  fp64Percent: 11,
  fp32Percent: 12,
  fp16Percent: 13,
} as const

/** Sent and received, in MiB/s. */
const transfers = { pcieBytesPerSecond: [20, 21], nvlinkBytesPerSecond: [60, 61] } as const

const ids = [...Object.values(asked), ...Object.values(transfers).flat()]
/** Shares are rounded up a little now and then, which is 100 %; no link of any card is as fast as this. */
const mostPercent = 101
const mostMebibytesPerSecond = 1e8
/** The library's own structure has room for all that it knows, and newer ones know more. */
const room = 512
/** After so long without a reading nobody wanted one, and what the card did meanwhile is nobody's. */
const longestWindowSeconds = 10

/**
 * What a card's units did between two samples of its counters (GPM). Hopper and newer have them. A sample takes 0.3 ms
 * and a comparison of two 1 ms and more, so this is not done at every look.
 */
export class NvmlActivity {
  readonly #nvml: Nvml
  readonly #device: number
  readonly #instance: number | null
  readonly #request = Buffer.alloc(gpmMetricsAt + room * gpmMetricBytes)
  #before = 0
  #latest = 0
  #beforeAt = Number.NaN

  /** `instance`: of a MIG device, which is asked for through its card. */
  constructor(nvml: Nvml, device: number, instance: number | null) {
    this.#nvml = nvml
    this.#device = device
    this.#instance = instance
  }

  /** Why there is none; null where there is. */
  open(): string | null {
    const support = Buffer.alloc(8)
    support.writeUInt32LE(1, 0)
    const code = this.#nvml.nvmlGpmQueryDeviceSupport(this.#device, support)
    if (code !== nvmlCodes.success) return `GPM: ${nvmlTrouble(code)}`
    if (support.readUInt32LE(4) === 0) return 'GPM: the card is older than Hopper'
    const handle = Buffer.alloc(8)
    for (const which of ['before', 'latest'] as const) {
      const made = this.#nvml.nvmlGpmSampleAlloc(handle)
      if (made !== nvmlCodes.success) return `GPM: ${nvmlTrouble(made)}`
      if (which === 'before') this.#before = readUint64(handle, 0)
      else this.#latest = readUint64(handle, 0)
    }
    return null
  }

  /** Takes a sample, and tells of the time since the one before. */
  read(card: GpuCard, nowSeconds: number): void {
    // A card without counters has no room for a sample, and the library would write to address 0.
    if (this.#latest === 0) return
    const code =
      this.#instance === null
        ? this.#nvml.nvmlGpmSampleGet(this.#device, this.#latest)
        : this.#nvml.nvmlGpmMigSampleGet(this.#device, this.#instance, this.#latest)
    if (code !== nvmlCodes.success) {
      card.activityLoss = `GPM: ${nvmlTrouble(code)}`
      this.#beforeAt = Number.NaN
      return
    }
    card.activityLoss = null
    const seconds = nowSeconds - this.#beforeAt
    if (seconds > 0 && seconds <= longestWindowSeconds) this.#compare(card, seconds)
    const spare = this.#before
    this.#before = this.#latest
    this.#latest = spare
    this.#beforeAt = nowSeconds
  }

  close(): void {
    if (this.#before !== 0) this.#nvml.nvmlGpmSampleFree(this.#before)
    if (this.#latest !== 0) this.#nvml.nvmlGpmSampleFree(this.#latest)
    this.#before = this.#latest = 0
  }

  #compare({ activity }: GpuCard, seconds: number): void {
    const request = this.#request
    request.writeUInt32LE(1, 0)
    request.writeUInt32LE(ids.length, 4)
    writeUint64(request, this.#before, 8)
    writeUint64(request, this.#latest, 16)
    for (let at = 0; at < ids.length; at++)
      request.writeUInt32LE(ids[at] ?? 0, gpmMetricsAt + at * gpmMetricBytes)
    if (this.#nvml.nvmlGpmMetricsGet(request) !== nvmlCodes.success) return
    let place = 0
    for (const key of Object.keys(asked) as (keyof typeof asked)[])
      activity[key] = Math.min(100, this.#metric(place++, mostPercent))
    for (const key of Object.keys(transfers) as (keyof typeof transfers)[]) {
      const sent = this.#metric(place++, mostMebibytesPerSecond)
      const received = this.#metric(place++, mostMebibytesPerSecond)
      activity[key] = (sent + received) * mebibyte
    }
    activity.seconds = seconds
    activity.readings += 1
  }

  #metric(place: number, most: number): number {
    const at = gpmMetricsAt + place * gpmMetricBytes
    if (this.#request.readUInt32LE(at + 4) !== nvmlCodes.success) return Number.NaN
    const value = this.#request.readDoubleLE(at + 8)
    return value >= 0 && value <= most ? value : Number.NaN
  }
}
