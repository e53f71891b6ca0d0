import { tokenState, type ApiToken } from '../../model/api-token.ts'
import { StoreError } from '../../store/errors.ts'
import { openTokens, openTokensToRead } from '../../store/tokens/open-tokens.ts'
import { refuseUntrusted } from '../../store/tokens/trusted-tokens.ts'
import type { StoredToken, TokenStore } from '../../store/tokens/token-store.ts'
import { isSameHash, secretHash } from '../../system/token-secret.ts'
import type { System } from '../../system/system.ts'
import { tokensDatabase } from './tokens.ts'

/** The last use is kept to the minute: a request must not cost a write. */
const usedSeconds = 60
const lockWait = { milliseconds: 100 }
/** How often the same trouble is told. */
const tellSeconds = 60
const shape = /^jm_([0-9a-f]{12})_([A-Za-z0-9_-]{43})$/
/** What is compared with where there is no such token, so that it takes as long. */
const nobodys = secretHash('')

/** Tells whose token a program shows. It keeps the file open, and sees what was made or revoked meanwhile. */
export class TokenCheck {
  readonly #system: System
  readonly #database: string
  readonly #tell: (problem: string) => void
  #store: TokenStore | undefined
  /** When each token's use was last noted, or could not be. */
  readonly #noted = new Map<string, number>()
  #told = { problem: '', at: 0 }

  /** `tell` hears why no token can be checked. */
  constructor(system: System, ledger: string, tell: (problem: string) => void) {
    this.#system = system
    this.#database = tokensDatabase(ledger)
    this.#tell = tell
  }

  /** The token with this text, if it is valid now; null for every other text, whatever is wrong with it. */
  find(text: string): ApiToken | null {
    const token = this.#valid(text)
    if (token !== null) this.#noteUse(token, this.#system.clock.wallSeconds())
    return token
  }

  /** The same without counting as a use of the token. */
  isGood(text: string): boolean {
    return this.#valid(text) !== null
  }

  #valid(text: string): ApiToken | null {
    const [, id, secret] = shape.exec(text) ?? []
    if (id === undefined || secret === undefined) return null
    const found = this.#look(id)
    const isSame = isSameHash(secretHash(secret), found?.hash ?? nobodys)
    const now = this.#system.clock.wallSeconds()
    if (found === undefined || !isSame || tokenState(found.token, now) !== 'valid') return null
    return found.token
  }

  close(): void {
    this.#store?.close()
    this.#store = undefined
  }

  #look(id: string): StoredToken | undefined {
    try {
      if (this.#store?.isInPlace() === false) this.close()
      if (this.#store !== undefined) {
        // Others may have been let in since it was opened.
        refuseUntrusted(this.#database)
        return this.#store.find(id)
      }
      if (this.#system.files.isMissing(this.#database)) return undefined
      return this.#openAndLook(id)
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      this.close()
      this.#complain(error.message)
      return undefined
    }
  }

  #openAndLook(id: string): StoredToken | undefined {
    const opened = openTokensToRead(this.#database)
    if (opened === undefined) return undefined
    this.#store = opened.store
    try {
      return opened.store.find(id)
    } finally {
      if (opened.isStill) this.close()
    }
  }

  #complain(problem: string): void {
    const at = this.#system.clock.monotonicSeconds()
    if (problem === this.#told.problem && at - this.#told.at < tellSeconds) return
    this.#told = { problem, at }
    this.#tell(`tokens are refused: ${problem}`)
  }

  #noteUse({ id, lastUsedAt }: ApiToken, now: number): void {
    const last = this.#noted.get(id) ?? lastUsedAt
    if (last !== null && now - last < usedSeconds && now >= last) return
    this.#noted.set(id, now)
    try {
      const store = openTokens(this.#database, { lockWait })
      try {
        store.used(id, now)
      } finally {
        store.close()
      }
    } catch {
      // A full disk must not keep anybody out.
    }
  }
}
