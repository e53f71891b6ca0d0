import type { Files } from '../../system/system.ts'
import { lineIn, numberIn } from './card-sensors.ts'

const folder = '/sys/class/kfd/kfd'

/** A card, or a part of one that is divided, as AMD's driver for computing knows it. */
interface KfdNode {
  readonly id: string
  /** Of the card on the bus. */
  readonly address: string
}

/** In the order in which ROCm numbers them, from 0. A container is told only of those that it may use. */
export function kfdNodes(files: Files): readonly KfdNode[] {
  const names = files.list(`${folder}/topology/nodes`)
  const ordered = names.kind === 'ok' ? names.value.toSorted((a, b) => Number(a) - Number(b)) : []
  return ordered.flatMap((name) => {
    const place = `${folder}/topology/nodes/${name}`
    const id = lineIn(files, `${place}/gpu_id`)
    // Node 0 is the CPU, whose number is 0.
    if (id === '' || id === '0') return []
    const properties = new Map(
      lineIn(files, `${place}/properties`)
        .split('\n')
        .map((line) => line.split(' ') as [string, string]),
    )
    const address = addressOf(
      Number(properties.get('domain') ?? 0),
      Number(properties.get('location_id')),
    )
    return [{ id, address }]
  })
}

/** Memory that a process holds through it on a card, whose nodes these are; NaN where it does not say. */
export function kfdBytes(files: Files, pid: number, nodes: readonly KfdNode[]): number {
  let sum = Number.NaN
  for (const { id } of nodes) {
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
