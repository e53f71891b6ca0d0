import { readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { asStoreError } from '../errors.ts'
import type { Owner } from '../../model/machine.ts'
import type { Store } from '../store.ts'
import { spoolDirectory } from './spool-directory.ts'
import { parseSpool, type SpoolText } from './spool-lines.ts'

/** A first line takes less than a millisecond to write: one that is unfinished for so long never will be. */
const abandonedSeconds = 60

/**
 * Takes all that waits in the spool into the ledger; answers what is wrong with files that cannot be read. Several may
 * do it at once, and a kill between any two steps only means that some of it is done again.
 */
export function takeIn(
  store: Store,
  ledger: string,
  isDead: (owner: Owner) => boolean,
): readonly string[] {
  const directory = spoolDirectory(ledger)
  const problems: string[] = []
  for (const name of namesIn(directory))
    if (name.endsWith('.jsonl')) {
      const problem = takeInFile(store, `${directory}/${name}`, isDead)
      if (problem !== undefined) problems.push(problem)
    }
  return problems
}

function takeInFile(
  store: Store,
  file: string,
  isDead: (owner: Owner) => boolean,
): string | undefined {
  let found = read(file)
  let complete = false
  if (found.kind === 'attempt') {
    complete = found.attempt.end !== null
    if (!complete && isDead(found.attempt.start.owner)) {
      // It may have told the end and died since we looked: now it cannot write any more.
      found = read(file)
      complete = true
    }
  }
  switch (found.kind) {
    case 'gone':
      return undefined
    case 'attempt':
      store.adopt(found.attempt)
      if (complete) rmSync(file, { force: true })
      return undefined
    case 'unfinished':
      if (ageSeconds(file) > abandonedSeconds) rmSync(file, { force: true })
      return undefined
    case 'newer':
      return `${file} was written by a newer jobmeter, and waits for it`
    case 'garbage':
      renameSync(file, `${file}.broken`)
      return `a record cannot be read; it is kept as ${file}.broken`
  }
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

function ageSeconds(file: string): number {
  const found = statSync(file, { throwIfNoEntry: false })
  return found === undefined ? 0 : (Date.now() - found.mtimeMs) / 1000
}

const isGone = (error: unknown): boolean => (error as NodeJS.ErrnoException).code === 'ENOENT'
