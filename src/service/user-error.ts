/** Something that whoever asked can mend: the message says what and how. */
export class UserError extends Error {
  /** `usage`: what was asked for makes no sense, whatever there is; `state`: it cannot be had as things stand. */
  readonly kind: 'usage' | 'state'

  constructor(message: string, kind: 'usage' | 'state' = 'state') {
    super(message)
    this.kind = kind
  }
}
