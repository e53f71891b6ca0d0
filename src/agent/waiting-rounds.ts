import type { NodeRound } from '../model/node-round.ts'
import { StoreError } from '../store/errors.ts'
import type { NodeStore } from '../store/node/open-node.ts'

/** Two hours at 60 s; of a hundred jobs they take some megabytes. */
const mostWaiting = 120

export interface RoundWatcher {
  stored(round: NodeRound, number: number): void
  /** A round could not be taken or kept; the next one is tried all the same. */
  failed(problem: string): void
  /** What is written is lost, and another agent may have started: this one must end. */
  lost(problem: string): void
}

/**
 * Rounds on their way to the store. What cannot be written now, as the disk is full or somebody holds the database, waits
 * in memory and is written with the next; if that takes too long, the oldest go, and their time is a gap.
 */
export class WaitingRounds {
  readonly #store: Pick<NodeStore, 'addRound'>
  readonly #watcher: Pick<RoundWatcher, 'stored' | 'failed'>
  readonly #waiting: NodeRound[] = []
  /** These may be stored though it was said that they are not: they are not taken for new. */
  readonly #tried = new WeakSet<NodeRound>()

  constructor(
    store: Pick<NodeStore, 'addRound'>,
    watcher: Pick<RoundWatcher, 'stored' | 'failed'>,
  ) {
    this.#store = store
    this.#watcher = watcher
  }

  add(round: NodeRound): void {
    this.#waiting.push(round)
    while (this.#waiting.length > mostWaiting) {
      this.#waiting.shift()
      this.#watcher.failed(
        'a round that could not be written for too long is dropped: its time is a gap',
      )
    }
    this.#write()
  }

  #write(): void {
    for (;;) {
      const [round] = this.#waiting
      if (round === undefined) return
      try {
        const number = this.#tried.has(round) ? this.#store.addRound(round) : this.#addNew(round)
        this.#waiting.shift()
        this.#watcher.stored(round, number)
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        // Trying again would not help, and keep the others waiting.
        const isRefused = error instanceof StoreError && error.code === 'conflict'
        if (isRefused) this.#waiting.shift()
        this.#watcher.failed(
          isRefused
            ? `${problem}; this round is dropped`
            : `${problem}; ${told(this.#waiting.length)} kept in memory, and written with the next`,
        )
        if (!isRefused) return
      }
    }
  }

  /** After the clock was set back, another round may have had its very moment: then it is of a moment later. */
  #addNew(round: NodeRound): number {
    for (let later = 0; ; later++)
      try {
        return this.#store.addRound({ ...round, at: round.at + later / 1e3 })
      } catch (error) {
        const isTaken = error instanceof StoreError && error.code === 'conflict'
        if (isTaken && later < mostLater) continue
        this.#tried.add(round)
        throw error
      }
  }
}

const mostLater = 10

const told = (rounds: number): string => (rounds === 1 ? 'this round is' : `${rounds} rounds are`)
