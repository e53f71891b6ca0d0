import { formatCount } from '../../model/count.ts'
import type * as Re2 from 're2js'
import { loadPackage } from '../../system/load-package.ts'

/**
 * What a pattern of a workflow file matches. Patterns are RE2's, which take time in proportion to the text: with those of
 * JavaScript `^(a+)+$b` takes longer than the universe is old for a name of 40 letters, and files come from others.
 */
export type NamePattern =
  | { readonly kind: 'whole'; readonly name: string }
  | { readonly kind: 'start'; readonly text: string }
  | { readonly kind: 'expression'; readonly matches: (name: string) => boolean }
  | { readonly kind: 'wrong'; readonly message: string }

/** Longer ones are slips or attacks: RE2 takes a second to read a million characters. */
const mostCharacters = 10_000

/** `^name$` and `^start`, which most patterns are, need no engine; the others load it, 7 ms. */
export function compilePattern(pattern: string): NamePattern {
  const literal = /^\^((?:[\w\s:/@%=,-]|\\[-.+*?^$()[\]{}|/\\])+)(\$?)$/.exec(pattern)
  if (literal !== null) {
    const text = (literal[1] ?? '').replaceAll(/\\(.)/g, '$1')
    return literal[2] === '$' ? { kind: 'whole', name: text } : { kind: 'start', text }
  }
  if (pattern.length > mostCharacters) {
    const message = `the regular expression is longer than ${formatCount(mostCharacters)} characters`
    return { kind: 'wrong', message }
  }
  try {
    const { RE2JS } = loadPackage('re2js') as typeof Re2
    const compiled = RE2JS.compile(pattern)
    return { kind: 'expression', matches: (name) => compiled.test(name) }
  } catch (error) {
    return { kind: 'wrong', message: faultOf(pattern, error) }
  }
}

function faultOf(pattern: string, error: unknown): string {
  const quoted = JSON.stringify(pattern)
  const lacking = whatIsLacking(pattern)
  if (lacking !== undefined)
    return `${quoted} has ${lacking}, which RE2 regular expressions do not support`
  const why = error instanceof Error ? error.message.replace(/^error parsing regexp: /, '') : ''
  return `${quoted} is not a valid RE2 regular expression: ${why}`
}

/** What people know from JavaScript, Python or Perl, and no engine can do in linear time. */
function whatIsLacking(pattern: string): string | undefined {
  const plain = pattern.replaceAll(/\\\\|\[\^?\]?(?:\\.|[^\]\\])*\]/g, '')
  if (/(?<!\\)\(\?<?[=!]/.test(plain)) return 'a look-ahead or look-behind'
  if (/\\(?:[1-9]|k)/.test(plain)) return 'a back-reference'
  if (/(?<!\\)\(\?>|(?<!\\)[*+?}]\+/.test(plain)) return 'an atomic group or possessive repetition'
  return undefined
}
