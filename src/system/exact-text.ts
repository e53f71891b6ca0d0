import { isUtf8 } from 'node:buffer'

/**
 * Names and arguments are bytes to the kernel, and need not be UTF-8. A text stands for any bytes here: what is UTF-8 is
 * itself, and each other byte is a lone surrogate, U+DC80 for 0x80 to U+DCFF for 0xFF, which no UTF-8 can hold. Python does
 * the same. `toWellFormed()` makes it fit for people and records.
 */
export function exactText(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString()
  let text = ''
  for (let at = 0; at < bytes.length;) {
    const byte = bytes[at] ?? 0
    const character = bytes.subarray(at, at + utf8Length(byte))
    if (isUtf8(character)) {
      text += character.toString()
      at += character.length
    } else {
      text += String.fromCharCode(0xdc00 + byte)
      at += 1
    }
  }
  return text
}

/** How many bytes a character has whose first one this is. */
function utf8Length(firstByte: number): number {
  if (firstByte < 0xc0) return 1
  if (firstByte < 0xe0) return 2
  return firstByte < 0xf0 ? 3 : 4
}

/** The bytes that a text stands for. */
export function exactBytes(text: string): Buffer {
  const characters = Array.from(text, (character) => {
    const code = character.codePointAt(0) ?? 0
    return code >= 0xdc80 && code <= 0xdcff ? Buffer.of(code - 0xdc00) : Buffer.from(character)
  })
  return Buffer.concat(characters)
}

/** For calls that take text or bytes. Nearly all text is plain, and passing that is quicker. */
export const textOrBytes = (text: string): string | Buffer =>
  text.isWellFormed() ? text : exactBytes(text)
