import { deserialize, serialize } from 'node:v8'

/** Any value that is data, in bytes: with maps, with what is undefined, and with numbers that JSON does not have. */
export const packed = (value: unknown): Buffer => serialize(value)

/** Of bytes that another process of ours wrote; undefined where they are not all there. */
export function unpacked(bytes: Uint8Array): unknown {
  try {
    return deserialize(bytes)
  } catch {
    return undefined
  }
}
