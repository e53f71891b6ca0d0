import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatValue, parseFormat } from './format-value.ts'

// Written by Python 3.11: [value, format, format(value, format)] for each.
const fixture = join(import.meta.dirname, '../../../test/specs/python-formats.json')
const isRow = (row: unknown): row is [value: string | number, text: string, expected: string] =>
  Array.isArray(row) && row.length === 3
const parsed: unknown = JSON.parse(readFileSync(fixture, 'utf8'))
const rows = Array.isArray(parsed) ? parsed.filter(isRow) : []

function format(value: string | number, text: string): string | undefined {
  const known = parseFormat(text)
  return known === undefined ? undefined : formatValue(value, known)
}

describe('formatValue', () => {
  it('writes what Python writes', () => {
    expect(rows.length).toBeGreaterThan(300)
    const differing = rows.filter(([value, text, expected]) => format(value, text) !== expected)
    expect(differing.map(([value, text]) => [value, text, format(value, text)])).toEqual([])
  })

  it.each([
    ['adam', '03d'],
    [0.5, 'd'],
    [0.5, 'x'],
    ['', 'd'],
    [2 ** 60, 'd'],
  ])('has no form of %j for %s', (value, text) => {
    expect(format(value, text)).toBeUndefined()
  })

  it('takes text that is a number for one', () => {
    expect(format('7', '03d')).toBe('007')
  })

  it.each(['banana', '', '3q', '.d.', '99999d', '{', '#x'])('knows no format %j', (text) => {
    expect(parseFormat(text)).toBeUndefined()
  })
})
