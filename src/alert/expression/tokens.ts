import { parseDuration } from '../../model/duration.ts'

export type Token =
  | { readonly kind: 'number'; readonly value: number; readonly at: number }
  | { readonly kind: 'duration'; readonly seconds: number; readonly at: number }
  | { readonly kind: 'name' | 'sign'; readonly text: string; readonly at: number }

export class ExpressionError extends Error {
  override readonly name = 'ExpressionError'
  /** Counts from 0. */
  readonly at: number
  /** What was written there, where it is a name that nobody knows. */
  readonly unknownName: string | null

  constructor(message: string, at: number, unknownName: string | null = null) {
    super(message)
    this.at = at
    this.unknownName = unknownName
  }
}

/** Longer ones are a mistake, and would take long to read. */
export const longestExpression = 500

const token =
  /\s*(?:(?<number>\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?<unit>[a-z]+)?|(?<name>[a-z_][a-z0-9_]*)|(?<sign><=|>=|==|!=|[-+*/()<>,]))/iy

export function tokensOf(text: string): readonly Token[] {
  if (text.length > longestExpression)
    throw new ExpressionError(`longer than ${longestExpression} characters`, longestExpression)
  const tokens: Token[] = []
  const end = text.trimEnd().length
  token.lastIndex = 0
  while (token.lastIndex < end) {
    const from = token.lastIndex
    const groups = token.exec(text)?.groups
    if (groups === undefined) {
      const at = from + (/\S/.exec(text.slice(from))?.index ?? 0)
      throw new ExpressionError(`${JSON.stringify(text[at])} is not expected here`, at)
    }
    tokens.push(tokenOf(groups, token.lastIndex))
  }
  return tokens
}

function tokenOf(groups: Readonly<Record<string, string | undefined>>, end: number): Token {
  const { number, unit = '', name, sign = '' } = groups
  if (number === undefined) {
    const text = name ?? sign
    return { kind: name === undefined ? 'sign' : 'name', text, at: end - text.length }
  }
  const at = end - number.length - unit.length
  if (unit === '') return { kind: 'number', value: Number(number), at }
  const seconds = parseDuration(number + unit)
  if (seconds === undefined)
    throw new ExpressionError(`${JSON.stringify(number + unit)} is not a duration`, at)
  return { kind: 'duration', seconds, at }
}
