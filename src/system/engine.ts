import type { Libc } from './libc.ts'

/** V8 prints a complaint about a flag that it does not know: only to the one whose flags these are. */
const knownVersion = '13.6.'

interface EngineFlag {
  /** For who waits for one job. */
  readonly waiting: string
  /** For who runs jobs by the thousand, where that is not as usual. */
  readonly manyJobs?: string
  readonly usual: string
}

/**
 * Functions are compiled with care after 4 to 400 times as many calls as usual, and the heap is not tidied up because nothing
 * happens. A process that wakes up once a second to read some files never gets back what the compilers cost it: for
 * 50 processes watched for 3 s that was 20 of 120 ms of CPU, and 7 of 60 MB, for the compilers are large. One that has a
 * thousand processes to look at gets there within two looks: with 40,000 calls instead of 1,500 before the first compiler it
 * used 1.08 and not 0.78 % of a core.
 */
export const engineFlags: readonly EngineFlag[] = [
  {
    waiting: '--invocation-count-for-maglev=1500',
    usual: '--invocation-count-for-maglev=400',
  },
  {
    waiting: '--invocation-count-for-maglev-osr=1500',
    usual: '--invocation-count-for-maglev-osr=100',
  },
  {
    waiting: '--invocation-count-for-turbofan=300000',
    manyJobs: '--invocation-count-for-turbofan=100000',
    usual: '--invocation-count-for-turbofan=10000',
  },
  {
    waiting: '--invocation-count-for-osr=300000',
    manyJobs: '--invocation-count-for-osr=8000',
    usual: '--invocation-count-for-osr=800',
  },
  // To a process that reads files, the plainest compiler brings little: without it the first seconds take 3 to 10 % less, and
  // what is called often enough goes to the next one all the same.
  { waiting: '--no-sparkplug', manyJobs: '--sparkplug', usual: '--sparkplug' },
  // A program that ends while another thread compiles for it, and that one waits for room, was seen to wait for ever.
  { waiting: '--no-concurrent-sparkplug', usual: '--concurrent-sparkplug' },
  { waiting: '--no-memory-reducer', usual: '--memory-reducer' },
  { waiting: '--no-incremental-marking', usual: '--incremental-marking' },
  // To wake other threads takes longer than to move the half megabyte that they would help with.
  { waiting: '--no-parallel-scavenge', usual: '--parallel-scavenge' },
  // The space for new objects does not grow: beside 1,000 processes, the agent's peak was 84 and not 112 MB.
  { waiting: '--semi-space-growth-factor=1', usual: '--semi-space-growth-factor=2' },
]

/**
 * Tells the engine that we mostly wait. By FFI: Node's own way to set these flags is a module that takes 2 ms to load.
 */
export function expectToWait(libc: Libc, version: string = process.versions.v8): void {
  const flags = engineFlags.map(({ waiting }) => waiting)
  setFlags(libc, version, flags)
}

/**
 * Tells the engine that jobs are many and each takes little of us: for 2,000 short ones, the slowest of its compilers takes
 * more than it saves, 6 % of our CPU time. Kept code is not taken for what is loaded after this.
 */
export function expectManyJobs(libc: Libc, version: string = process.versions.v8): void {
  const flags = engineFlags.flatMap(({ manyJobs }) => manyJobs ?? [])
  setFlags(libc, version, flags)
}

function setFlags(libc: Libc, version: string, flags: readonly string[]): void {
  if (!version.startsWith(knownVersion)) return
  const set = libc.bindSetEngineFlags()
  for (const flag of flags) set?.(flag)
}
