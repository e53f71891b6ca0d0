import {
  amountIn,
  listIn,
  mostMemoryKib,
  needed,
  objectAt,
  textIn,
  timeIn,
  wholeIn,
} from '../fields.ts'
import type { Fields } from '../fields.ts'
import type { SonarCapacity } from './sample.ts'

/** What a node had at a time. */
export interface SonarSysinfo {
  readonly host: string
  readonly at: number
  readonly capacity: SonarCapacity
}

const mostParts = 65_536
const kibOfGib = 1024 ** 2

/** The attributes of a `sysinfo`. */
export function sysinfoOf(attributes: Fields): SonarSysinfo {
  const parts = ['sockets', 'cores_per_socket', 'threads_per_core'].map(
    (name) => wholeIn(attributes, name, '', mostParts) ?? 0,
  )
  const cores = parts.reduce((product, part) => product * part, 1)
  const cards = listIn(attributes, 'cards', '').map((card, index) =>
    objectAt(card, `cards[${index}]`),
  )
  const memory = cards.map(
    (card, index) => wholeIn(card, 'memory', `cards[${index}].`, mostMemoryKib) ?? 0,
  )
  return {
    host: needed(textIn(attributes, 'node', ''), 'node'),
    at: needed(timeIn(attributes, 'time', ''), 'time'),
    capacity: {
      cores: cores || null,
      memoryKib: wholeIn(attributes, 'memory', '', mostMemoryKib) || null,
      gpus: cards.length,
      gpuMemoryKib: memory.length === 0 || memory.includes(0) ? null : added(memory),
    },
  }
}

/** As versions before the JSON formats wrote it. */
export function oldSysinfoOf(fields: Fields): SonarSysinfo {
  const gpus = wholeIn(fields, 'gpu_cards', '', mostParts) ?? 0
  const gpuMemory = amountIn(fields, 'gpumem_gb', '', mostMemoryKib) ?? 0
  const memory = amountIn(fields, 'mem_gb', '', mostMemoryKib) ?? 0
  return {
    host: needed(textIn(fields, 'hostname', ''), 'hostname'),
    at: needed(timeIn(fields, 'timestamp', ''), 'timestamp'),
    capacity: {
      cores: wholeIn(fields, 'cpu_cores', '', mostParts) || null,
      memoryKib: Math.round(memory * kibOfGib) || null,
      gpus,
      gpuMemoryKib: Math.round(gpuMemory * kibOfGib) || null,
    },
  }
}

const added = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
