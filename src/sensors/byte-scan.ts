const nothing = new Uint8Array(0)

/**
 * Walks over the bytes of a kernel file. A parser keeps one and begins it anew for each file: the
 * place is a field, not a result, so that reading a number costs no allocation.
 */
export class ByteScan {
  bytes: Uint8Array = nothing
  position = 0
  end = 0

  begin(bytes: Uint8Array, length: number): void {
    this.bytes = bytes
    this.position = 0
    this.end = Math.min(length, bytes.length)
  }

  /** The byte at the place, or -1 at the end. */
  peek(): number {
    return this.position < this.end ? (this.bytes[this.position] ?? -1) : -1
  }

  /**
   * The digits at the place as a number, and steps over them. NaN when there are none, and when
   * they say more than `largest`. A double holds no more than that exactly; only counters of
   * nanoseconds get there, and for them the last digits do not matter.
   */
  number(largest: number = Number.MAX_SAFE_INTEGER): number {
    const { bytes, end } = this
    const start = this.position
    let position = start
    let total = 0
    while (position < end) {
      const digit = (bytes[position] ?? 0) - 48
      if (digit < 0 || digit > 9) break
      total = total * 10 + digit
      position += 1
    }
    this.position = position
    return position === start || total > largest ? Number.NaN : total
  }

  /**
   * A number and the blank after it; NaN where it is cut. In one piece, because it is asked for forty times a process
   * before the engine has compiled anything, and until then each call costs as much as four digits.
   */
  field(): number {
    const { bytes, end } = this
    const start = this.position
    let position = start
    let total = 0
    let byte = 0
    for (; position < end; position += 1) {
      byte = bytes[position] ?? 0
      if (byte < 48 || byte > 57) break
      total = total * 10 + (byte - 48)
    }
    this.position = position
    if (position === end || (byte !== 32 && byte !== 10 && byte !== 9)) return Number.NaN
    this.position = position + 1
    return position === start || total > Number.MAX_SAFE_INTEGER ? Number.NaN : total
  }

  /** Steps over so many words, each with the blank after it. */
  skipFields(count: number): void {
    const { bytes, end } = this
    let position = this.position
    for (let left = count; left > 0 && position < end; position += 1)
      if ((bytes[position] ?? 0) <= 32) left -= 1
    this.position = position
  }

  /** A number that may stand after blanks. */
  nextNumber(): number {
    this.skipBlanks()
    return this.number()
  }

  /** Steps over spaces and tabs. */
  skipBlanks(): void {
    const { bytes, end } = this
    let position = this.position
    while (position < end && (bytes[position] === 32 || bytes[position] === 9)) position += 1
    this.position = position
  }

  /** Steps to the next blank or line end. */
  skipWord(): void {
    const { bytes, end } = this
    let position = this.position
    while (position < end && (bytes[position] ?? 0) > 32) position += 1
    this.position = position
  }

  /** Steps to the start of the next line. */
  skipLine(): void {
    const { bytes, end } = this
    let position = this.position
    while (position < end && bytes[position] !== 10) position += 1
    this.position = position < end ? position + 1 : end
  }

  /** Steps over these bytes if they stand here. */
  accept(text: Uint8Array): boolean {
    const { bytes, position } = this
    if (position + text.length > this.end) return false
    for (let index = 0; index < text.length; index += 1) {
      if (bytes[position + index] !== text[index]) return false
    }
    this.position = position + text.length
    return true
  }

  /** Steps over one byte if it stands here. */
  acceptByte(byte: number): boolean {
    if (this.peek() !== byte) return false
    this.position += 1
    return true
  }

  /** Whether a number just read is whole: a blank or a line end follows, not a cut or a letter. */
  endsWord(): boolean {
    const byte = this.peek()
    return byte === 32 || byte === 10 || byte === 9
  }
}

/**
 * What a counter of nanoseconds can reach: the kernel keeps 64 bits. The exact range of a double
 * ends after 104 CPU days, which a large job uses up in one.
 */
export const largestNanoseconds = 2 ** 64

const encoder = new TextEncoder()

/** The bytes of a word to look for. */
export const wordBytes = (word: string): Uint8Array => encoder.encode(word)

/** Kibibytes, which the kernel writes as kB, in bytes; NaN beyond what a double holds exactly. */
export function kibibytes(count: number): number {
  const bytes = count * 1024
  return bytes <= Number.MAX_SAFE_INTEGER ? bytes : Number.NaN
}
