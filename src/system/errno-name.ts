import { constants } from 'node:os'

/** The name of an error that libc tells by its number. */
export function errnoName(errno: number): string {
  const entry = Object.entries(constants.errno).find(([, number]) => number === errno)
  return entry?.[0] ?? `errno ${errno}`
}
