import type { Mark } from '../../model/marks/mark.ts'
import { MalformedRow } from '../errors.ts'
import { amountOrNull, instant, number, textOrNull, type Row } from './row.ts'

/** A row of a table of marks, of the ledger or of a series file. */
export const markOf = (row: Row): Mark => ({
  timestamp: instant(row, 'timestamp'),
  elapsedSeconds: number(row, 'elapsed_seconds'),
  step: amountOrNull(row, 'step'),
  epoch: amountOrNull(row, 'epoch'),
  phase: textOrNull(row, 'phase'),
  message: textOrNull(row, 'message'),
})

/** The same, where a row that cannot be read is passed over. */
export function soundMark(row: Row): Mark | undefined {
  try {
    return markOf(row)
  } catch (error) {
    if (error instanceof MalformedRow) return undefined
    throw error
  }
}
