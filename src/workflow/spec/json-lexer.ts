/** A piece of text that was understood, or why it was not; `end` is where to go on or to point at. */
export type Lexed<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly end: number }
  | { readonly kind: 'wrong'; readonly message: string; readonly end: number }

const strictNumber = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][-+]?\d+)?/y
const looseNumber =
  /[-+]?(?:Infinity|NaN|0[xX][\da-fA-F]+|(?:(?:0|[1-9]\d*)(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)/y

export function jsonNumber(text: string, at: number, json5: boolean): Lexed<number> {
  const pattern = json5 ? looseNumber : strictNumber
  pattern.lastIndex = at
  const found = pattern.exec(text)?.[0]
  const end = at + (found?.length ?? 0)
  // 012 and 1a are no numbers, though each starts with one.
  if (found === undefined || /[\w.$]/.test(text[end] ?? '')) {
    const word = /^[-+\w.]+/.exec(text.slice(at, at + 24))?.[0] ?? text[at]
    return { kind: 'wrong', message: `${JSON.stringify(word)} is not a number`, end: at }
  }
  const sign = found.startsWith('-') ? -1 : 1
  return { kind: 'ok', value: sign * Number(found.replace(/^[-+]/, '')), end }
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
}
const looseEscapes: Readonly<Record<string, string>> = { ...escapes, v: '\v', '0': '\0' }

export function jsonString(text: string, at: number, json5: boolean): Lexed<string> {
  const quote = text[at]
  let value = ''
  let from = at + 1
  for (;;) {
    let to = from
    while (
      to < text.length &&
      text[to] !== quote &&
      text[to] !== '\\' &&
      !breaks(text, to, json5)
    ) {
      to += 1
    }
    value += text.slice(from, to)
    if (text[to] === quote) return { kind: 'ok', value, end: to + 1 }
    if (text[to] !== '\\') return unfinished(text, at, to)
    const escape = json5 ? looseEscape(text, to) : strictEscape(text, to)
    if (escape.kind === 'wrong') return escape
    value += escape.value
    from = escape.end
  }
}

function unfinished(text: string, at: number, to: number): Lexed<string> {
  if (to >= text.length || text[to] === '\n' || text[to] === '\r') {
    return { kind: 'wrong', message: 'the text has no closing quote', end: at }
  }
  const code = text.charCodeAt(to).toString(16).padStart(4, '0')
  return {
    kind: 'wrong',
    message: `the character \\u${code} must be written as an escape`,
    end: to,
  }
}

function breaks(text: string, at: number, json5: boolean): boolean {
  const code = text.charCodeAt(at)
  return json5 ? code === 0x0a || code === 0x0d : code < 0x20
}

function strictEscape(text: string, at: number): Lexed<string> {
  const letter = text[at + 1] ?? ''
  if (letter === 'u') return codeEscape(text, at, 4)
  const value = escapes[letter]
  if (value !== undefined) return { kind: 'ok', value, end: at + 2 }
  return { kind: 'wrong', message: `\\${letter} is not an escape`, end: at }
}

/** JSON5 takes any other escaped character as itself, and a line break as nothing. */
function looseEscape(text: string, at: number): Lexed<string> {
  const letter = String.fromCodePoint(text.codePointAt(at + 1) ?? 0x20)
  if (letter === 'u') return codeEscape(text, at, 4)
  if (letter === 'x') return codeEscape(text, at, 2)
  if (letter === '\r' && text[at + 2] === '\n') return { kind: 'ok', value: '', end: at + 3 }
  if (/[\n\r\u2028\u2029]/.test(letter)) return { kind: 'ok', value: '', end: at + 2 }
  if (/[1-9]/.test(letter) || (letter === '0' && /\d/.test(text[at + 2] ?? ''))) {
    return { kind: 'wrong', message: `\\${letter} is not an escape`, end: at }
  }
  return { kind: 'ok', value: looseEscapes[letter] ?? letter, end: at + 1 + letter.length }
}

function codeEscape(text: string, at: number, digits: number): Lexed<string> {
  const code = text.slice(at + 2, at + 2 + digits)
  if (code.length === digits && /^[\da-fA-F]+$/.test(code)) {
    return { kind: 'ok', value: String.fromCharCode(parseInt(code, 16)), end: at + 2 + digits }
  }
  const message = `\\${text[at + 1]} takes ${digits} hexadecimal digits`
  return { kind: 'wrong', message, end: at }
}

const strictBlank = /[ \t\n\r]*/y
const looseBlank = /(?:[\s\uFEFF]+|\/\/[^\n\r\u2028\u2029]*|\/\*[^]*?\*\/)*/y

export function skipBlank(text: string, at: number, json5: boolean): Lexed<null> {
  const pattern = json5 ? looseBlank : strictBlank
  pattern.lastIndex = at
  const end = at + (pattern.exec(text)?.[0].length ?? 0)
  if (text.startsWith('/*', end) && json5) {
    return { kind: 'wrong', message: 'the comment has no end', end }
  }
  if (text[end] === '/' && !json5) {
    return {
      kind: 'wrong',
      message: 'JSON does not allow comments; JSON5 does, in a file named .json5',
      end,
    }
  }
  return { kind: 'ok', value: null, end }
}
