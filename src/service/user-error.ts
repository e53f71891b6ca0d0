/**
 * `usage`: what was asked for makes no sense, whatever there is; `state`: it cannot be had as things stand; `machine`: it could
 * be had, and the machine did not do its part.
 */
type Kind = 'usage' | 'state' | 'machine'

/** Something that whoever asked can mend: the message says what and how. */
export class UserError extends Error {
  readonly kind: Kind

  constructor(message: string, kind: Kind = 'state') {
    super(message)
    this.kind = kind
  }
}
