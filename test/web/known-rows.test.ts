import { expect, it } from 'vitest'
import type { LiveSamplesData } from '../../src/server/schemas/live.ts'
import { KnownRows } from '../../web/live/known-rows.ts'

const told = (
  first: number | null,
  count: number,
  devices: LiveSamplesData['devices'] = [],
): LiveSamplesData => ({
  task_id: '0',
  columns: ['elapsed_seconds'],
  first_row: first,
  rows: Array.from({ length: count }, (_, row) => [row]),
  devices,
})
const card = (first: number): LiveSamplesData['devices'][number] => ({
  kind: 'gpu',
  id: '0',
  columns: ['elapsed_seconds'],
  first_row: first,
  rows: [[1], [2]],
})

it('takes rows that follow, and those that are told again', () => {
  const known = new KnownRows()
  known.read(10)
  expect(known.take(told(10, 2))).toBe(true)
  expect(known.take(told(8, 5))).toBe(true)
  expect(known.take(told(13, 1))).toBe(true)
})

it('says where some are missing, until all were read', () => {
  const known = new KnownRows()
  known.read(10)
  expect(known.take(told(11, 1))).toBe(false)
  expect(known.take(told(null, 0))).toBe(false)
  known.read(12)
  expect(known.take(told(12, 1))).toBe(true)
})

it('says so of cards too', () => {
  const known = new KnownRows()
  expect(known.take(told(0, 0, [card(40)]))).toBe(true)
  expect(known.take(told(0, 0, [card(42)]))).toBe(true)
  expect(known.take(told(0, 0, [card(45)]))).toBe(false)
  known.read(0)
  expect(known.take(told(0, 0, [card(47)]))).toBe(true)
})
