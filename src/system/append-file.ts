import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from 'node:fs'
import type { Reading } from '../model/reading.ts'
import { asReading } from './as-reading.ts'
import { followLinks, RefusedFile } from './link-path.ts'

const { O_APPEND, O_CREAT, O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants

export type AppendText = (path: string, text: string, mode?: number) => Reading<true>

/** Adds to the end of a file, in one write, and makes the file where it is missing: by no link of others, and to no pipe. */
export const appendText: AppendText = (path, text, mode = 0o644) =>
  asReading(path, () => {
    const flags = O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_NONBLOCK
    const descriptor = openSync(followLinks(path), flags, mode)
    try {
      const found = fstatSync(descriptor)
      if (!found.isFile()) throw new RefusedFile(`${path} is not a regular file`)
      appendWhole(descriptor, Buffer.from(text), found.size)
    } finally {
      closeSync(descriptor)
    }
    return true as const
  })

/** A disk may be full in the middle of a line: what was written of it is taken back, unless others have written since. */
function appendWhole(descriptor: number, bytes: Buffer, sizeBefore: number): void {
  let written = 0
  try {
    while (written < bytes.length) written += writeSync(descriptor, bytes, written)
  } catch (error) {
    if (written > 0 && fstatSync(descriptor).size === sizeBefore + written)
      ftruncateSync(descriptor, sizeBefore)
    throw error
  }
}
