import { joined } from './line-splitter.ts'
import type { RawRecord, Splitter } from './raw-record.ts'

const newline = 0x0a
const quote = 0x22
const backslash = 0x5c
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d] as const
/** Spaces, what some put between records (RFC 7464), and the mark that some editors begin a file with. */
const blanks: ReadonlySet<number> = new Set([0x20, newline, 0x0d, 0x09, 0x1e, 0xef, 0xbb, 0xbf])

/** Whether a file that begins so has JSON objects in it. */
export const startsJson = (start: Uint8Array): boolean =>
  start.find((byte) => !blanks.has(byte)) === openBrace

const mostRecordBytes = 64 * 1024 ** 2
const deepest = 64
/** How a record begins: enough bytes are held back to see it whole. */
const beginning = /^\{\s*"(?:meta|data|errors|timestamp)"\s*:/
const lookAhead = 64

/**
 * Cuts a file into the JSON objects that follow one another in it, on one line or on many. One that was cut off ends where the
 * next one begins, so that it costs no other; what is no object at all is a bad record to the end of its line.
 */
export class JsonSplitter implements Splitter {
  #held: Uint8Array = new Uint8Array()
  #parts: Uint8Array[] = []
  #length = 0
  #depth = 0
  #deepest = 0
  #inString = false
  #isEscaped = false
  #inJunk = false
  #line = 1
  #startLine = 1
  #previous = newline

  push(chunk: Uint8Array): RawRecord[] {
    const bytes = joined([this.#held, chunk])
    const until = Math.max(0, bytes.length - lookAhead)
    const found = this.#scan(bytes, until)
    this.#held = bytes.subarray(until)
    return found
  }

  end(): RawRecord[] {
    const found = this.#scan(this.#held, this.#held.length)
    this.#held = new Uint8Array()
    if (this.#inJunk) found.push(this.#junk())
    if (this.#depth > 0) found.push(this.#cutOff('the file ends in the middle of it'))
    return found
  }

  #scan(bytes: Uint8Array, until: number): RawRecord[] {
    const found: RawRecord[] = []
    let from = 0
    for (let at = 0; at < until; at++) {
      const byte = bytes[at] ?? 0
      if (byte === newline) this.#line += 1
      const startsLine = this.#previous === newline
      this.#previous = byte
      if (this.#depth > 0) {
        if (byte === openBrace && startsLine && beginsRecord(bytes, at)) {
          this.#keep(bytes, from, at)
          found.push(this.#cutOff('the next record begins before it ends'))
          this.#begin()
          from = at
        } else if (this.#closes(byte)) {
          this.#keep(bytes, from, at + 1)
          found.push(this.#take())
        }
      } else if (this.#inJunk) {
        if (byte === newline) found.push(this.#junk())
      } else if (byte === openBrace) {
        this.#begin()
        from = at
      } else if (!blanks.has(byte)) {
        this.#inJunk = true
        this.#startLine = this.#line
      }
    }
    if (this.#depth > 0) this.#keep(bytes, from, until)
    return found
  }

  #begin(): void {
    this.#depth = 1
    this.#deepest = 1
    this.#inString = false
    this.#isEscaped = false
    this.#startLine = this.#line
  }

  /** Whether the record ends with this byte. */
  #closes(byte: number): boolean {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false
      else if (byte === backslash) this.#isEscaped = true
      else if (byte === quote) this.#inString = false
      return false
    }
    if (byte === quote) this.#inString = true
    else if (byte === openBrace || byte === openBracket) {
      this.#depth += 1
      this.#deepest = Math.max(this.#deepest, this.#depth)
    } else if (byte === closeBrace || byte === closeBracket) {
      this.#depth -= 1
      return this.#depth === 0
    }
    return false
  }

  #keep(bytes: Uint8Array, from: number, to: number): void {
    this.#length += to - from
    if (this.#length > mostRecordBytes) this.#parts = []
    else this.#parts.push(bytes.subarray(from, to))
  }

  #take(): RawRecord {
    const line = this.#startLine
    const [first] = this.#parts
    const bytes = this.#parts.length === 1 && first !== undefined ? first : joined(this.#parts)
    const isTooLong = this.#length > mostRecordBytes
    this.#forget()
    if (isTooLong) return { line, why: 'the record is longer than 64 MiB' }
    if (this.#deepest > deepest) return { line, why: `it is nested more than ${deepest} deep` }
    return { line, bytes }
  }

  #cutOff(why: string): RawRecord {
    this.#forget()
    return { line: this.#startLine, why: `it is cut off: ${why}` }
  }

  #junk(): RawRecord {
    this.#inJunk = false
    return { line: this.#startLine, why: 'it is not a JSON object' }
  }

  #forget(): void {
    this.#depth = 0
    this.#parts = []
    this.#length = 0
  }
}

const beginsRecord = (bytes: Uint8Array, at: number): boolean =>
  beginning.test(String.fromCharCode(...bytes.subarray(at, at + lookAhead)))
