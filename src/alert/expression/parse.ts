import {
  callNames,
  comparisons,
  windowNames,
  type BinarySign,
  type Expression,
  type WindowName,
} from './expression.ts'
import { ExpressionError, tokensOf, type Token } from './tokens.ts'

/** Deeper ones nobody can read. */
const deepest = 32
const longestWindowSeconds = 24 * 3600

/** Reads an expression; throws an ExpressionError. `isKnown` says which names of figures there are. */
export function parseExpression(text: string, isKnown: (name: string) => boolean): Expression {
  return new Parser(tokensOf(text), text.length, isKnown).whole()
}

class Parser {
  readonly #tokens: readonly Token[]
  readonly #end: number
  readonly #isKnown: (name: string) => boolean
  #next = 0
  #depth = 0

  constructor(tokens: readonly Token[], end: number, isKnown: (name: string) => boolean) {
    this.#tokens = tokens
    this.#end = end
    this.#isKnown = isKnown
  }

  whole(): Expression {
    const expression = this.#deeper(() => this.#or())
    if (this.#token !== undefined) throw this.#unexpected()
    return expression
  }

  #or(): Expression {
    return this.#chain(['or'], () => this.#and())
  }

  #and(): Expression {
    return this.#chain(['and'], () => this.#not())
  }

  #not(): Expression {
    if (!this.#takes('not')) return this.#comparison()
    return { kind: 'unary', sign: 'not', of: this.#deeper(() => this.#not()) }
  }

  /** `a < b < c` means something else in every language. */
  #comparison(): Expression {
    const left = this.#sum()
    const sign = comparisons.find((each) => this.#takes(each))
    return sign === undefined ? left : { kind: 'binary', sign, left, right: this.#sum() }
  }

  #sum(): Expression {
    return this.#chain(['+', '-'], () => this.#product())
  }

  #product(): Expression {
    return this.#chain(['*', '/'], () => this.#negated())
  }

  #negated(): Expression {
    if (!this.#takes('-')) return this.#primary()
    return { kind: 'unary', sign: '-', of: this.#deeper(() => this.#negated()) }
  }

  #primary(): Expression {
    const token = this.#token
    if (token?.kind === 'number') {
      this.#next += 1
      return { kind: 'number', value: token.value }
    }
    if (token?.kind === 'name' && !['and', 'or', 'not'].includes(token.text)) {
      this.#next += 1
      return this.#takes('(') ? this.#call(token.text, token.at) : this.#name(token.text, token.at)
    }
    if (!this.#takes('(')) throw this.#unexpected()
    const inside = this.#deeper(() => this.#or())
    this.#expect(')')
    return inside
  }

  #name(name: string, at: number): Expression {
    if (!this.#isKnown(name)) throw new ExpressionError(`unknown name ${name}`, at, name)
    return { kind: 'name', name }
  }

  #call(name: string, at: number): Expression {
    const [window, plain] = [windowNames, ['min', 'max', 'abs'] as const]
    const of = [this.#deeper(() => this.#or())]
    if (isOneOf(window, name)) return this.#window(name, of[0])
    if (name === 'min' || name === 'max')
      while (this.#takes(',')) of.push(this.#deeper(() => this.#or()))
    if (!isOneOf(callNames, name)) throw new ExpressionError(`unknown function ${name}`, at, name)
    this.#expect(')')
    if (isOneOf(plain, name)) return { kind: 'call', name, of }
    return { kind: 'rate', of: of[0] ?? never() }
  }

  #window(name: WindowName, of: Expression | undefined): Expression {
    this.#expect(',')
    const token = this.#token
    if (token?.kind !== 'duration')
      throw new ExpressionError(
        `${name}(…) needs a duration, as in ${name}(cpu_percent, 60s)`,
        this.#at,
      )
    if (token.seconds <= 0 || token.seconds > longestWindowSeconds)
      throw new ExpressionError('a window must be longer than 0 and at most 24h', token.at)
    this.#next += 1
    this.#expect(')')
    return { kind: 'window', name, of: of ?? never(), seconds: token.seconds }
  }

  #chain(signs: readonly BinarySign[], part: () => Expression): Expression {
    let left = part()
    for (;;) {
      const sign = signs.find((each) => this.#takes(each))
      if (sign === undefined) return left
      left = { kind: 'binary', sign, left, right: part() }
    }
  }

  #deeper<T>(work: () => T): T {
    this.#depth += 1
    if (this.#depth > deepest) throw new ExpressionError('nested too deeply', this.#at)
    const answer = work()
    this.#depth -= 1
    return answer
  }

  get #token(): Token | undefined {
    return this.#tokens[this.#next]
  }

  get #at(): number {
    return this.#token?.at ?? this.#end
  }

  #takes(text: string): boolean {
    const token = this.#token
    const isIt = token !== undefined && 'text' in token && token.text === text
    if (isIt) this.#next += 1
    return isIt
  }

  #expect(text: string): void {
    if (!this.#takes(text)) throw this.#unexpected(JSON.stringify(text))
  }

  #unexpected(wanted = 'a number, a name or "("'): ExpressionError {
    const token = this.#token
    if (token === undefined)
      return new ExpressionError(`ends where ${wanted} is expected`, this.#end)
    const found = 'text' in token ? JSON.stringify(token.text) : 'a number'
    return new ExpressionError(`${found} where ${wanted} is expected`, token.at)
  }
}

const isOneOf = <T extends string>(list: readonly T[], text: string): text is T =>
  (list as readonly string[]).includes(text)

function never(): never {
  throw new Error('a call has at least one argument')
}
