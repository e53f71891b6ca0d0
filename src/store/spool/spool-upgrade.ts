import { mostColumns } from '../series/columns.ts'
import { firstColumns } from '../series/first-columns.ts'
import { isCount } from '../valid.ts'

type Fields = Readonly<Record<string, unknown>>

/** Brings what a first line says from the version of the build that wrote it to that of this build, step by step. */
export function upgradeHeading(version: number, fields: Fields): Fields {
  return steps.slice(version - 1).reduce((upgraded, step) => step(upgraded), fields)
}

const steps: readonly ((fields: Fields) => Fields)[] = [upgrade1to2, upgrade2to3]

/** Lines of version 1 had no sum, and none of its samples could be in the ledger already. */
function upgrade1to2(fields: Fields): Fields {
  return { samplesBefore: 0, ...fields }
}

/** Version 2 kept only how many columns there were, and knew no devices. */
function upgrade2to3({ sampleWidth: width, ...fields }: Fields): Fields {
  const isWidth = isCount(width) && width > 0 && width <= mostColumns
  const columns = isWidth ? Array.from({ length: width }, (_, index) => nameAt(index)) : undefined
  return { samplesBefore: 0, ...fields, columns, deviceRowsBefore: 0 }
}

/** No build had more columns than names are known for; what stands there was not put there by one. */
const nameAt = (index: number): string => firstColumns[index] ?? `column_${index + 1}`
