import type { GpuVendor } from '../../model/gpu-usage.ts'
import { ok, unavailable, type Reading } from '../../model/reading.ts'
import type { Files, System } from '../../system/system.ts'
import { DrmProcesses, type WatchedPids } from './drm-processes.ts'
import { GpuCard, type GpuSource } from './gpu-card.ts'
import { dropImplausible } from './plausible-card.ts'

const folder = '/sys/class/drm'

/** Vendors by their number on the PCI bus. */
const vendors = { amd: '0x1002', intel: '0x8086' } as const
type DrmVendor = keyof typeof vendors & GpuVendor

/** Where the kernel tells of one card. */
interface CardFiles {
  readonly card: GpuCard
  readonly device: string
  readonly hwmon: string | null
}

/** AMD's and Intel's cards, by sysfs and hwmon, and what processes do on them by DRM's fdinfo. */
export class DrmCards implements GpuSource {
  readonly name: string
  readonly cards: readonly GpuCard[]
  readonly #system: System
  readonly #vendor: DrmVendor
  readonly #places: readonly CardFiles[]
  readonly #processes: DrmProcesses
  #lookedAt = Number.NaN

  private constructor(
    system: System,
    vendor: DrmVendor,
    places: readonly CardFiles[],
    byAddress: ReadonlyMap<string, GpuCard>,
  ) {
    this.#system = system
    this.#vendor = vendor
    this.#places = places
    this.name = 'sysfs'
    this.cards = places.map(({ card }) => card)
    this.#processes = new DrmProcesses(system.files, byAddress)
  }

  static open(system: System, vendor: DrmVendor): Reading<DrmCards> {
    const { files } = system
    const names = files.list(folder)
    if (names.kind !== 'ok') return unavailable(`there is no ${folder}`)
    const found = names.value
      .filter((name) => /^card\d+$/.test(name))
      .toSorted((one, other) => Number(one.slice(4)) - Number(other.slice(4)))
      .filter((name) => line(files, `${folder}/${name}/device/vendor`) === vendors[vendor])
    if (found.length === 0) return unavailable(`no card of ${vendor} in ${folder}`)
    const byAddress = new Map<string, GpuCard>()
    const places = found.map((name, index) => {
      const device = `${folder}/${name}/device`
      const { address, driver } = identify(files, device)
      const identity = {
        vendor,
        source: `${driver || vendor} in sysfs`,
        index,
        id: address || name,
        name: nameOf(files, device, vendor),
        parentId: null,
      }
      const card = new GpuCard(identity)
      byAddress.set(address, card)
      return { card, device, hwmon: hwmonOf(files, device) }
    })
    return ok(new DrmCards(system, vendor, places, byAddress))
  }

  look(): void {
    const now = this.#system.clock.monotonicSeconds()
    const seconds = now - this.#lookedAt
    this.#lookedAt = now
    for (const place of this.#places) this.#readCard(place)
    this.#processes.look(seconds > 0 ? seconds : 0)
    if (this.#vendor === 'intel') for (const card of this.cards) addUp(card)
    for (const card of this.cards) dropImplausible(card)
  }

  lookAtActivity(): void {
    // These cards have no such counters.
  }

  watch(pids: WatchedPids): () => void {
    return this.#processes.watch(pids)
  }

  close(): void {
    // Nothing is kept open.
  }

  #readCard({ card, device, hwmon }: CardFiles): void {
    const { files } = this.#system
    const number = (path: string): number => numberIn(files, path)
    if (files.readText(`${device}/vendor`).kind !== 'ok') {
      card.fail('it is not in sysfs any more')
      return
    }
    card.failure = null
    card.utilizationPercent = number(`${device}/gpu_busy_percent`)
    card.memoryUtilizationPercent = number(`${device}/mem_busy_percent`)
    card.memoryUsedBytes = number(`${device}/mem_info_vram_used`)
    card.memoryTotalBytes = number(`${device}/mem_info_vram_total`)
    if (hwmon === null) return
    card.temperatureCelsius = number(`${hwmon}/temp1_input`) / 1000
    const average = number(`${hwmon}/power1_average`)
    card.powerWatts = (Number.isNaN(average) ? number(`${hwmon}/power1_input`) : average) / 1e6
    card.powerLimitWatts = number(`${hwmon}/power1_cap`) / 1e6
    card.clockMegahertz = number(`${hwmon}/freq1_input`) / 1e6
    card.energyJoules = number(`${hwmon}/energy1_input`) / 1e6
  }
}

/** Intel's drivers tell of no card as a whole: what its known processes do is all that is known. */
function addUp(card: GpuCard): void {
  const { processes } = card
  let sum = 0
  for (let at = 0; at < processes.count; at++) sum += processes.utilizationPercent[at] ?? 0
  card.utilizationPercent = Math.min(100, sum)
}

function identify(files: Files, device: string): { address: string; driver: string } {
  const uevent = files.readText(`${device}/uevent`)
  const fields = new Map(
    uevent.kind === 'ok'
      ? uevent.value.split('\n').map((entry) => {
          const at = entry.indexOf('=')
          return [entry.slice(0, at), entry.slice(at + 1)] as const
        })
      : [],
  )
  return { address: fields.get('PCI_SLOT_NAME') ?? '', driver: fields.get('DRIVER') ?? '' }
}

function nameOf(files: Files, device: string, vendor: DrmVendor): string {
  const product = line(files, `${device}/product_name`)
  if (product !== '') return product
  const model = line(files, `${device}/device`)
  return `${vendor === 'amd' ? 'AMD' : 'Intel'} GPU${model === '' ? '' : ` ${model}`}`
}

function hwmonOf(files: Files, device: string): string | null {
  const names = files.list(`${device}/hwmon`)
  const first = names.kind === 'ok' ? names.value.toSorted()[0] : undefined
  return first === undefined ? null : `${device}/hwmon/${first}`
}

function line(files: Files, path: string): string {
  const read = files.readText(path)
  return read.kind === 'ok' ? read.value.trim() : ''
}

function numberIn(files: Files, path: string): number {
  const text = line(files, path)
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}
