/** Bytes that grow as they are written. */
export class ByteWriter {
  #bytes = Buffer.alloc(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.#length] = value
    this.#length += 1
  }

  /** A whole number from 0 to 2^53, seven bits a byte. */
  count(value: number): void {
    this.#reserve(8)
    let rest = value
    while (rest >= 0x80) {
      this.#bytes[this.#length] = (rest % 0x80) + 0x80
      this.#length += 1
      rest = Math.floor(rest / 0x80)
    }
    this.#bytes[this.#length] = rest
    this.#length += 1
  }

  /** A whole number of either sign, small ones in one byte. */
  difference(value: number): void {
    this.count(value < 0 ? -2 * value - 1 : 2 * value)
  }

  double(value: number): void {
    this.#reserve(8)
    this.#bytes.writeDoubleLE(value, this.#length)
    this.#length += 8
  }

  text(value: string): void {
    const bytes = Buffer.from(value)
    this.count(bytes.length)
    this.bytes(bytes)
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  written(): Buffer {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = Buffer.alloc(2 * (this.#length + count))
    larger.set(this.#bytes)
    this.#bytes = larger
  }
}

/** Reads what a `ByteWriter` wrote; whatever is not there is an error. */
export class ByteReader {
  readonly #bytes: Buffer
  #at = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  byte(): number {
    const value = this.#bytes[this.#at]
    if (value === undefined) throw new RangeError('a chunk ends too early')
    this.#at += 1
    return value
  }

  count(): number {
    let value = 0
    for (let scale = 1; ; scale *= 0x80) {
      const byte = this.byte()
      value += (byte % 0x80) * scale
      if (byte < 0x80) return value
    }
  }

  difference(): number {
    const value = this.count()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }

  double(): number {
    const value = this.#bytes.readDoubleLE(this.#at)
    this.#at += 8
    return value
  }

  text(): string {
    return this.bytes(this.count()).toString()
  }

  bytes(count: number): Buffer {
    const value = this.#bytes.subarray(this.#at, this.#at + count)
    if (value.length < count) throw new RangeError('a chunk ends too early')
    this.#at += count
    return value
  }
}
