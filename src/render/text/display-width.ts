import { stripVTControlCharacters } from 'node:util'

// Unicode's tables take 0.3 ms to wake, and nearly no text needs them.
let tables: { readonly wide: RegExp; readonly invisible: RegExp } | undefined
const unicode = (): NonNullable<typeof tables> =>
  (tables ??= { wide: wide(), invisible: invisible() })

/** East Asian wide and full-width blocks. A flag is two letters, each half as wide as it: they are left to the rest. */
const wide = (): RegExp =>
  /[\u1100-\u115f\u2329\u232a\u2e80-\u303e\u3041-\u3247\u3250-\u4dbf\u4e00-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe10-\ufe19\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6\u{16fe0}-\u{18d08}\u{1aff0}-\u{1b2fb}\u{1f200}-\u{1f265}\u{20000}-\u{3fffd}]|(?![\u{1f1e6}-\u{1f1ff}])\p{Emoji_Presentation}/u
/** The vowels and final consonants of a Korean syllable that is written in parts stand in the room of its first one. */
const invisible = (): RegExp => /[\p{Mn}\p{Me}\p{Cf}\p{Cc}\u1160-\u11ff]/u

const plainText = /^[ -~]*$/

/**
 * How many columns of a terminal a text takes. Colours take none, Chinese and emoji two each. It goes
 * by characters: `Intl.Segmenter` would know families of emoji, but takes 12 ms to make, a quarter of
 * the whole start of node.
 */
export function displayWidth(text: string): number {
  // Nearly every text, and a table of 100,000 rows has a million cells.
  if (isPlain(text)) return text.length
  let columns = 0
  const plain =
    text.includes('\x1b') || text.includes('\x9b') ? stripVTControlCharacters(text) : text
  for (const character of plain) columns += characterWidth(character)
  return columns
}

const mostLooped = 16

/** A loop is faster than a regular expression for what is as short as a figure. */
function isPlain(text: string): boolean {
  if (text.length > mostLooped) return plainText.test(text)
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/** Cuts a text without colours to at most so many columns, with `…` where something is missing. */
export function fitWidth(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let used = 1
  for (const character of text) {
    used += characterWidth(character)
    if (used > columns) break
    kept += character
  }
  return `${kept}…`
}

/** The same with what is missing in the middle: names of many jobs differ in their ends. */
export function fitMiddle(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let end = ''
  let endColumns = 0
  for (const character of Array.from(text).toReversed()) {
    endColumns += characterWidth(character)
    if (endColumns > columns * 0.4) break
    end = character + end
  }
  return fitWidth(text, columns - displayWidth(end)) + end
}

/** The same with what is missing at the front: the end of a path is its name. Whole folders are left out if that will do. */
export function fitEnd(text: string, columns: number): string {
  if (displayWidth(text) <= columns) return text
  let kept = ''
  let used = 1
  for (const character of Array.from(text).toReversed()) {
    used += characterWidth(character)
    if (used > columns) break
    kept = character + kept
  }
  return `…${kept.slice(Math.max(0, kept.indexOf('/')))}`
}

export function padEndWidth(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - displayWidth(text)))
}

export function padStartWidth(text: string, columns: number): string {
  return ' '.repeat(Math.max(0, columns - displayWidth(text))) + text
}

/** Breaks plain text between words into lines of at most so many columns; a longer word stays whole. */
export function wrapWords(text: string, columns: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && displayWidth(longer) > columns) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0
  // Nearly every character: ASCII and Latin letters, without waking the Unicode tables.
  if ((code >= 0x20 && code < 0x7f) || (code > 0xad && code < 0x300)) return 1
  if (unicode().invisible.test(character)) return 0
  return unicode().wide.test(character) ? 2 : 1
}
