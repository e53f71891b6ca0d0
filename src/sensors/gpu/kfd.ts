import type { Files } from '../../system/system.ts'
import { lineIn, numberIn } from './card-sensors.ts'

const folder = '/sys/class/kfd/kfd'

/**
 * AMD's driver for computing numbers cards, and the parts of one that is divided: by a card's address on the bus, its numbers
 * there.
 */
export function kfdIds(files: Files): ReadonlyMap<string, readonly string[]> {
  const ids = new Map<string, string[]>()
  const nodes = files.list(`${folder}/topology/nodes`)
  for (const node of nodes.kind === 'ok' ? nodes.value : []) {
    const place = `${folder}/topology/nodes/${node}`
    const id = lineIn(files, `${place}/gpu_id`)
    // Node 0 is the CPU, whose number is 0.
    if (id === '' || id === '0') continue
    const properties = new Map(
      lineIn(files, `${place}/properties`)
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    )
    const address = addressOf(
      Number(properties.get('domain') ?? 0),
      Number(properties.get('location_id')),
    )
    ids.set(address, [...(ids.get(address) ?? []), id])
  }
  return ids
}

/** Memory that a process holds through it on a card with these numbers; NaN where it does not say. */
export function kfdBytes(files: Files, pid: number, ids: readonly string[]): number {
  let sum = Number.NaN
  for (const id of ids) {
    const bytes = numberIn(files, `${folder}/proc/${pid}/vram_${id}`)
    if (!Number.isNaN(bytes)) sum = (sum || 0) + bytes
  }
  return sum
}

function addressOf(domain: number, location: number): string {
  const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')
  // The uppermost bits number the parts of a divided card.
  const [bus, device, part] = [(location >> 8) & 0xff, (location >> 3) & 0x1f, location & 7]
  return `${hex(domain, 4)}:${hex(bus, 2)}:${hex(device, 2)}.${part}`
}
