import { isSameHash, secretHash } from '../../system/token-secret.ts'

/** A secret that only its hash is kept of; asked in the same time whatever is offered. */
export class Secret {
  readonly #hash: string

  constructor(text: string) {
    this.#hash = secretHash(text)
  }

  is(offered: string): boolean {
    return isSameHash(this.#hash, secretHash(offered))
  }
}
