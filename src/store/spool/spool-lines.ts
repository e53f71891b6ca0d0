import { sampleWidth } from '../../model/sample.ts'
import type { AttemptEnd, AttemptStart } from '../ledger/store.ts'
import { isAmount } from '../valid.ts'
import { checksum } from './checksum.ts'

/** What a file of the spool is written in. Lines of version 1 had no sum. */
export const spoolVersion = 2

/**
 * The first line: all that is known of an attempt before it runs. `samplesBefore` of its samples are in the ledger
 * already and not in this file.
 */
export function startLine(start: AttemptStart, samplesBefore = 0): string {
  return sealed({ spool: spoolVersion, sampleWidth, samplesBefore, start })
}

/** The bytes of the numbers: exact, NaN and all, and as quick to write as to read. */
export function samplesLine(rows: Float64Array, count: number): string {
  const numbers = rows.slice(0, count * sampleWidth)
  // The reader refuses what cannot have been measured.
  for (let index = 0; index < numbers.length; index++)
    if (!isAmount(numbers[index])) numbers[index] = Number.NaN
  return sealed({ samples: Buffer.from(numbers.buffer).toString('base64') })
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
