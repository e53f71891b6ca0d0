import { sampleNames } from '../../src/model/sample.ts'

/** Of a row with what every sample has. */
export const sampleWidth = sampleNames.length
