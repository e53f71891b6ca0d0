import { KeyedNumbers } from '../keyed-numbers.ts'

const lines = new KeyedNumbers(['total_swap'])

/**
 * Swapped-out bytes from memory.stat of cgroup v1, cgroups below included; NaN if it does not say.
 * The other way, memory.memsw less memory.usage, takes two reads and was seen to be negative.
 */
export function parseSwapOfV1(bytes: Uint8Array, length: number): number {
  lines.find(bytes, length)
  return lines.number('total_swap')
}
