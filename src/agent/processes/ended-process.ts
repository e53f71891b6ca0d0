import type { ExitRecord } from './exit-record.ts'
import type { SeenProcess } from './seen-process.ts'

/** What somebody used since the round before. */
export interface FreshUse {
  cpuSeconds: number
  readBytes: number
  writeBytes: number
}

export const quantities = ['cpuSeconds', 'readBytes', 'writeBytes'] as const
export type Quantity = (typeof quantities)[number]

export const noUse = (): FreshUse => ({ cpuSeconds: 0, readBytes: 0, writeBytes: 0 })

/** A process that ended since the round before. */
export interface EndedProcess {
  readonly pid: number
  /** At its end, if there is a record of that; else at the round before. */
  readonly parentPid: number
  /** As it was at the round before; null of one that lived between two rounds. */
  readonly seen: SeenProcess | null
  /** What the kernel said at its end, of all its threads together; null where nothing did. */
  readonly record: ExitRecord | null
}

/** What it has been counted for while it lived, with the children that it has waited for. */
export function knownUse({ seen }: EndedProcess): FreshUse {
  if (seen === null) return noUse()
  const { ownSeconds, childSeconds, readBytes, writeBytes } = seen.now
  return {
    cpuSeconds: ownSeconds + childSeconds,
    readBytes: orNothing(readBytes),
    writeBytes: orNothing(writeBytes),
  }
}

/**
 * By its own record: what it used since it was last seen. Of files, the record has only what its threads did. The time can
 * be below 0, for the record stops at a tick: among many, that makes up for those whose time it has too much of.
 */
export function estimatedUse({ seen, record }: EndedProcess): FreshUse {
  if (record === null) return noUse()
  const { cpuSeconds, readBytes, writeBytes } = record
  if (seen === null) return { cpuSeconds, readBytes, writeBytes }
  return { cpuSeconds: cpuSeconds - seen.now.ownSeconds, readBytes: 0, writeBytes: 0 }
}

export const orNothing = (bytes: number): number => (Number.isNaN(bytes) ? 0 : bytes)
