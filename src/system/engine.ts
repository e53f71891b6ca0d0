import type { Libc } from './libc.ts'

/** V8 prints a complaint about a flag that it does not know: only to the one whose flags these are. */
const knownVersion = /^13\.6\./

/**
 * Functions are compiled with care after 30 to 400 times as many calls as usual, and the heap is not tidied up because nothing
 * happens. A process that wakes up once a second to read some files never gets back what the compilers cost it: for
 * 50 processes watched for 3 s that was 20 of 120 ms of CPU, and 7 of 60 MB, for the compilers are large. One that has a
 * thousand processes to look at still gets there in seconds.
 */
export const engineFlags = [
  {
    waiting: '--invocation-count-for-maglev=40000',
    usual: '--invocation-count-for-maglev=400',
  },
  {
    waiting: '--invocation-count-for-maglev-osr=40000',
    usual: '--invocation-count-for-maglev-osr=100',
  },
  {
    waiting: '--invocation-count-for-turbofan=300000',
    usual: '--invocation-count-for-turbofan=10000',
  },
  { waiting: '--invocation-count-for-osr=300000', usual: '--invocation-count-for-osr=800' },
  { waiting: '--no-memory-reducer', usual: '--memory-reducer' },
  { waiting: '--no-incremental-marking', usual: '--incremental-marking' },
] as const

/**
 * Tells the engine that we mostly wait. By FFI: Node's own way to set these flags is a module that takes 2 ms to load.
 */
export function expectToWait(libc: Libc, version: string = process.versions.v8): void {
  if (!knownVersion.test(version)) return
  const setFlags = libc.bindSetEngineFlags()
  for (const { waiting } of engineFlags) setFlags?.(waiting)
}
