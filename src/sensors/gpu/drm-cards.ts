import type { GpuVendor } from '../../model/gpu-usage.ts'
import { ok, unavailable, type Reading } from '../../model/reading.ts'
import type { Files, System } from '../../system/system.ts'
import { CardRest } from './card-rest.ts'
import { CardSensors, lineIn, numberIn } from './card-sensors.ts'
import { DrmProcesses, type DrmNodes } from './drm-processes.ts'
import { GpuCard, type GpuSource, type WatchedProcesses } from './gpu-card.ts'
import { kfdNodes } from './kfd.ts'
import { dropImplausible } from './plausible-card.ts'

const folder = '/sys/class/drm'

/** What counters grew by in less time says little: the last look of a job may follow the one before within a millisecond. */
const leastSeconds = 0.1

/** Vendors by their number on the PCI bus. */
const vendors = { amd: '0x1002', intel: '0x8086' } as const
/** Instinct MI300A: part of a CPU as well, and told by nothing else. */
const mi300a = '0x74a0'
type DrmVendor = keyof typeof vendors & GpuVendor

/** Where the kernel tells of one card. */
interface CardFiles {
  readonly card: GpuCard
  readonly device: string
  readonly driver: string
  readonly rest: CardRest
  readonly sensors: CardSensors | null
  /** Where Intel's drivers tell its clock. */
  readonly clock: string | null
}

/** AMD's and Intel's cards, by sysfs and hwmon, and what processes do on them by DRM's fdinfo. */
export class DrmCards implements GpuSource {
  readonly name: string
  readonly cards: readonly GpuCard[]
  readonly #system: System
  readonly #vendor: DrmVendor
  readonly #places: readonly CardFiles[]
  readonly #processes: DrmProcesses
  /** Those that asking for a process would wake, or keep awake. */
  readonly #undisturbed = new Set<GpuCard>()
  #lookedAt = Number.NaN

  private constructor(
    system: System,
    vendor: DrmVendor,
    places: readonly CardFiles[],
    nodes: readonly DrmNodes[],
  ) {
    this.#system = system
    this.#vendor = vendor
    this.#places = places
    this.name = 'sysfs'
    this.cards = places.map(({ card }) => card)
    this.#processes = new DrmProcesses(system, nodes)
  }

  static open(system: System, vendor: DrmVendor): Reading<DrmCards> {
    const { files } = system
    const names = files.list(folder)
    if (names.kind !== 'ok') return unavailable(`there is no ${folder}`)
    const found = names.value
      .filter((name) => /^card\d+$/.test(name))
      .toSorted((one, other) => Number(one.slice(4)) - Number(other.slice(4)))
      .filter((name) => lineIn(files, `${folder}/${name}/device/vendor`) === vendors[vendor])
    if (found.length === 0) return unavailable(`no card of ${vendor} in ${folder}`)
    const nodes: DrmNodes[] = []
    const known = vendor === 'amd' ? kfdNodes(files) : []
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
      card.memoryTotalBytes = memoryOf(files, `${folder}/${name}`)
      nodes.push({ card, address, names: nodesOf(files, device) })
      const sensors = CardSensors.open(files, device, driver)
      const isMi300a = vendor === 'amd' && lineIn(files, `${device}/device`) === mi300a
      card.isInCpuPackage = isMi300a || sensors?.areOfCpu === true
      if (known.length > 0)
        card.rocmNumbers = known.flatMap((node, number) => (node.address === address ? number : []))
      const rest = new CardRest(files, device)
      const clock = clockOf(files, `${folder}/${name}`)
      return { card, device, driver, rest, sensors, clock }
    })
    return ok(new DrmCards(system, vendor, places, nodes))
  }

  look(seldom: boolean): boolean {
    const now = this.#system.clock.monotonicSeconds()
    const seconds = now - this.#lookedAt
    if (seconds < leastSeconds) {
      if (seldom) this.#places.forEach(takeEnergy)
      // That was told at the look before.
      for (const { processes } of this.cards) processes.lateSeconds = 0
      return true
    }
    this.#lookedAt = now
    this.#undisturbed.clear()
    for (const place of this.#places) this.#readCard(place, now)
    if (seldom) this.#places.forEach(takeEnergy)
    this.#processes.look(seconds > 0 ? seconds : 0, this.#undisturbed)
    if (this.#vendor === 'intel') for (const card of this.cards) addUp(card)
    for (const card of this.cards) dropImplausible(card)
    return true
  }

  lookAtActivity(): void {
    // These cards have no such counters.
  }

  watch(processes: WatchedProcesses): () => void {
    return this.#processes.watch(processes)
  }

  close(): void {
    // Nothing is kept open.
  }

  #readCard(place: CardFiles, now: number): void {
    const { card, device, rest } = place
    const { files } = this.#system
    if (files.readText(`${device}/vendor`).kind !== 'ok') {
      card.fail('it is not in sysfs any more')
      return
    }
    card.failure = null
    card.processes.loss = null
    const state = rest.stateAt(now, isIdle(card))
    // Intel's newer driver wakes a card to tell what a process did on it.
    const wouldWake = state === 'left alone' && place.driver === 'xe'
    if (state === 'asleep' || wouldWake) this.#undisturbed.add(card)
    if (state === 'asleep') {
      card.sleep()
      place.sensors?.sleep()
    } else if (state === 'left alone') card.leaveAlone()
    else {
      const wasUnread = card.isAsleep || card.isLeftAlone
      card.rouse()
      this.#readSensors(place, now)
      // Who starts to count now is not to count from what it said before.
      if (wasUnread) takeEnergy(place)
    }
  }

  #readSensors({ card, device, sensors, clock }: CardFiles, now: number): void {
    const number = (path: string): number => numberIn(this.#system.files, path)
    card.utilizationPercent = number(`${device}/gpu_busy_percent`)
    card.memoryUtilizationPercent = number(`${device}/mem_busy_percent`)
    card.memoryUsedBytes = number(`${device}/mem_info_vram_used`)
    if (clock !== null) card.clockMegahertz = number(clock)
    if (sensors === null) return
    card.temperatureCelsius = sensors.temperatureCelsius
    card.powerWatts = sensors.powerWatts(now)
    card.powerLimitWatts = sensors.powerLimitWatts
    if (clock === null) card.clockMegahertz = sensors.clockMegahertz
  }
}

/** Its counter as it was last read. In between, power at the looks says by how much it grew. */
function takeEnergy({ card, sensors }: CardFiles): void {
  if (sensors !== null) card.energyJoules = sensors.energyJoules
}

/** When it was last looked at; of Intel's cards only what is known of processes. */
const isIdle = ({ utilizationPercent, processes }: GpuCard): boolean =>
  processes.count === 0 && !(utilizationPercent > 0)

/** The names of a card's device files, such as `card0` and `renderD128`; empty where they are not told. */
function nodesOf(files: Files, device: string): readonly string[] {
  const names = files.list(`${device}/drm`)
  return names.kind === 'ok' ? names.value : []
}

/** Intel's drivers tell of no card as a whole: what its known processes do is all that is known, and without any nothing is. */
function addUp(card: GpuCard): void {
  const { processes } = card
  if (processes.count === 0 || processes.untoldPids.size > 0) return
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
  const product = lineIn(files, `${device}/product_name`)
  if (product !== '') return product
  const model = lineIn(files, `${device}/device`)
  return `${vendor === 'amd' ? 'AMD' : 'Intel'} GPU${model === '' ? '' : ` ${model}`}`
}

/** The memory of a card: of AMD's, of Intel's by `xe`, which has one for each tile, and of Intel's by `i915`. */
function memoryOf(files: Files, place: string): number {
  const device = files.list(`${place}/device`)
  const tiles = device.kind === 'ok' ? device.value.filter((name) => /^tile\d+$/.test(name)) : []
  const told = tiles.map((tile) =>
    numberIn(files, `${place}/device/${tile}/physical_vram_size_bytes`),
  )
  const byTiles = told.length === 0 ? Number.NaN : told.reduce((sum, bytes) => sum + bytes)
  const all = [
    numberIn(files, `${place}/device/mem_info_vram_total`),
    byTiles,
    numberIn(files, `${place}/lmem_total_bytes`),
  ]
  return all.find((bytes) => bytes > 0) ?? Number.NaN
}

/** Null where the sensors tell it, if anything does. */
function clockOf(files: Files, place: string): string | null {
  const paths = [`${place}/device/tile0/gt0/freq0/act_freq`, `${place}/gt_act_freq_mhz`]
  return paths.find((path) => !files.isMissing(path)) ?? null
}
