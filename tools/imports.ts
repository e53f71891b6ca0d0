/** One import of a file: what it names and where. Lines and columns count from 1. */
export interface Import {
  readonly specifier: string
  readonly line: number
  readonly column: number
}

/** Stands for an `import(…)` whose path is only known when it runs, which no check can follow. */
export const computed = 'a computed path'

interface Token {
  readonly kind: 'word' | 'text' | 'mark'
  readonly value: string
  readonly offset: number
}

/**
 * Everything a TypeScript source imports: static, type-only, for its effect, re-exported, by
 * `import('…')` in code or in types, and by `require('…')`. Comments, strings and regular expressions that
 * merely look like imports are not taken for one.
 */
export function findImports(source: string): Import[] {
  const tokens = tokenize(source)
  const found: Import[] = []
  tokens.forEach((token, index) => {
    const specifier = specifierAt(tokens, index)
    if (specifier === undefined) return
    const before = source.slice(0, token.offset)
    const line = before.split('\n').length
    found.push({ specifier, line, column: token.offset - before.lastIndexOf('\n') })
  })
  return found
}

/** What the statement or call that begins at this token imports, if it is one that imports. */
function specifierAt(tokens: readonly Token[], index: number): string | undefined {
  const { kind, value } = tokens[index] ?? nothing
  if (kind !== 'word' || tokens[index - 1]?.value === '.') return undefined
  const next = tokens[index + 1] ?? nothing
  if (value === 'import' || value === 'require') {
    const [called, end] = next.value === '(' ? tokens.slice(index + 2, index + 4) : []
    if (called?.kind === 'text' && /^[,)]$/.test(end?.value ?? '')) return called.value
    if (called !== undefined && value === 'import') return computed
  }
  if (value === 'import') {
    if (next.kind === 'text') return next.value
    return next.kind === 'word' || opensClause(next) ? textAfterFrom(tokens, index) : undefined
  }
  if (value !== 'export') return undefined
  const clause = next.value === 'type' ? tokens[index + 2] : next
  return clause !== undefined && opensClause(clause) ? textAfterFrom(tokens, index) : undefined
}

const nothing: Token = { kind: 'mark', value: '', offset: 0 }
const opensClause = (token: Token): boolean => token.kind === 'mark' && /[{*]/.test(token.value)

/** Walks over `{ a as b, type c }` or `* as d` and the like to `from '…'`. */
function textAfterFrom(tokens: readonly Token[], start: number): string | undefined {
  for (let index = start + 1; index < tokens.length; index++) {
    const token = tokens[index] ?? nothing
    const next = tokens[index + 1]
    if (token.kind === 'word' && token.value === 'from' && next?.kind === 'text') return next.value
    if (token.kind === 'mark' && !/[{},*]/.test(token.value)) return undefined
    // `export { a }` ends without a `from` when another statement follows.
    const ended = token.value === '}' && !(next?.kind === 'word' && next.value === 'from')
    if (ended) return undefined
  }
  return undefined
}

const comment = /\/\/[^\n]*|\/\*[^]*?\*\//y
const quoted = /'((?:[^'\\\n]|\\[^])*)'|"((?:[^"\\\n]|\\[^])*)"|`((?:[^`\\$]|\\[^]|\$(?!\{))*)`/y
const word = /[\p{ID_Start}$_][\p{ID_Continue}$]*/uy
const number = /\.?\d[\w.]*/y
const expression = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y
const templatePart = /(?:[^`\\$]|\\[^]|\$(?!\{))*/y

function tokenize(source: string): Token[] {
  const tokens: Token[] = []
  // How many braces are open inside each `${…}` that we are in.
  const holes: number[] = []
  let offset = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = offset
    return pattern.exec(source)
  }
  const add = (kind: Token['kind'], value: string, length: number): void => {
    tokens.push({ kind, value, offset })
    offset += length
  }
  /** The rest of a template up to its end or its next `${`. */
  const skipTemplate = (): void => {
    offset += match(templatePart)?.[0].length ?? 0
    if (source.startsWith('${', offset)) holes.push(0)
    offset += source.startsWith('${', offset) ? 2 : 1
  }
  while (offset < source.length) {
    const character = source.charAt(offset)
    const depth = holes.at(-1)
    const skipped = match(comment)?.[0] ?? (/\s/.test(character) ? character : undefined)
    const string = match(quoted)
    const name = match(word)?.[0]
    const digits = match(number)?.[0]
    const regex = startsExpression(tokens.at(-1)) ? match(expression)?.[0] : undefined
    if (skipped !== undefined) offset += skipped.length
    else if (string !== null)
      add('text', string[1] ?? string[2] ?? string[3] ?? '', string[0].length)
    else if (name !== undefined) add('word', name, name.length)
    else if (digits !== undefined) add('mark', digits, digits.length)
    else if (regex !== undefined) add('mark', regex, regex.length)
    else if (character === '`') {
      add('mark', '`', 1)
      skipTemplate()
    } else if (character === '}' && depth === 0) {
      holes.pop()
      offset += 1
      skipTemplate()
      // What follows the template divides it, as it would any other value.
      tokens.push({ kind: 'mark', value: ')', offset: offset - 1 })
    } else {
      if (depth !== undefined && character === '{') holes[holes.length - 1] = depth + 1
      if (depth !== undefined && character === '}') holes[holes.length - 1] = depth - 1
      add('mark', character, 1)
    }
  }
  return tokens
}

/** Whether a `/` after this token begins a regular expression; after a value it divides. */
function startsExpression(previous: Token | undefined): boolean {
  if (previous === undefined) return true
  if (previous.kind === 'text') return false
  if (previous.kind === 'word')
    return /^(?:return|typeof|case|in|of|void|yield|await|else|do)$/.test(previous.value)
  return !/[\w)\]}]$/.test(previous.value)
}
