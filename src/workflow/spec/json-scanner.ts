import { jsonNumber, jsonString, skipBlank, type Lexed } from './json-lexer.ts'
import {
  deepestNesting,
  type ListNode,
  type MapEntry,
  type MapNode,
  type Position,
  type ReadProblem,
  type SpecNode,
  type SpecPath,
} from './spec-node.ts'

export class JsonSyntaxError extends Error {
  readonly offset: number
  readonly path: SpecPath

  constructor(message: string, offset: number, path: SpecPath) {
    super(message)
    this.offset = offset
    this.path = path
  }
}

const words: Readonly<Record<string, boolean | null | number>> = {
  true: true,
  false: false,
  null: null,
}

const escaped = String.raw`\\u[\da-fA-F]{4}`
const identifier = new RegExp(
  String.raw`(?:[$_\p{ID_Start}]|${escaped})(?:[$\u200c\u200d\p{ID_Continue}]|${escaped})*`,
  'uy',
)

/** The key that an identifier stands for; nothing where an escape of it stands for what no identifier has there. */
function unescaped(word: string): string | undefined {
  const key = word.replaceAll(/\\u(.{4})/gu, (escape, digits: string, at: number) => {
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    const fits = at === 0 ? /[$_\p{ID_Start}]/u : /[$\u200c\u200d\p{ID_Continue}]/u
    return fits.test(character) ? character : escape
  })
  return key.includes('\\') ? undefined : key
}

/** Reads one text. `JSON.parse` tells no places, and the json5 package none either. */
export class JsonScanner {
  readonly problems: ReadProblem[] = []
  readonly #text: string
  readonly #json5: boolean
  readonly #place: (offset: number) => Position
  readonly #path: (string | number)[] = []
  #at = 0

  constructor(text: string, dialect: 'json' | 'json5', place: (offset: number) => Position) {
    this.#text = text
    this.#json5 = dialect === 'json5'
    this.#place = place
    // A byte order mark is no part of the document, though editors on Windows write it.
    if (text.startsWith('\uFEFF')) this.#at = 1
  }

  document(): SpecNode {
    this.#blank()
    const root = this.#value()
    this.#blank()
    if (this.#at < this.#text.length)
      this.#fail(`expected the end of the file, found ${this.#here()}`)
    return root
  }

  #value(): SpecNode {
    if (this.#path.length > deepestNesting)
      this.#fail(`nested more than ${deepestNesting} levels deep`)
    const at = this.#place(this.#at)
    const first = this.#text[this.#at] ?? ''
    if (first === '{') return this.#map(at)
    if (first === '[') return this.#list(at)
    if (first === '"' || (this.#json5 && first === "'")) {
      return { kind: 'scalar', at, value: this.#take(jsonString) }
    }
    if (/[-+.\dIN]/.test(first)) return { kind: 'scalar', at, value: this.#take(jsonNumber) }
    const word = /[a-z]+/y
    word.lastIndex = this.#at
    const found = word.exec(this.#text)?.[0] ?? ''
    const value = Object.hasOwn(words, found) ? words[found] : undefined
    if (value === undefined) this.#fail(`expected a value, found ${this.#here()}`)
    this.#at += found.length
    return { kind: 'scalar', at, value }
  }

  #map(at: Position): MapNode {
    const entries = new Map<string, MapEntry>()
    this.#members('}', () => {
      const keyAt = this.#place(this.#at)
      const key = this.#key()
      if (entries.has(key) || key === '__proto__') {
        const message = entries.has(key) ? 'duplicate key' : 'this name cannot be a key'
        this.problems.push({ at: keyAt, path: [...this.#path, key], message })
      }
      this.#blank()
      if (this.#text[this.#at] !== ':') this.#fail(`expected ":", found ${this.#here()}`)
      this.#at += 1
      this.#blank()
      this.#path.push(key)
      entries.set(key, { keyAt, value: this.#value() })
      this.#path.pop()
    })
    return { kind: 'map', at, entries }
  }

  #list(at: Position): ListNode {
    const items: SpecNode[] = []
    this.#members(']', () => {
      this.#path.push(items.length)
      items.push(this.#value())
      this.#path.pop()
    })
    return { kind: 'list', at, items }
  }

  #members(end: '}' | ']', member: () => void): void {
    this.#at += 1
    this.#blank()
    while (this.#text[this.#at] !== end) {
      member()
      this.#blank()
      const next = this.#text[this.#at]
      if (next === end) break
      if (next !== ',') this.#fail(`expected "," or "${end}", found ${this.#here()}`)
      const comma = this.#at
      this.#at += 1
      this.#blank()
      if (this.#text[this.#at] === end && !this.#json5) {
        this.#at = comma
        this.#fail(`trailing comma before "${end}"; JSON5 allows it, in a file named .json5`)
      }
    }
    this.#at += 1
  }

  #key(): string {
    const first = this.#text[this.#at]
    if (first === '"' || (this.#json5 && first === "'")) return this.#take(jsonString)
    identifier.lastIndex = this.#at
    const word = identifier.exec(this.#text)?.[0]
    const key = word === undefined ? undefined : unescaped(word)
    if (word === undefined || key === undefined) this.#fail(`expected a key, found ${this.#here()}`)
    if (!this.#json5) this.#fail(`the key ${word} needs double quotes`)
    this.#at += word.length
    return key
  }

  #take<T>(lex: (text: string, at: number, json5: boolean) => Lexed<T>): T {
    const lexed = lex(this.#text, this.#at, this.#json5)
    this.#at = lexed.end
    if (lexed.kind === 'wrong') this.#fail(lexed.message)
    return lexed.value
  }

  #blank(): void {
    const skipped = skipBlank(this.#text, this.#at, this.#json5)
    this.#at = skipped.end
    if (skipped.kind === 'wrong') this.#fail(skipped.message)
  }

  #here(): string {
    const rest = this.#text.slice(this.#at, this.#at + 12)
    return rest === '' ? 'the end of the file' : JSON.stringify(/^[\w.-]+|^./su.exec(rest)?.[0])
  }

  #fail(message: string): never {
    throw new JsonSyntaxError(message, this.#at, [...this.#path])
  }
}
