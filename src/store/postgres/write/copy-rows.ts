import { once } from 'node:events'
import type { PoolClient } from 'pg'
import { from } from 'pg-copy-streams'
import { textToStore } from '../stored-text.ts'
import { Refused } from './refused.ts'
import type { Value } from './batch.ts'

export type ColumnType = 'text' | 'bigint' | 'integer' | 'double precision' | 'bytea'

/** The columns of a table, in order. */
export type Shape = Readonly<Record<string, ColumnType>>

/** PostgreSQL's binary format: figures go as they are, and packed samples take no more than they have. */
const header = Buffer.concat([
  Buffer.from('PGCOPY\n'),
  Buffer.of(0xff, 0x0d, 0x0a, 0),
  Buffer.alloc(8),
])
const trailer = Buffer.of(0xff, 0xff)

const pieceBytes = 256 * 1024

/** Stores rows by COPY. */
export async function copyRows(
  client: PoolClient,
  table: string,
  shape: Shape,
  rows: Iterable<readonly Value[]>,
): Promise<void> {
  const names = Object.keys(shape).map((name) => `"${name}"`)
  const stream = client.query(
    from(`COPY ${table} (${names.join(', ')}) FROM STDIN WITH (FORMAT binary)`),
  )
  const done = once(stream, 'finish')
  // Told by `done`, or by the write that comes next.
  done.catch(() => {})
  try {
    for (const piece of pieces(Object.values(shape), rows))
      if (!stream.write(piece)) await Promise.race([once(stream, 'drain'), done])
  } catch (error) {
    // Where the connection is lost already, it has nobody to tell that it ends, and fails at that.
    stream.on('error', () => {})
    stream.destroy()
    throw error
  }
  stream.end(trailer)
  await done
}

function* pieces(types: readonly ColumnType[], rows: Iterable<readonly Value[]>): Iterable<Buffer> {
  let parts: Buffer[] = [header]
  let bytes = 0
  for (const row of rows) {
    const start = Buffer.alloc(2)
    start.writeInt16BE(types.length)
    parts.push(start)
    for (const [place, type] of types.entries()) {
      const field = fieldOf(type, row[place] ?? null)
      parts.push(field)
      bytes += field.length
    }
    if (bytes < pieceBytes) continue
    yield Buffer.concat(parts)
    parts = []
    bytes = 0
  }
  yield Buffer.concat(parts)
}

const missing = Buffer.of(0xff, 0xff, 0xff, 0xff)

function fieldOf(type: ColumnType, value: Value): Buffer {
  if (value === null) return missing
  switch (type) {
    case 'double precision':
      return doubleField(numberIn(value))
    case 'integer':
      return integerField(numberIn(value))
    case 'bigint':
      return bigintField(value)
    case 'text':
      return sized(textIn(value))
    case 'bytea':
      return sized(bytesIn(value))
  }
}

function doubleField(value: number): Buffer {
  const field = Buffer.alloc(12)
  field.writeInt32BE(8)
  field.writeDoubleBE(value, 4)
  return field
}

function integerField(value: number): Buffer {
  if (!Number.isInteger(value) || value > 0x7fffffff || value < -0x80000000)
    throw new Refused(`${value} does not fit a column of integers`)
  const field = Buffer.alloc(8)
  field.writeInt32BE(4)
  field.writeInt32BE(value, 4)
  return field
}

function bigintField(value: Value): Buffer {
  const whole = typeof value === 'bigint' ? value : BigInt(wholeIn(numberIn(value)))
  const field = Buffer.alloc(12)
  field.writeInt32BE(8)
  field.writeBigInt64BE(whole, 4)
  return field
}

function wholeIn(value: number): number {
  if (Number.isSafeInteger(value)) return value
  throw new Refused(`${value} does not fit a column of integers`)
}

function numberIn(value: Value): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  throw new Refused('a figure is not a number')
}

function textIn(value: Value): Buffer {
  if (typeof value !== 'string') throw new Refused('a text is not a text')
  return Buffer.from(textToStore(value))
}

function bytesIn(value: Value): Buffer {
  if (!(value instanceof Uint8Array)) throw new Refused('packed samples are not bytes')
  return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
}

function sized(bytes: Buffer): Buffer {
  const field = Buffer.alloc(4 + bytes.length)
  field.writeInt32BE(bytes.length)
  field.set(bytes, 4)
  return field
}
