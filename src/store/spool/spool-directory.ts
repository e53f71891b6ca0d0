import { lstatSync, mkdirSync } from 'node:fs'
import { resolve } from 'node:path'
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
export function spoolPlaces(ledger: string): readonly SpoolPlace[] {
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

/** Where something of ours may be: what lies in directories that others made is not. */
export const safePlaces = (ledger: string): readonly SpoolPlace[] =>
  spoolPlaces(ledger).filter(({ guard, directory }) =>
    guard === null ? !isForeignLink(directory) : isPrivate(guard),
  )

/** Where it leads, somebody else has chosen: to records of ours that are not for this ledger. */
function isForeignLink(directory: string): boolean {
  try {
    const found = lstatSync(directory, { throwIfNoEntry: false })
    return found?.isSymbolicLink() === true && found.uid !== process.geteuid?.()
  } catch {
    // What may not be looked at is no way to anywhere.
    return false
  }
}

/** Makes a guard that is not there; throws where another has it. */
export function makeGuard(guard: string): void {
  try {
    mkdirSync(guard, 0o700)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
  if (!isPrivate(guard)) throw new Error(`${guard} is not a directory that only we may use`)
}
