import { sampleNames } from '../../model/sample.ts'
import { describeColumns } from './sample-layout.ts'
import { shippedGauges } from './shipped.ts'

/** The columns that every sample has, in order, with their meaning. */
export const describedColumns = describeColumns(sampleNames, shippedGauges)
