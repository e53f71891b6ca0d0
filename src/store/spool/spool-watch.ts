import { statSync } from 'node:fs'
import { spoolEntries } from './read-spool.ts'
import { safePlaces } from './spool-directory.ts'

/** A folder that changed so little before it was listed may change again without its time of change telling. */
const tickMilliseconds = 50
/** A disk of other machines may tell a time of change too late. */
const longestMilliseconds = 5_000

interface Listing {
  readonly changedAt: number
  readonly listedAt: number
  readonly files: readonly string[]
}

/** Lists the records in the spool of a ledger again and again; a folder that did not change is not read again. */
export class SpoolWatch {
  readonly #ledger: string
  readonly #listings = new Map<string, Listing>()

  constructor(ledger: string) {
    this.#ledger = ledger
  }

  /** The paths of all records that wait. What cannot be read is not there. */
  files(): readonly string[] {
    return safePlaces(this.#ledger).flatMap(({ directory, guard }) => {
      const found = statSync(directory, { throwIfNoEntry: false })
      if (found?.isDirectory() !== true) return []
      return this.#listed(directory, found.mtimeMs, () => spoolEntries({ directory, guard }))
    })
  }

  #listed(directory: string, changedAt: number, list: () => readonly string[]): readonly string[] {
    const now = Date.now()
    const known = this.#listings.get(directory)
    const isCertain = known !== undefined && Math.abs(known.listedAt - changedAt) > tickMilliseconds
    if (isCertain && known.changedAt === changedAt && isRecent(now - known.listedAt))
      return known.files
    try {
      const files = list()
      this.#listings.set(directory, { changedAt, listedAt: now, files })
      return files
    } catch {
      // It was removed meanwhile, or is not ours to read.
      this.#listings.delete(directory)
      return []
    }
  }
}

/** Also where the clock was set back. */
const isRecent = (milliseconds: number): boolean =>
  milliseconds >= 0 && milliseconds < longestMilliseconds
