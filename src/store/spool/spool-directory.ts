import { lstatSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
import { isOursAlone } from '../own-file.ts'
import { isForeignToRoot } from '../strangers.ts'
import { checksum } from './checksum.ts'

/** A directory that keeps records on their way into a ledger. */
export interface SpoolPlace {
  readonly directory: string
  /** What must be private to us before anything in it is used; null beside the ledger, which is as private as that. */
  readonly guard: string | null
}

/** Where everything goes that can be written there. */
export const spoolDirectory = (ledger: string): string => `${ledger}.spool`

/**
 * Where records of a ledger may wait: beside it, so that both are on one disk and move together; and where nothing can be
 * written there, in directories that every process of this user finds, whatever its environment. The last one is memory,
 * which is there though all disks are full.
 */
function spoolPlaces(ledger: string): readonly SpoolPlace[] {
  const path = resolve(ledger)
  return [
    { directory: spoolDirectory(ledger), guard: null },
    ...['/var/tmp', '/tmp', '/dev/shm'].map((base) => {
      const guard = `${base}/jobmeter-${process.getuid?.() ?? 0}`
      return { directory: `${guard}/${checksum(path)}.spool`, guard }
    }),
  ]
}

/** Whether a guard is ours alone. Anyone can make a directory of that name, or a link, in a place that all may write to. */
function isPrivate(guard: string): boolean {
  const found = lstatSync(guard, { throwIfNoEntry: false })
  return (
    found !== undefined &&
    found.isDirectory() &&
    found.uid === process.getuid?.() &&
    (found.mode & 0o077) === 0
  )
}

/** Where something of ours may be: what lies in directories that others made, or may write to, is not. */
export const safePlaces = (ledger: string): readonly SpoolPlace[] =>
  spoolPlaces(ledger).filter(({ guard }) =>
    guard === null ? isSpoolOurs(ledger) : isPrivate(guard),
  )

/** Whether there is neither a ledger nor anything that waits to get into it. */
export const isNowhere = (ledger: string): boolean =>
  isMissing(ledger) && safePlaces(ledger).every(({ directory }) => isMissing(directory))

/** Whether nobody can tell if there is such a file: its directory may not be looked into. */
export function isHidden(path: string): boolean {
  try {
    lstatSync(path, { throwIfNoEntry: false })
    return false
  } catch {
    return true
  }
}

/** For certain: what may not be looked at may be there. */
function isMissing(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined
  } catch {
    return false
  }
}

/** Where a record of ours may be put; the guards are still to be made. */
export const placesToWrite = (ledger: string): readonly SpoolPlace[] =>
  spoolPlaces(ledger).filter(({ guard }) => guard !== null || isSpoolOurs(ledger))

/**
 * Whether the spool beside a ledger, or the one that is still to be made there, is ours alone. One that others made first,
 * in a directory such as /tmp, would give them our records and signs of life, and us whatever they put there.
 */
export function isSpoolOurs(ledger: string): boolean {
  try {
    if (isForeignToRoot(ledger) || !belongsToUs(ledger)) return false
    const found = lstatSync(spoolDirectory(ledger), { throwIfNoEntry: false })
    // A file or a pipe in its place hinders us, and no more.
    const leadsNowhere = found?.isDirectory() === false && !found.isSymbolicLink()
    return found === undefined || leadsNowhere || isOursAlone(found)
  } catch {
    // What may not be looked at can neither be read nor written: whoever tries will say so.
    return true
  }
}

/** Or to root, or to nobody yet. */
function belongsToUs(file: string): boolean {
  const uid = lstatSync(file, { throwIfNoEntry: false })?.uid ?? 0
  return uid === 0 || uid === process.geteuid?.()
}

/** Makes a guard that is not there; throws where another has it. */
export function makeGuard(guard: string): void {
  try {
    mkdirSync(guard, 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (!isPrivate(guard)) throw new Error(`${guard} is not a directory that only you can use`)
}
