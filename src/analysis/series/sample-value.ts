import { sampleIndex, type SampleColumn, type SampleRow } from '../../model/sample.ts'

/** What a row holds in a column. */
export const sampleValue = (row: SampleRow, column: SampleColumn): number | null =>
  measuredValue(row[sampleIndex[column]])

/** NaN, infinities and negative numbers were never measured. */
export const measuredValue = (value: number | undefined): number | null =>
  value !== undefined && Number.isFinite(value) && value >= 0 ? value : null
