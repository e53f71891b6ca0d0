import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { asStoreError } from '../errors.ts'
import type { Owner } from '../../model/machine.ts'
import type { Ledger } from '../ledger.ts'
import { killedReason } from '../interrupted.ts'
import type { SpooledAttempt, Store } from '../store.ts'
import { spoolDirectory } from './spool-directory.ts'
import { parseSpool, type SpoolText } from './spool-lines.ts'

/** A first line takes less than a millisecond to write: one that is unfinished for so long never will be. */
const abandonedSeconds = 60

/** What the file of an owner that is dead is called while it is taken in. */
const leftEnding = '.jsonl.left'
const leftOf = (file: string): string => file.replace(/\.jsonl$/, leftEnding)

/** One commit for many files: a disk that many machines share may take 10 ms for each. */
const filesPerCommit = 200

/**
 * Takes all that waits in the spool into the ledger; answers what is wrong with files that cannot be read. Several may
 * do it at once, and a kill between any two steps only means that some of it is done again.
 */
export function takeIn(
  ledger: Pick<Ledger, 'jobs' | 'batch'>,
  path: string,
  isDead: IsDead,
): readonly string[] {
  const directory = spoolDirectory(path)
  const files = namesIn(directory)
    .filter((name) => name.endsWith('.jsonl') || name.endsWith(leftEnding))
    .map((name) => `${directory}/${name}`)
  const problems: string[] = []
  for (let from = 0; from < files.length; from += filesPerCommit) {
    const some = files.slice(from, from + filesPerCommit)
    const taken = ledger.batch(() => some.map((file) => takeInFile(ledger.jobs, file, isDead)))
    // Only now: what is not committed is in its file alone.
    taken.forEach((fate, index) => clearAway(some[index] ?? '', fate, problems))
  }
  return problems
}

/** Whether an owner is dead that began something at this time. */
export type IsDead = (owner: Owner, startedAt: number) => boolean

/** What is to be done with a file whose content has been looked at. */
type Fate = 'keep' | 'remove' | 'left' | 'abandoned' | 'newer' | 'garbage'

function takeInFile(store: Store, file: string, isDead: IsDead): Fate {
  const found = read(file)
  if (found.kind === 'gone') return 'keep'
  if (found.kind === 'unfinished') return ageSeconds(file) > abandonedSeconds ? 'abandoned' : 'keep'
  if (found.kind !== 'attempt') return found.kind
  const { start, end } = found.attempt
  const isLeft = file.endsWith(leftEnding)
  if (end === null && !isLeft && isDead(start.owner, start.startedAt))
    return takeInLeft(store, file)
  adopt(store, found.attempt, isLeft)
  return end !== null || isLeft ? 'remove' : 'keep'
}

function adopt(store: Store, attempt: SpooledAttempt, ownerIsDead: boolean): void {
  store.adopt(attempt)
  // Now: without its file nothing shows later that the owner has died.
  if (ownerIsDead) store.interrupt(attempt.start.taskId, killedReason)
}

/**
 * An owner may tell the end while we judge it, and may live where we cannot see it. It looks for its file after it has
 * written the end, and we read the file after we have taken it away: so one of us two finds out.
 */
function takeInLeft(store: Store, file: string): Fate {
  renameIfThere(file, leftOf(file))
  const found = read(leftOf(file))
  if (found.kind === 'attempt') adopt(store, found.attempt, true)
  return 'left'
}

function clearAway(file: string, fate: Fate, problems: string[]): void {
  if (fate === 'remove' || fate === 'abandoned') rmSync(file, { force: true })
  if (fate === 'left') rmSync(leftOf(file), { force: true })
  if (fate === 'newer') problems.push(`${file} was written by a newer jobmeter, and waits for it`)
  if (fate !== 'garbage' || !existsSync(file)) return
  renameSync(file, `${file}.broken`)
  problems.push(`a record cannot be read; it is kept as ${file}.broken`)
}

function read(file: string): SpoolText | { readonly kind: 'gone' } {
  try {
    return parseSpool(readFileSync(file, 'utf8'))
  } catch (error) {
    // Another has taken it in meanwhile.
    if (isGone(error)) return { kind: 'gone' }
    throw asStoreError(error, file)
  }
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch (error) {
    if (isGone(error)) return []
    throw asStoreError(error, directory)
  }
}

/** Another may have taken it in meanwhile. */
function renameIfThere(from: string, to: string): void {
  try {
    renameSync(from, to)
  } catch (error) {
    if (!isGone(error)) throw asStoreError(error, from)
  }
}

function ageSeconds(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? 0 : (Date.now() - found.mtimeMs) / 1000
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
