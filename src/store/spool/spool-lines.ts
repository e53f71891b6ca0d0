import type { Columns, DeviceRows } from '../../model/series.ts'
import type { AttemptEnd, AttemptStart } from '../ledger/store.ts'
import { isAmount } from '../valid.ts'
import { checksum } from './checksum.ts'

/** What a file of the spool is written in. `spool-upgrade.ts` says what earlier versions had. */
export const spoolVersion = 3

/** So many rows are in the ledger already, and not in this file. */
export interface RowsBefore {
  readonly samples: number
  readonly deviceRows: number
}

/** The first line: all that is known of an attempt before it runs, and what its samples will have. */
export function startLine(start: AttemptStart, columns: Columns, before = nothingBefore): string {
  const { samples: samplesBefore, deviceRows: deviceRowsBefore } = before
  return sealed({ spool: spoolVersion, columns, samplesBefore, deviceRowsBefore, start })
}

const nothingBefore: RowsBefore = { samples: 0, deviceRows: 0 }

/** The bytes of the numbers: exact, NaN and all, and as quick to write as to read. */
export function samplesLine(rows: Float64Array, numbers: number): string {
  return sealed({ samples: bytesOf(rows, numbers) })
}

/** The same of a device, which has columns of its own. */
export function deviceLine({ kind, id, columns, rows, count }: DeviceRows): string {
  return sealed({ device: { kind, id, columns, rows: bytesOf(rows, count * columns.length) } })
}

function bytesOf(rows: Float64Array, length: number): string {
  const numbers = rows.slice(0, length)
  // The reader refuses what cannot have been measured.
  for (let index = 0; index < length; index++)
    if (!isAmount(numbers[index])) numbers[index] = Number.NaN
  return Buffer.from(numbers.buffer).toString('base64')
}

/** The last line. */
export function endLine(end: AttemptEnd): string {
  return sealed({ end })
}

/** JSON with its own sum in it: a flipped bit mostly leaves JSON that can be read, with another number in it. */
function sealed(entry: object): string {
  const body = JSON.stringify(entry).slice(0, -1)
  return `${body},"sum":"${checksum(body)}"}\n`
}
