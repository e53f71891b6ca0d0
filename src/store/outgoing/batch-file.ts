import { crc32, zstdCompress, zstdDecompress } from 'node:zlib'

/** Version 1: the mark, the bytes of the content, their CRC-32, and the content, compressed. */
const mark = 0x31_62_6d_6a
const headBytes = 12

/** A batch as it stands in its file. */
export async function packBatch(content: string): Promise<Buffer> {
  const packed = await new Promise<Buffer>((resolve, reject) => {
    zstdCompress(content, (error, bytes) => (error === null ? resolve(bytes) : reject(error)))
  })
  const head = Buffer.alloc(headBytes)
  head.writeUInt32LE(mark, 0)
  head.writeUInt32LE(packed.length, 4)
  head.writeUInt32LE(crc32(packed), 8)
  return Buffer.concat([head, packed])
}

/** The content of a file; undefined where a part of it is missing or wrong. */
export async function unpackBatch(file: Buffer): Promise<string | undefined> {
  if (file.length < headBytes || file.readUInt32LE(0) !== mark) return undefined
  const packed = file.subarray(headBytes)
  if (packed.length !== file.readUInt32LE(4) || crc32(packed) !== file.readUInt32LE(8))
    return undefined
  return new Promise((resolve) => {
    zstdDecompress(packed, (error, bytes) => resolve(error === null ? String(bytes) : undefined))
  })
}
