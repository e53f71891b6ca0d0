import { sampleNames } from '../../model/sample.ts'
import { describeColumns } from './sample-layout.ts'
import { shippedGauges } from './shipped.ts'

/** The columns that every sample has, in their order, with what they mean. */
export const describedColumns = describeColumns(sampleNames, shippedGauges)
