import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import type { Fingerprint } from './system.ts'

const { O_NONBLOCK, O_RDONLY } = constants
const mostHashedBytes = 2 ** 20

/** By what it can be told whether a file has changed; only of small ones is the content looked at. */
export function fingerprint(path: string): Fingerprint {
  const found = statSync(path)
  return {
    sizeBytes: found.size,
    modifiedSeconds: found.mtimeMs / 1000,
    hash: found.isFile() && found.size <= mostHashedBytes ? hashOfFile(path) : null,
  }
}

/** Null where it is no plain file any more, or longer than it seemed: pipes and devices may never end. */
function hashOfFile(path: string): string | null {
  const descriptor = openSync(path, O_RDONLY | O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) return null
    const bytes = Buffer.allocUnsafe(mostHashedBytes + 1)
    let length = 0
    for (let more = 1; more > 0 && length < bytes.length; length += more)
      more = readSync(descriptor, bytes, length, bytes.length - length, null)
    return length > mostHashedBytes ? null : hashOf(bytes.subarray(0, length))
  } finally {
    closeSync(descriptor)
  }
}

export function hashOf(bytes: Uint8Array): string {
  const { createHash } = process.getBuiltinModule('node:crypto')
  return createHash('sha256').update(bytes).digest('hex').slice(0, 32)
}
