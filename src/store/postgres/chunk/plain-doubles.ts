import type { ByteReader, ByteWriter } from './bytes.ts'

/**
 * Doubles that follow no rule: the bits in which each differs from the one before, all first bytes together, then all
 * second ones and so on, as the upper bytes hardly change.
 */
export function writePlain(writer: ByteWriter, values: Float64Array): void {
  const count = values.length
  const words = new Uint8Array(values.buffer, values.byteOffset, values.byteLength)
  const planes = new Uint8Array(8 * count)
  for (let row = 0; row < count; row += 1)
    for (let byte = 0; byte < 8; byte += 1) {
      const before = row === 0 ? 0 : (words[8 * (row - 1) + byte] ?? 0)
      planes[byte * count + row] = (words[8 * row + byte] ?? 0) ^ before
    }
  writer.bytes(planes)
}

export function readPlain(reader: ByteReader, count: number): Float64Array {
  const planes = reader.bytes(8 * count)
  const values = new Float64Array(count)
  const words = new Uint8Array(values.buffer)
  for (let row = 0; row < count; row += 1)
    for (let byte = 0; byte < 8; byte += 1) {
      const before = row === 0 ? 0 : (words[8 * (row - 1) + byte] ?? 0)
      words[8 * row + byte] = (planes[byte * count + row] ?? 0) ^ before
    }
  return values
}
