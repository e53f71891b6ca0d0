import { isUserName, type Person } from '../access/people.ts'
import { Networks } from '../config/place.ts'
import type { ProxyConfig } from '../config/server-config.ts'

export type ProxySays =
  | { readonly kind: 'person'; readonly person: Person }
  | { readonly kind: 'nothing' }
  /** Why it is not believed. */
  | { readonly kind: 'disbelieved'; readonly reason: string }

/** Whom a reverse proxy has signed in. Its word counts from its own addresses alone: anybody can send a header. */
export class ProxySignIn {
  readonly #config: ProxyConfig
  readonly #trusted: Networks

  constructor(config: ProxyConfig) {
    this.#config = config
    this.#trusted = new Networks(config.trusted)
  }

  isTrusted(address: string): boolean {
    return this.#trusted.holds(address)
  }

  read(address: string, header: (name: string) => string | undefined): ProxySays {
    const user = header(this.#config.header)
    if (user === undefined || user === '') return { kind: 'nothing' }
    if (!this.isTrusted(address))
      return { kind: 'disbelieved', reason: 'a user header from an address that is not trusted' }
    // Two headers come as one, with a comma in it: one of them may be what the browser sent.
    if (!isUserName(user))
      return { kind: 'disbelieved', reason: 'a user header that is not a name' }
    const { groupsHeader } = this.#config
    const groups = groupsHeader === null ? '' : (header(groupsHeader) ?? '')
    return { kind: 'person', person: { user, groups: groupsIn(groups) } }
  }
}

const groupsIn = (text: string): readonly string[] =>
  text
    .split(',')
    .map((group) => group.trim())
    .filter((group) => group !== '')
