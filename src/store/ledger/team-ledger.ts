import { StoreError } from '../errors.ts'
import type { TeamReader } from '../postgres/read/team-reader.ts'
import type { LedgerReader } from './ledger-reader.ts'
import { readerThrough, type Door } from './reader-through.ts'
import { shownAddress } from './team-address.ts'

/**
 * A team's ledger, for questions. The first of them finds out where that is, loads what speaks to PostgreSQL, and connects;
 * where one of these fails, the next question tries again.
 */
export function teamReader(
  named: string,
  findAddress: () => Promise<string>,
  onProblem: (problem: string) => void = () => {},
  answerSeconds?: number,
): LedgerReader {
  const open = async () => openTeam(await findAddress(), onProblem, answerSeconds)
  return readerThrough(new TeamDoor(named, open))
}

/** The same at once, for who looks again and again. */
export async function openTeam(
  address: string,
  onProblem: (problem: string) => void = () => {},
  answerSeconds?: number,
): Promise<TeamReader> {
  const { openTeamReader } = await import('../postgres/read/team-reader.ts')
  return openTeamReader(address, onProblem, answerSeconds)
}

class TeamDoor implements Door {
  readonly path: string
  readonly #openTeam: () => Promise<LedgerReader>
  #opened: Promise<LedgerReader> | undefined
  #isClosed = false

  constructor(named: string, open: () => Promise<LedgerReader>) {
    this.path = shownAddress(named)
    this.#openTeam = open
  }

  async ask<T>(question: (reader: LedgerReader) => T | Promise<T>): Promise<T> {
    if (this.#isClosed) throw new StoreError('unreadable', this.path, 'the team ledger is closed')
    this.#opened ??= this.#open()
    return question(await this.#opened)
  }

  async close(): Promise<void> {
    this.#isClosed = true
    const opened = this.#opened
    this.#opened = undefined
    // Whoever asked was told why it could not be opened.
    const reader = await opened?.catch(() => undefined)
    await reader?.close()
  }

  async #open(): Promise<LedgerReader> {
    try {
      return await this.#openTeam()
    } catch (error) {
      this.#opened = undefined
      throw error
    }
  }
}
