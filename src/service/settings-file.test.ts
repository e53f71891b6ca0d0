import { expect, it } from 'vitest'
import { readPrices } from '../workflow/prices/read-prices.ts'
import { settingsError } from './settings-file.ts'

it('shows no more errors of a file than anybody reads', () => {
  const keys = Array.from({ length: 300 }, (_, index) => `key_${index}: 1\n`)
  const read = readPrices(`currency: EUR\n${keys.join('')}`, 'prices.yaml')
  const errors = read.kind === 'ok' ? [] : read.errors
  const lines = settingsError('price file', errors).message.split('\n')
  expect(lines).toHaveLength(102)
  expect(lines[0]).toBe('300 errors in the price file')
  expect(lines.at(-1)).toBe('… and 200 more')
})
