import { lstatSync, mkdirSync, statSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
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

/** Where something of ours may be: what lies in directories that others made is not. */
export const safePlaces = (ledger: string): readonly SpoolPlace[] =>
  spoolPlaces(ledger).filter(({ guard, directory }) =>
    guard === null ? leadsNowhereElse(ledger, directory) : isPrivate(guard),
  )

/** Where a record of ours may be put; the guards are still to be made. */
export const placesToWrite = (ledger: string): readonly SpoolPlace[] =>
  spoolPlaces(ledger).filter(
    ({ guard, directory }) =>
      guard !== null || (leadsNowhereElse(ledger, directory) && isForUsAlone(directory)),
  )

/**
 * Whether a spool beside a ledger is what it seems. A link that others made leads to records of ours that are not for this
 * ledger. And where the ledger lies in somebody else's directory root uses no spool beside it: whatever it looks at there
 * may be another thing a moment later.
 */
function leadsNowhereElse(ledger: string, directory: string): boolean {
  const user = process.geteuid?.() ?? 0
  try {
    if (user === 0 && !isRootsAlone(dirname(resolve(ledger)))) return false
    const found = lstatSync(directory, { throwIfNoEntry: false })
    return found?.isSymbolicLink() !== true || found.uid === user
  } catch {
    // What may not be looked at can neither be read nor written: whoever tries will say so.
    return true
  }
}

/** A directory that somebody else made, or may write to, gives our records to them. */
function isForUsAlone(directory: string): boolean {
  try {
    const found = statSync(directory, { throwIfNoEntry: false })
    if (found?.isDirectory() !== true) return true
    return found.uid === process.geteuid?.() && (found.mode & 0o022) === 0
  } catch {
    return true
  }
}

function isRootsAlone(directory: string): boolean {
  const found = statSync(directory, { throwIfNoEntry: false })
  if (found !== undefined && found.uid !== 0) return false
  return directory === '/' || isRootsAlone(dirname(directory))
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
