import { sampleIndex, type SampleColumn, type SampleRow } from '../../model/sample.ts'

/** What a row holds in a column. NaN, infinities and negative numbers were never measured. */
export function sampleValue(row: SampleRow, column: SampleColumn): number | null {
  const value = row[sampleIndex[column]]
  return value !== undefined && Number.isFinite(value) && value >= 0 ? value : null
}
