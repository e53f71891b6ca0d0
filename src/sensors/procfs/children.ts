import { parsePids } from '../pid-list.ts'

/** Adds the children that /proc/PID/task/TID/children names: those which that one thread started. */
export function parseChildren(bytes: Uint8Array, length: number, into: number[]): boolean {
  return parsePids(bytes, length, into)
}
