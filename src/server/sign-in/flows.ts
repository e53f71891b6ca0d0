import { newSecret, secretHash } from '../../system/token-secret.ts'

/** A sign-in that was begun here and is going on at the provider. */
export interface Flow {
  readonly state: string
  readonly nonce: string
  readonly verifier: string
  /** Where to go afterwards: a path of ours. */
  readonly next: string
}

const mostFlows = 1000

/** The sign-ins that are under way. Each can be ended once, by the browser that began it. */
export class Flows {
  /** In seconds: as long as people look for their second factor. */
  readonly lastsSeconds = 600
  readonly #flows = new Map<string, Flow & { readonly endsAt: number }>()
  readonly #now: () => number

  constructor(now: () => number) {
    this.#now = now
  }

  /** Answers what the browser is to show when it comes back. */
  begin(flow: Flow): string {
    const id = newSecret()
    const [oldest] = this.#flows.keys()
    if (this.#flows.size >= mostFlows && oldest !== undefined) this.#flows.delete(oldest)
    this.#flows.set(secretHash(id), { ...flow, endsAt: this.#now() + this.lastsSeconds })
    return id
  }

  /** Gone with this, whatever comes of it. */
  take(id: string): Flow | undefined {
    const key = secretHash(id)
    const flow = this.#flows.get(key)
    this.#flows.delete(key)
    return flow !== undefined && flow.endsAt > this.#now() ? flow : undefined
  }
}
