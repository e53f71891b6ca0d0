import type { Viewer } from '../access/viewer.ts'
import type { Clock } from '../../system/system.ts'
import { newSecret, secretHash } from '../../system/token-secret.ts'

export interface Session {
  readonly user: string
  /** As the configuration has it now. */
  readonly viewer: () => Viewer
  /** Aborted when it is over, however that came about. */
  readonly over: AbortSignal
}

interface Kept extends Session {
  readonly endsAt: number
  end(): void
}

const mostSessions = 10_000
const mostOfOneUser = 1000

/** Who is signed in by a cookie. Kept in memory, by the hash of what the cookie holds: a restart signs everybody out. */
export class Sessions {
  readonly lastsSeconds: number
  readonly #sessions = new Map<string, Kept>()
  readonly #clock: Clock

  constructor(clock: Clock, lastsSeconds: number) {
    this.#clock = clock
    this.lastsSeconds = lastsSeconds
  }

  /** Answers what the cookie is to hold. */
  begin(user: string, viewer: () => Viewer): string {
    const id = newSecret()
    const key = secretHash(id)
    this.#makeRoomFor(user)
    const controller = new AbortController()
    const cancel = this.#clock.after(this.lastsSeconds, () => this.#end(key))
    this.#sessions.set(key, {
      user,
      viewer,
      over: controller.signal,
      endsAt: this.#clock.monotonicSeconds() + this.lastsSeconds,
      end: () => {
        cancel()
        controller.abort()
      },
    })
    return id
  }

  find(id: string): Session | undefined {
    const key = secretHash(id)
    const session = this.#sessions.get(key)
    if (session === undefined || session.endsAt > this.#clock.monotonicSeconds()) return session
    this.#end(key)
    return undefined
  }

  end(id: string): void {
    this.#end(secretHash(id))
  }

  #end(key: string): void {
    this.#sessions.get(key)?.end()
    this.#sessions.delete(key)
  }

  /** The oldest goes: of this person, if they have very many, else of all. */
  #makeRoomFor(user: string): void {
    const own = [...this.#sessions].filter(([, session]) => session.user === user)
    const [oldest] = own.length >= mostOfOneUser ? own : this.#sessions
    if (
      oldest !== undefined &&
      (own.length >= mostOfOneUser || this.#sessions.size >= mostSessions)
    )
      this.#end(oldest[0])
  }
}
