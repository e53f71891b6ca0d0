import type { RawRecord, Splitter } from './raw-record.ts'

const newline = 0x0a
const carriageReturn = 0x0d
/** No line of a sampler is near that long: what is, is not kept in memory. */
const mostLineBytes = 1024 ** 2

/** Cuts a file into lines. Empty ones are passed over. */
export class LineSplitter implements Splitter {
  #parts: Uint8Array[] = []
  #length = 0
  #line = 1

  push(chunk: Uint8Array): RawRecord[] {
    const found: RawRecord[] = []
    let from = 0
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
      this.#keep(chunk.subarray(from, at))
      this.#close(found)
      this.#line += 1
      from = at + 1
    }
    this.#keep(chunk.subarray(from))
    return found
  }

  end(): RawRecord[] {
    const found: RawRecord[] = []
    this.#close(found)
    return found
  }

  #keep(part: Uint8Array): void {
    this.#length += part.length
    if (this.#length > mostLineBytes) this.#parts = []
    else if (part.length > 0) this.#parts.push(part)
  }

  #close(found: RawRecord[]): void {
    const line = this.#line
    if (this.#length > mostLineBytes) found.push({ line, why: 'the line is longer than 1 MiB' })
    else {
      const bytes = withoutReturn(this.#parts.length === 1 ? this.#parts[0] : joined(this.#parts))
      if (bytes.length > 0) found.push({ line, bytes })
    }
    this.#parts = []
    this.#length = 0
  }
}

const withoutReturn = (bytes: Uint8Array = new Uint8Array()): Uint8Array =>
  bytes.at(-1) === carriageReturn ? bytes.subarray(0, -1) : bytes

export function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
