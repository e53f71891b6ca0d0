import type { LeftJob } from '../../launch/container/left-containers.ts'
import type { System } from '../../system/system.ts'
import type { RunObserver } from './events.ts'

/** A daemon that is started anew takes seconds; after so long without an answer, the job is not tried again. */
const patienceSeconds = 60
const againSeconds = 1

interface Circumstances {
  readonly system: System
  readonly hears: Pick<RunObserver, 'note'>
  /** Nothing more is to start: nobody waits any longer. */
  readonly isStopped: () => boolean
}

/** A container that an attempt left running on this machine. The next attempt of the job would run beside it. */
export class LeftByAttempt {
  readonly #circumstances: Circumstances
  readonly #name: string
  readonly #job: LeftJob
  #whyNotEnded: string | null = 'nobody was asked to end it'

  constructor(circumstances: Circumstances, name: string, job: LeftJob) {
    this.#circumstances = circumstances
    this.#name = name
    this.#job = job
  }

  /** null: it has ended. */
  get whyNotEnded(): string | null {
    return this.#whyNotEnded
  }

  /** Has it end, if the daemon can be asked just now. */
  async tryToEnd(): Promise<void> {
    const { system, hears } = this.#circumstances
    const { endLeftContainers } = await import('../../launch/container/left-containers.ts')
    const { ended, running, unasked } = await endLeftContainers(system, [this.#job])
    const why = [...running.map((id) => `${shortId(id)} does not end`), ...unasked]
    this.#whyNotEnded = why.length === 0 ? null : why.join('; ')
    if (ended.length > 0)
      hears.note(`killed what ${this.#name} left behind: ${ended.map(shortId).join(', ')}`)
  }

  /** The same, again and again until it has ended. */
  async end(): Promise<void> {
    const { system, hears, isStopped } = this.#circumstances
    const { clock } = system
    const until = clock.monotonicSeconds() + patienceSeconds
    await this.tryToEnd()
    if (this.#whyNotEnded === null) return
    hears.note(`${this.#name} is tried again once no container of it runs (${this.#whyNotEnded})`)
    while (this.#whyNotEnded !== null && !isStopped() && clock.monotonicSeconds() < until) {
      await new Promise<void>((resolve) => void clock.after(againSeconds, resolve))
      await this.tryToEnd()
    }
  }
}

/** As `docker ps` writes it. */
const shortId = (id: string): string => id.slice(0, 12)
