/** As much of a log as a page holds. */
export interface LogRead {
  readonly text: string
  /** Why there is nothing to be read; null: there is. */
  readonly why: string | null
  readonly isCut: boolean
}

/** The whole file can be downloaded. */
const mostCharacters = 400_000

/** A part of a log as events tell it. */
export interface LogPiece {
  /** The byte of the log that it begins with. */
  readonly from: number
  readonly text: string
  /** The log was emptied or replaced by another: what was read before is no longer in it. */
  readonly is_anew: boolean
}

/** A log with the next part of it. `isFirst`: what was read before is told again. */
export function withPiece(
  log: LogRead,
  { from, text, is_anew: isAnew }: LogPiece,
  isFirst: boolean,
): LogRead {
  const before = isAnew || isFirst ? { text: '', isCut: from > 0 } : log
  const whole = before.text + text
  const isCut = before.isCut || whole.length > mostCharacters
  return { text: whole.slice(-mostCharacters), why: null, isCut }
}
