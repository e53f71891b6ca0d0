/** Kinds of fields in the wire format of Protocol Buffers. */
const varint = 0
const fixed64 = 1
const lengthDelimited = 2

const utf8 = new TextEncoder()

/** Writes messages of Protocol Buffers. Fields that have their default value are left out, as proto3 wants it. */
export class ProtobufWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #view: DataView
  #length = 0

  constructor(roomBytes = 1024) {
    this.#bytes = new Uint8Array(roomBytes)
    this.#view = new DataView(this.#bytes.buffer)
  }

  get length(): number {
    return this.#length
  }

  /** What was written; it holds until something else is. */
  bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  /** Has it written again from the start. */
  clear(): void {
    this.#length = 0
  }

  string(field: number, text: string): void {
    if (text === '') return
    this.item(field, text)
  }

  /** An item of a repeated field, which is there though it is empty. */
  item(field: number, text: string): void {
    this.#tag(field, lengthDelimited)
    // Of UTF-16 no unit takes more than three bytes. The length goes before, and is only known afterwards.
    const most = 3 * text.length
    this.#room(most + 5)
    const lengthBytes = varintBytes(most)
    const start = this.#length + lengthBytes
    const { written } = utf8.encodeInto(text, this.#bytes.subarray(start))
    const needed = varintBytes(written)
    if (needed !== lengthBytes)
      this.#bytes.copyWithin(this.#length + needed, start, start + written)
    this.#varint(written)
    this.#length += written
  }

  message(field: number, content: ProtobufWriter): void {
    this.#tag(field, lengthDelimited)
    this.#varint(content.length)
    this.raw(content.bytes())
  }

  /** What was written before, as it is. */
  raw(bytes: Uint8Array): void {
    this.#room(bytes.length)
    this.#bytes.set(bytes, this.#length)
    this.#length += bytes.length
  }

  /** Numbers from 0 up to 2^53. */
  unsigned(field: number, value: number): void {
    if (value === 0) return
    this.#tag(field, varint)
    this.#varint(value)
  }

  double(field: number, value: number): void {
    if (Object.is(value, 0)) return
    this.#tag(field, fixed64)
    this.#room(8)
    this.#view.setFloat64(this.#length, value, true)
    this.#length += 8
  }

  /** A double by its bits: of all that are not a number, this one. */
  doubleBits(field: number, bits: bigint): void {
    this.#tag(field, fixed64)
    this.#room(8)
    this.#view.setBigUint64(this.#length, bits, true)
    this.#length += 8
  }

  /** A repeated field of numbers, packed. */
  packed(field: number, values: readonly number[]): void {
    if (values.length === 0) return
    this.#tag(field, lengthDelimited)
    this.#varint(values.reduce((sum, value) => sum + varintBytes(value), 0))
    for (const value of values) this.#varint(value)
  }

  #tag(field: number, kind: number): void {
    this.#varint(field * 8 + kind)
  }

  #varint(value: number): void {
    this.#room(10)
    let rest = value
    for (; rest > 0x7f; rest = Math.floor(rest / 128))
      this.#bytes[this.#length++] = (rest % 128) | 0x80
    this.#bytes[this.#length++] = rest
  }

  #room(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const wider = new Uint8Array(Math.max(2 * this.#bytes.length, this.#length + bytes))
    wider.set(this.bytes())
    this.#bytes = wider
    this.#view = new DataView(wider.buffer)
  }
}

function varintBytes(value: number): number {
  let bytes = 1
  for (let rest = value; rest > 0x7f; rest = Math.floor(rest / 128)) bytes += 1
  return bytes
}
