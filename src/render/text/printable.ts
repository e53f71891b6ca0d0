import { ourColours } from './our-colours.ts'

/**
 * Everything that could move the cursor, change colours, hide or reorder text on a terminal: control
 * characters (C0, DEL, C1), format and bidirectional marks, line separators and lone surrogates.
 */
const unsafe = (): RegExp => /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const plainText = /^[ -~]*$/
const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * Makes text that others wrote (commands, file names, errors) safe to print: unsafe characters
 * appear as escapes, so that a job's name cannot take over the terminal or forge a line of ours.
 */
export function printable(text: string): string {
  // Nearly every text; Unicode's tables, which the others need, take 0.1 ms to wake.
  if (plainText.test(text)) return text
  return text.replace(unsafe(), (character) => short[character] ?? escape(character))
}

function escape(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16)
  return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`
}

/** Beyond ASCII: letters of the West, and the signs that our own texts have. None of them is unsafe. */
const suspicious = /[^\t\n -~\u00a0-\u00ac\u00ae-\u02ff\u2010-\u2027\u2030-\u205e\u2190-\u2bff]/

/**
 * The same for a text of ours that may hold some of theirs: lines and tabs stay as they are, and so do our own colours where
 * there are any. It is the last thing that is done to whatever is printed, so that no message can forget it.
 */
export function printableText(text: string, hasColours: boolean): string {
  const bare = hasColours && text.includes('\u001b') ? text.replaceAll(ourColours, '') : text
  if (!suspicious.test(bare)) return text
  if (!hasColours) return safeLines(text)
  let safe = ''
  let from = 0
  for (const { index, 0: colour } of text.matchAll(ourColours)) {
    safe += safeLines(text.slice(from, index)) + colour
    from = index + colour.length
  }
  return safe + safeLines(text.slice(from))
}

const safeLines = (text: string): string =>
  text.replace(unsafe(), (character) =>
    character === '\n' || character === '\t' ? character : (short[character] ?? escape(character)),
  )

const plainWord = /^[\w@%+=:,./-]+$/

/** A command line as one would type it: words that a shell would split or expand are quoted. */
export function commandLine(command: readonly string[]): string {
  return command
    .map((word) => (plainWord.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .map(printable)
    .join(' ')
}
