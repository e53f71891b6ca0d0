import { KeyedNumbers } from '../keyed-numbers.ts'

/** What a cgroup's memory is made of, cgroups below included. NaN for what the kernel does not tell. */
export class MemoryStat {
  anonymousBytes = Number.NaN
  /** Shared memory and tmpfs: nobody can drop it as page cache can be dropped. */
  sharedBytes = Number.NaN
  /** Page cache proper. */
  fileBytes = Number.NaN
  swapBytes = Number.NaN
}

const linesOfV1 = new KeyedNumbers(['total_cache', 'total_rss', 'total_shmem', 'total_swap'])
const lines = new KeyedNumbers(['anon', 'file', 'shmem'])

/**
 * memory.stat of cgroup v1, by its totals. Swap: the other way, memory.memsw less memory.usage, takes two reads and was
 * seen to be negative.
 */
export function parseMemoryStatOfV1(bytes: Uint8Array, length: number, into: MemoryStat): boolean {
  linesOfV1.find(bytes, length)
  into.anonymousBytes = linesOfV1.number('total_rss')
  into.sharedBytes = linesOfV1.number('total_shmem')
  into.fileBytes = withoutShared(linesOfV1.number('total_cache'), into.sharedBytes)
  into.swapBytes = linesOfV1.number('total_swap')
  return !Number.isNaN(into.swapBytes)
}

/** memory.stat of cgroup v2; swap has a file of its own there. */
export function parseMemoryStat(bytes: Uint8Array, length: number, into: MemoryStat): boolean {
  lines.find(bytes, length)
  into.anonymousBytes = lines.number('anon')
  into.sharedBytes = lines.number('shmem')
  into.fileBytes = withoutShared(lines.number('file'), into.sharedBytes)
  into.swapBytes = Number.NaN
  return !Number.isNaN(into.anonymousBytes)
}

/** Both kernels count shared memory as page cache too. */
const withoutShared = (cacheBytes: number, sharedBytes: number): number =>
  Math.max(0, cacheBytes - (sharedBytes || 0))
