import type { LiveNews } from '../../model/live.ts'
import { StoreError } from '../../store/errors.ts'
import type { TeamReader } from '../../store/postgres/read/team-reader.ts'
import type { System } from '../../system/system.ts'
import type { Reading } from './reading.ts'
import { TeamAttempts } from './team-attempts.ts'
import { TeamWorkflowSource } from './team-workflow-source.ts'

/** How often the team's database is asked, by each server and however many listen. */
const pollSeconds = 1

/**
 * What changes in a team ledger. It is asked once a second, for what has come since: news are a second or two behind what was
 * sent, and that is as far behind its own machine as its sender is.
 */
export class TeamReading implements Reading {
  readonly #system: System
  readonly #open: () => Promise<TeamReader>
  readonly #attempts = new TeamAttempts()
  readonly #workflows: TeamWorkflowSource
  #reader: TeamReader | undefined
  #news: LiveNews[] = []
  #problems: string[] = []
  #isAsking = false
  #isClosed = false
  #askedAt = Number.NEGATIVE_INFINITY

  constructor(system: System, open: () => Promise<TeamReader>) {
    this.#system = system
    this.#open = open
    this.#workflows = new TeamWorkflowSource(system)
  }

  get isBusy(): boolean {
    return false
  }

  /** What the last question has found, while the next one is asked. */
  read(onProblem: (problem: string) => void): LiveNews[] {
    const now = this.#system.clock.monotonicSeconds()
    if (!this.#isAsking && now - this.#askedAt >= pollSeconds) {
      this.#askedAt = now
      void this.#ask()
    }
    const [news, problems] = [this.#news, this.#problems]
    this.#news = []
    this.#problems = []
    problems.forEach(onProblem)
    return news
  }

  close(): void {
    this.#isClosed = true
    if (!this.#isAsking) this.#leave()
  }

  async #ask(): Promise<void> {
    this.#isAsking = true
    try {
      this.#reader ??= await this.#open()
      const ofAttempts = await this.#attempts.read(this.#reader)
      const ofWorkflows = await this.#workflows.read(this.#reader, workflowsOf(ofAttempts))
      // Only now: what was there before was told while it was waited for these.
      this.#news = [...this.#news, ...ofAttempts, ...ofWorkflows]
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.#problems.push(error.message)
    } finally {
      this.#isAsking = false
      if (this.#isClosed) this.#leave()
    }
  }

  #leave(): void {
    const reader = this.#reader
    this.#reader = undefined
    // Nobody is left to be told.
    reader?.close().catch(() => {})
  }
}

const workflowsOf = (news: readonly LiveNews[]): ReadonlySet<number> =>
  new Set(
    news.flatMap((event) =>
      event.kind === 'attempt' && event.attempt.workflowId !== null
        ? [event.attempt.workflowId]
        : [],
    ),
  )
