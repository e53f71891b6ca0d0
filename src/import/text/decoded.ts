import { BadRecord } from '../bad-record.ts'
import type { RawRecord } from './raw-record.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })

/** The text of a record; throws a BadRecord where there is none. */
export function textOf(record: RawRecord): string {
  if ('why' in record) throw new BadRecord(record.why)
  try {
    return decoder.decode(record.bytes)
  } catch {
    throw new BadRecord('it is not UTF-8')
  }
}

export function jsonOf(record: RawRecord): unknown {
  const text = textOf(record)
  try {
    return JSON.parse(text)
  } catch {
    throw new BadRecord('it is not JSON')
  }
}
