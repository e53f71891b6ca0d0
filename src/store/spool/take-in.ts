import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import type { Owner } from '../../model/machine.ts'
import { StoreError } from '../errors.ts'
import type { Ledger } from '../ledger.ts'
import type { SpooledAttempt, Store } from '../store.ts'
import { readSpool, spoolEntries, type SpoolFinding } from './read-spool.ts'
import { spoolPlaces, type SpoolPlace } from './spool-directory.ts'

/** One commit for many files: a disk that many machines share may take 10 ms for each. */
const filesPerCommit = 200

/**
 * Takes all that waits in the spool of a ledger into the ledger; answers what is wrong with files that cannot be taken in,
 * and throws only what is wrong with the ledger. Several may do it at once, and a kill between any two steps only means
 * that some of it is done again.
 */
export function takeIn(
  ledger: Pick<Ledger, 'jobs' | 'batch'>,
  path: string,
  isDead: (owner: Owner) => boolean,
): readonly string[] {
  const problems: string[] = []
  for (const place of spoolPlaces(path)) {
    const files = entriesOf(place, problems)
    const left = { foreign: 0, newer: 0 }
    for (let from = 0; from < files.length; from += filesPerCommit) {
      const some = files.slice(from, from + filesPerCommit)
      const taken = ledger.batch(() => some.map((file) => takeInFile(ledger.jobs, file, isDead)))
      // Only now: what is not committed is in its file alone.
      taken.forEach((fate, index) => clearAway(some[index] ?? '', fate, left, problems))
    }
    if (place.guard !== null && files.length > 0) removeIfEmpty(place.directory)
    if (left.newer > 0)
      problems.push(`${records(left.newer)} of a newer jobmeter in ${place.directory}: left for it`)
    if (left.foreign > 0)
      problems.push(`${records(left.foreign)} of other users in ${place.directory}: left for them`)
  }
  return problems
}

/** What waits, for who cannot take it in. Nothing is changed. */
export function readInPlace(
  path: string,
  isDead: (owner: Owner) => boolean,
): { readonly attempts: readonly SpooledAttempt[]; readonly problems: readonly string[] } {
  const problems: string[] = []
  const attempts = spoolPlaces(path).flatMap((place) =>
    entriesOf(place, problems).flatMap((file) => {
      const { found, isOver } = lookAt(file, isDead)
      if (found.kind === 'broken' || found.kind === 'unreadable')
        problems.push(`a record cannot be read: ${file} (${found.why})`)
      if (found.kind !== 'attempt') return []
      if (!isOver || found.damage === null) return [found.attempt]
      problems.push(`a record cannot be read: ${file} (${found.damage})`)
      return []
    }),
  )
  return { attempts, problems }
}

const records = (count: number): string => (count === 1 ? 'a record' : `${count} records`)

function entriesOf(place: SpoolPlace, problems: string[]): readonly string[] {
  try {
    return spoolEntries(place)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT')
      problems.push(`the records in ${place.directory} cannot be read: ${message}`)
    return []
  }
}

/** What is to be done with a file whose content has been looked at. */
type Fate =
  | { readonly kind: 'keep' | 'remove' }
  | Exclude<SpoolFinding, { kind: 'attempt' | 'nothing' | 'abandoned' }>

function takeInFile(store: Store, file: string, isDead: (owner: Owner) => boolean): Fate {
  const { found, isOver } = lookAt(file, isDead)
  if (found.kind === 'abandoned') return { kind: 'remove' }
  if (found.kind === 'nothing') return { kind: 'keep' }
  if (found.kind !== 'attempt') return found
  // Who lives may be writing that line just now.
  if (isOver && found.damage !== null) return { kind: 'broken', why: found.damage }
  try {
    store.adopt(found.attempt)
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'conflict') throw error
    return { kind: 'broken', why: 'it contradicts what the ledger holds' }
  }
  return { kind: isOver ? 'remove' : 'keep' }
}

function lookAt(
  file: string,
  isDead: (owner: Owner) => boolean,
): { readonly found: SpoolFinding; readonly isOver: boolean } {
  const found = readSpool(file)
  if (found.kind !== 'attempt' || found.attempt.end !== null) return { found, isOver: true }
  // It may have told the end and died since we looked: now it cannot write any more.
  return isDead(found.attempt.start.owner)
    ? { found: readSpool(file), isOver: true }
    : { found, isOver: false }
}

function clearAway(
  file: string,
  fate: Fate,
  left: { foreign: number; newer: number },
  problems: string[],
): void {
  try {
    if (fate.kind === 'remove') rmSync(file, { force: true })
    if (fate.kind === 'broken')
      problems.push(`a record cannot be read (${fate.why}); it is kept as ${setAside(file)}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') problems.push(`${file} cannot be put away: ${message}`)
  }
  if (fate.kind === 'unreadable') problems.push(`a record cannot be read: ${file} (${fate.why})`)
  if (fate.kind === 'newer' || fate.kind === 'foreign') left[fate.kind] += 1
}

function removeIfEmpty(directory: string): void {
  try {
    rmdirSync(directory)
  } catch {
    return
  }
}

/** Under a name that nobody reads again, and that no other has. */
function setAside(file: string): string {
  let name = `${file}.broken`
  for (let more = 2; existsSync(name); more++) name = `${file}.${more}.broken`
  renameSync(file, name)
  return name
}
