import fc from 'fast-check'
import { unavailable } from '../../src/model/reading.ts'
import type { Files } from '../../src/system/system.ts'

/** What goes wrong with one read, and with the next few of the same file. */
export interface Fault {
  /** So many reads of any file after the fault before. */
  readonly after: number
  readonly repeats: number
  readonly kind: 'bytes' | 'cut' | 'empty' | 'gone' | 'number' | 'stranger'
  readonly bytes: Uint8Array
  /** Where it is cut, or which of its numbers changes. */
  readonly at: number
  readonly number: string
}

const oddNumbers = [
  '0',
  '-1',
  '-9223372036854775808',
  '4294967295',
  '123456789012',
  '9007199254740991',
  '18446744073709551615',
  '999999999999999999999999',
  '1e308',
  'NaN',
  'max',
] as const

export const faults: fc.Arbitrary<readonly Fault[]> = fc.array(
  fc.record({
    after: fc.nat({ max: 25 }),
    repeats: fc.nat({ max: 6 }),
    kind: fc.constantFrom('bytes', 'cut', 'empty', 'gone', 'number', 'number', 'stranger'),
    bytes: fc.uint8Array({ maxLength: 200 }),
    at: fc.nat({ max: 300 }),
    number: fc.constantFrom(...oddNumbers),
  }),
  { maxLength: 40, size: 'max' },
)

/**
 * Files that lie now and then. The opening and first read of /proc/meminfo are left alone: what the machine has is
 * learnt there, and nothing else could tell it.
 */
export function noisyFiles(
  files: Files,
  plan: readonly Fault[],
  strangerOf: (path: string) => string | undefined,
): Files {
  const paths = new Map<number, string>()
  const current = new Map<string, { fault: Fault; left: number }>()
  let next = 0
  let due = plan[0]?.after ?? Infinity
  let sawMemory = false

  const faultFor = (path: string): Fault | undefined => {
    if (path === '/proc/meminfo' && !sawMemory) {
      sawMemory = true
      return undefined
    }
    const again = current.get(path)
    if (again !== undefined && again.left-- > 0) return again.fault
    if (due-- > 0) return undefined
    const fault = plan[next]
    next += 1
    due = plan[next]?.after ?? Infinity
    // What the machine has is told once more before it is believed: twice the same lie would be.
    if (fault !== undefined && path !== '/proc/meminfo')
      current.set(path, { fault, left: fault.repeats })
    return fault
  }

  return {
    ...files,
    readText(path) {
      const fault = faultFor(path)
      const honest = files.readText(path)
      if (fault === undefined || honest.kind !== 'ok') return honest
      const bytes = spoil(new TextEncoder().encode(honest.value), fault, strangerOf(path))
      return bytes === undefined
        ? unavailable(`${path} does not exist`)
        : { kind: 'ok', value: Buffer.from(bytes).toString('latin1') }
    },
    list(path) {
      const fault = faultFor(path)
      if (fault?.kind === 'gone') return unavailable(`${path} does not exist`)
      if (fault?.kind === 'number') return { kind: 'ok', value: ['x', fault.number, '1x'] }
      return files.list(path)
    },
    open(path) {
      if (path !== '/proc/meminfo' && faultFor(path)?.kind === 'gone') return -1
      const descriptor = files.open(path)
      if (descriptor >= 0) paths.set(descriptor, path)
      return descriptor
    },
    read(descriptor, into) {
      const path = paths.get(descriptor) ?? ''
      const fault = faultFor(path)
      const length = files.read(descriptor, into)
      if (fault === undefined || length < 0) return length
      const bytes = spoil(into.slice(0, length), fault, strangerOf(path))
      if (bytes === undefined) return -1
      const part = bytes.subarray(0, into.length)
      into.set(part)
      return part.length
    },
  }
}

function spoil(honest: Uint8Array, fault: Fault, stranger?: string): Uint8Array | undefined {
  const { kind, at } = fault
  if (kind === 'gone') return undefined
  if (kind === 'empty') return new Uint8Array(0)
  if (kind === 'bytes') return fault.bytes
  if (kind === 'cut') return honest.slice(0, at)
  if (kind === 'stranger' && stranger !== undefined) return new TextEncoder().encode(stranger)
  let index = 0
  const text = Buffer.from(honest).toString('latin1')
  const count = text.match(/\d+/g)?.length ?? 1
  const changed = text.replaceAll(/\d+/g, (was) => (index++ === at % count ? fault.number : was))
  return new TextEncoder().encode(changed)
}
