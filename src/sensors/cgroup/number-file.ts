import { ByteScan, wordBytes } from '../byte-scan.ts'

const scan = new ByteScan()
const unlimited = wordBytes('max')

/**
 * A file that holds one number, such as memory.current, memory.peak or memory.max. `max`, which
 * the kernel writes for "no limit", is Infinity; anything else is NaN.
 */
export function parseNumberFile(bytes: Uint8Array, length: number): number {
  scan.begin(bytes, length)
  const found = scan.accept(unlimited) ? Number.POSITIVE_INFINITY : scan.number()
  if (!scan.endsWord()) return Number.NaN
  scan.skipLine()
  return scan.position === scan.end ? found : Number.NaN
}
