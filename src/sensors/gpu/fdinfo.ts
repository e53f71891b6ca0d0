/** What a process has done through one open file of a card: `/proc/PID/fdinfo/FD` of a DRM device. */
export interface DrmClient {
  /** The card's address on the bus, such as `0000:03:00.0`; empty where the driver does not say. */
  readonly card: string
  /** Several descriptors of one process may share a client, which counts once. */
  readonly clientId: string
  /** Time that each engine worked for it, in nanoseconds, divided by how many engines of that name there are. */
  readonly engineNanoseconds: ReadonlyMap<string, number>
  /** The same in cycles of the engine, and the cycles that went by; for drivers that do not tell times. */
  readonly engineCycles: ReadonlyMap<string, { readonly busy: number; readonly total: number }>
  /** Memory on the card, of its own; NaN where it is not told. */
  readonly memoryBytes: number
}

const units: Readonly<Record<string, number>> = { '': 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }

/** Regions that lie on the card: `vram` of AMD's driver, `vram0` and `local0` of Intel's. */
const onCard = /^(vram|local)\d*$/

/** Undefined for a file that is not of a card. */
export function parseFdinfo(text: string): DrmClient | undefined {
  const fields = new Map<string, string>()
  for (const line of text.split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at).trim(), line.slice(at + 1).trim())
  }
  if (!fields.has('drm-driver')) return undefined
  return {
    card: fields.get('drm-pdev') ?? '',
    clientId: fields.get('drm-client-id') ?? '',
    engineNanoseconds: enginesIn(fields),
    engineCycles: cyclesIn(fields),
    memoryBytes: memoryIn(fields),
  }
}

function enginesIn(fields: ReadonlyMap<string, string>): Map<string, number> {
  const engines = new Map<string, number>()
  for (const [key, value] of fields) {
    const [, name] = /^drm-engine-(?!capacity-)(.+)$/.exec(key) ?? []
    const told = /^(\d+) ns$/.exec(value)?.[1]
    if (name === undefined || told === undefined) continue
    engines.set(name, Number(told) / capacityOf(fields, name))
  }
  return engines
}

/** How many engines of a name there are. */
function capacityOf(fields: ReadonlyMap<string, string>, engine: string): number {
  const capacity = Number(fields.get(`drm-engine-capacity-${engine}`) ?? 1)
  return capacity > 0 ? capacity : 1
}

function cyclesIn(fields: ReadonlyMap<string, string>): DrmClient['engineCycles'] {
  const engines = new Map<string, { busy: number; total: number }>()
  for (const [key, value] of fields) {
    const [, name] = /^drm-cycles-(.+)$/.exec(key) ?? []
    if (name === undefined || !/^\d+$/.test(value)) continue
    const total = fields.get(`drm-total-cycles-${name}`)
    if (total !== undefined && /^\d+$/.test(total))
      engines.set(name, { busy: Number(value) / capacityOf(fields, name), total: Number(total) })
  }
  return engines
}

/** What is resident where that is told; else, from older drivers, all that there is. */
function memoryIn(fields: ReadonlyMap<string, string>): number {
  for (const kind of ['resident', 'memory', 'total']) {
    let sum = Number.NaN
    for (const [key, value] of fields) {
      if (!key.startsWith(`drm-${kind}-`) || !onCard.test(key.slice(`drm-${kind}-`.length)))
        continue
      const [, amount, unit = ''] = /^(\d+)(?: (\w+))?$/.exec(value) ?? []
      const factor = units[unit]
      if (amount !== undefined && factor !== undefined) sum = (sum || 0) + Number(amount) * factor
    }
    if (!Number.isNaN(sum)) return sum
  }
  return Number.NaN
}
