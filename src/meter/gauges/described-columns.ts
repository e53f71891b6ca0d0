import { sampleNames } from '../../model/sample.ts'
import { describeColumns } from './sample-layout.ts'
import { shippedGauges } from './shipped.ts'

/**
 * The columns that every sample has, in order, with their meaning.
 *
 * @example
 * ```ts
 * import { sampleColumns, type SampleColumn } from 'jobmeter'
 *
 * for (const { name, kind, says } of sampleColumns) console.log(name, kind, says)
 * const place = (column: SampleColumn): number => sampleColumns.findIndex(({ name }) => name === column)
 * console.log(place('memory_bytes'))
 * ```
 */
export const describedColumns = describeColumns(sampleNames, shippedGauges)
