import { expect, it } from 'vitest'
import { h200Card } from '../../../../test/gpu/replay.ts'
import { cardColumns, writeRow } from './card-columns.ts'
import type { OwnPart } from './own-part.ts'

const nobody: OwnPart = {
  count: 0,
  others: 0,
  isUnknown: false,
  isUnseen: false,
  unseenPids: [],
  isUncounted: false,
  isWholeCard: false,
  memoryBytes: 0,
  utilizationPercent: 0,
  lateBusySeconds: 0,
  workShare: 0,
  toldPercent: 0,
  allToldPercent: 0,
}

const processesIn = (own: OwnPart): number | undefined => {
  const values = new Float64Array(cardColumns.length)
  writeRow(values, h200Card(), own, true)
  return values[cardColumns.indexOf('own_processes')]
}

it('tells of no process of the job where nobody can tell which are its own', () => {
  expect(processesIn(nobody)).toBe(0)
  expect(processesIn({ ...nobody, isUnknown: true })).toBeNaN()
  expect(processesIn({ ...nobody, isUnseen: true, unseenPids: [7] })).toBeNaN()
})
