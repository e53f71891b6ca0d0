import { failed, ok, unavailable, type Reading } from '../../model/reading.ts'
import { nvmlCodes, nvmlTrouble, type Nvml } from '../../system/nvml.ts'
import type { System } from '../../system/system.ts'
import { GpuCard, type GpuIdentity, type GpuSource } from './gpu-card.ts'
import { NvmlActivity } from './nvml-activity.ts'
import { NvmlDevice } from './nvml-device.ts'
import { readText, readUint64 } from './nvml-structs.ts'

const longestName = 96

/** NVIDIA's cards, by its management library. */
export class NvmlCards implements GpuSource {
  readonly name = 'NVML'
  readonly #clock: System['clock']
  readonly #nvml: Nvml
  readonly #devices: readonly NvmlDevice[]
  readonly #byCard: ReadonlyMap<GpuCard, NvmlDevice>
  readonly cards: readonly GpuCard[]
  #isGone = false

  private constructor(clock: System['clock'], nvml: Nvml, devices: readonly NvmlDevice[]) {
    this.#clock = clock
    this.#nvml = nvml
    this.#devices = devices
    this.#byCard = new Map(devices.map((device) => [device.card, device]))
    this.cards = devices.map(({ card }) => card)
  }

  static async open(system: Pick<System, 'clock' | 'nvml'>): Promise<Reading<NvmlCards>> {
    const nvml = await system.nvml.open()
    if (nvml.kind !== 'ok') return nvml
    const count = Buffer.alloc(4)
    const code = nvml.value.nvmlDeviceGetCount_v2(count)
    if (code !== nvmlCodes.success) return failed(`NVML: ${nvmlTrouble(code)}`)
    if (count.readUInt32LE(0) === 0) return unavailable('the NVIDIA driver has no card')
    const devices = findDevices(nvml.value, count.readUInt32LE(0))
    return ok(new NvmlCards(system.clock, nvml.value, devices))
  }

  look(seldom: boolean): boolean {
    if (this.#isGone) return true
    for (const device of this.#devices) {
      const lost = device.look(seldom)
      if (lost !== nvmlCodes.driverNotLoaded && lost !== nvmlCodes.uninitialized) continue
      this.#isGone = true
      for (const card of this.cards) card.fail('the driver went away')
      break
    }
    return true
  }

  lookAtActivity(cards: readonly GpuCard[]): void {
    if (this.#isGone) return
    const now = this.#clock.monotonicSeconds()
    for (const card of cards)
      if (card.failure === null) this.#byCard.get(card)?.activity.read(card, now)
  }

  lookAtShares(card: GpuCard): void {
    if (!this.#isGone && card.failure === null) this.#byCard.get(card)?.readShares()
  }

  close(): void {
    for (const { activity } of this.#devices) activity.close()
    this.#nvml.nvmlShutdown()
  }
}

/** Cards in the driver's order, and after them the MIG instances, by which a card that is divided is used. */
function findDevices(nvml: Nvml, count: number): NvmlDevice[] {
  const cards: NvmlDevice[] = []
  const instances: { readonly handle: number; readonly card: number; readonly parentId: string }[] =
    []
  for (let index = 0; index < count; index++) {
    const handle = handleFrom((into) => nvml.nvmlDeviceGetHandleByIndex_v2(index, into))
    if (handle === null) {
      cards.push(unreadable(nvml, index))
      continue
    }
    const id =
      textFrom((into) => nvml.nvmlDeviceGetUUID(handle, into, into.length)) ?? `card-${index}`
    const whole = deviceOf(
      nvml,
      handle,
      { index, id, parentId: null },
      new NvmlActivity(nvml, handle, null),
    )
    cards.push(whole)
    for (const instance of instancesOf(nvml, handle)) {
      whole.card.isDivided = true
      instances.push({ handle: instance, card: handle, parentId: id })
    }
  }
  const parts = instances.map(({ handle, card, parentId }, place) => {
    const id = textFrom((into) => nvml.nvmlDeviceGetUUID(handle, into, into.length))
    const index = count + place
    const instance = numberFrom((into) => nvml.nvmlDeviceGetGpuInstanceId(handle, into))
    return deviceOf(
      nvml,
      handle,
      { index, id: id ?? `MIG-${index}`, parentId },
      new NvmlActivity(nvml, card, instance),
    )
  })
  return [...cards, ...parts]
}

function deviceOf(
  nvml: Nvml,
  handle: number,
  place: Pick<GpuIdentity, 'index' | 'id' | 'parentId'>,
  activity: NvmlActivity,
): NvmlDevice {
  const name = textFrom((into) => nvml.nvmlDeviceGetName(handle, into, into.length)) ?? 'NVIDIA GPU'
  const card = new GpuCard({ vendor: 'nvidia', source: 'NVML', name, ...place })
  return new NvmlDevice(nvml, handle, card, activity)
}

/** A card that the driver counts and does not give out: it has failed, and says so at each look. */
function unreadable(nvml: Nvml, index: number): NvmlDevice {
  const id = `card-${index}`
  const name = 'NVIDIA GPU'
  const card = new GpuCard({ vendor: 'nvidia', source: 'NVML', name, index, id, parentId: null })
  card.fail('the driver does not give it out')
  return new NvmlDevice(nvml, null, card, new NvmlActivity(nvml, 0, null))
}

function instancesOf(nvml: Nvml, handle: number): number[] {
  const mode = Buffer.alloc(4)
  const pending = Buffer.alloc(4)
  if (nvml.nvmlDeviceGetMigMode(handle, mode, pending) !== nvmlCodes.success) return []
  if (mode.readUInt32LE(0) === 0) return []
  const most = numberFrom((into) => nvml.nvmlDeviceGetMaxMigDeviceCount(handle, into)) ?? 0
  const found: number[] = []
  for (let index = 0; index < most; index++) {
    const instance = handleFrom((into) =>
      nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, index, into),
    )
    if (instance !== null) found.push(instance)
  }
  return found
}

function handleFrom(ask: (into: Buffer) => number): number | null {
  const into = Buffer.alloc(8)
  return ask(into) === nvmlCodes.success ? readUint64(into, 0) : null
}

function numberFrom(ask: (into: Buffer) => number): number | null {
  const into = Buffer.alloc(4)
  return ask(into) === nvmlCodes.success ? into.readUInt32LE(0) : null
}

function textFrom(ask: (into: Buffer) => number): string | null {
  const into = Buffer.alloc(longestName)
  return ask(into) === nvmlCodes.success ? readText(into) : null
}
