import { existsSync, renameSync, rmdirSync, rmSync } from 'node:fs'
import { basename } from 'node:path'
import { StoreError } from '../errors.ts'
import { killedReason } from '../ledger/interrupted.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { SpooledAttempt, Store } from '../ledger/store.ts'
import type { OwnerLives } from './owner-lives.ts'
import { readSpool, spoolEntries, type SpoolFinding } from './read-spool.ts'
import { isSpoolOurs, safePlaces, spoolDirectory, type SpoolPlace } from './spool-directory.ts'
import { isLeft, leftOf, taskOf } from './spool-names.ts'

/** One commit for many files: a disk that many machines share may take 10 ms for each. */
const filesPerCommit = 200

/**
 * Takes all that waits in the spool of a ledger into the ledger; answers what is wrong with files that cannot be taken in,
 * and throws only what is wrong with the ledger. Several may do it at once, and a kill between any two steps only means
 * that some of it is done again. `choose` leaves some of the files for later.
 */
export function takeIn(
  ledger: Pick<Ledger, 'jobs' | 'batch'>,
  path: string,
  owners: OwnerLives,
  choose: (files: readonly string[]) => readonly string[] = (files) => files,
): readonly string[] {
  const problems: string[] = tellOfOthers(path)
  for (const place of safePlaces(path)) {
    const files = choose(entriesOf(place, problems))
    const left = { foreign: 0, newer: 0 }
    for (let from = 0; from < files.length; from += filesPerCommit) {
      const some = files.slice(from, from + filesPerCommit)
      const taken = ledger.batch(() => some.map((file) => takeInFile(ledger.jobs, file, owners)))
      // Only now: what is not committed is in its file alone.
      for (const fate of taken) clearAway(fate, left, problems)
    }
    if (place.guard !== null) removeIfEmpty(place.directory)
    if (left.newer > 0)
      problems.push(
        `${records(left.newer)} of a newer jobmeter in ${place.directory}: left there for it`,
      )
    if (left.foreign > 0)
      problems.push(
        `${records(left.foreign)} of other users in ${place.directory}: left there for them`,
      )
  }
  return problems
}

/** A spool that is passed over is told of once, by who opens the ledger. */
const tellOfOthers = (ledger: string): string[] =>
  isSpoolOurs(ledger)
    ? []
    : [`${spoolDirectory(ledger)} is not private to you: the records in it are not used`]

/** What waits, for who cannot take it in. Nothing is changed. */
export function readInPlace(
  path: string,
  owners: OwnerLives,
): { readonly attempts: readonly SpooledAttempt[]; readonly problems: readonly string[] } {
  const problems: string[] = tellOfOthers(path)
  const attempts = safePlaces(path).flatMap((place) =>
    entriesOf(place, problems).flatMap((file) => {
      const { found, isOver } = lookAt(file, owners)
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

function lookAt(
  file: string,
  owners: OwnerLives,
): { readonly found: SpoolFinding; readonly isOver: boolean } {
  const found = readSpool(file)
  if (found.kind !== 'attempt' || found.attempt.end !== null || isLeft(file))
    return { found, isOver: true }
  // It may have told the end and died since we looked: now it cannot write any more.
  const { owner, startedAt } = found.attempt.start
  return owners.isDead(owner, startedAt)
    ? { found: readSpool(file), isOver: true }
    : { found, isOver: false }
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
type Fate = { readonly file: string } & (
  | { readonly kind: 'keep' | 'remove' }
  /** It is in the ledger, and cannot be put away. */
  | { readonly kind: 'stuck'; readonly why: string }
  | Exclude<SpoolFinding, { kind: 'attempt' | 'nothing' | 'abandoned' }>
)

type Taken = Extract<SpoolFinding, { kind: 'attempt' }>

function takeInFile(store: Store, file: string, owners: OwnerLives): Fate {
  const found = readSpool(file)
  if (found.kind !== 'attempt') return fateOfOther(file, found, owners)
  const { start, end } = found.attempt
  if (end !== null || isLeft(file)) return adopt(store, file, found, isLeft(file))
  if (owners.isDead(start.owner, start.startedAt)) return takeInLeft(store, file, owners)
  // Who lives may be writing just now: what is damaged or contradicts the ledger is judged when it is over.
  adopt(store, file, { ...found, damage: null }, false)
  return { kind: 'keep', file }
}

function fateOfOther(
  file: string,
  found: Exclude<SpoolFinding, { kind: 'attempt' }>,
  owners: OwnerLives,
): Fate {
  if (found.kind === 'abandoned') return { kind: 'remove', file }
  if (found.kind === 'nothing') return { kind: 'keep', file }
  if (found.kind === 'broken' && owners.isHeld(taskOf(basename(file))))
    return { kind: 'keep', file }
  return { ...found, file }
}

/**
 * An owner may tell the end while we judge it, and may live where we cannot see it. It looks for its file after it has
 * written the end, and we read the file after we have taken it away: so one of us two finds out.
 */
function takeInLeft(store: Store, file: string, owners: OwnerLives): Fate {
  const left = leftOf(file)
  let stuck: string | undefined
  try {
    renameSync(file, left)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Another may have taken it in meanwhile, or be about to.
    if (code !== 'ENOENT') stuck = message
  }
  const place = stuck === undefined ? left : file
  const found = readSpool(place)
  if (found.kind !== 'attempt') return fateOfOther(place, found, owners)
  const fate = adopt(store, place, found, true)
  return stuck === undefined ? fate : { kind: 'stuck', why: stuck, file }
}

/** The fate is that of a file which is complete: its end was told, or its owner is dead. */
function adopt(store: Store, file: string, { attempt, damage }: Taken, ownerIsDead: boolean): Fate {
  const trouble = damage ?? troubleOf(store, attempt)
  // Now: without its file nothing shows later that the owner has died.
  if (ownerIsDead) store.interrupt(attempt.start.taskId, killedReason)
  return trouble === null ? { kind: 'remove', file } : { kind: 'broken', why: trouble, file }
}

function troubleOf(store: Store, attempt: SpooledAttempt): string | null {
  try {
    store.adopt(attempt)
    return null
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'conflict') throw error
    return 'it contradicts what the ledger holds'
  }
}

function clearAway(fate: Fate, left: { foreign: number; newer: number }, problems: string[]): void {
  const { file } = fate
  try {
    if (fate.kind === 'remove') rmSync(file, { force: true })
    if (fate.kind === 'broken')
      problems.push(`a record cannot be read (${fate.why}); it is kept as ${setAside(file)}`)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    if (code !== 'ENOENT') problems.push(`${file} cannot be set aside: ${message}`)
  }
  if (fate.kind === 'stuck') problems.push(`${file} cannot be set aside: ${fate.why}`)
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
  const stem = file.replace(/\.left$/, '')
  let name = `${stem}.broken`
  for (let more = 2; existsSync(name); more++) name = `${stem}.${more}.broken`
  renameSync(file, name)
  return name
}
