import { describe, expect, it } from 'vitest'
import { usageText } from './usage.ts'

const row = (user: string, amount: number) => ({ keys: [user], amount, capacity: 3600 * 1e3 })
const rows = [row('ada', 3600), row('bob', 1800), row('eve', 900), row('fay', 0.00031)]
const usage = { rows, room: [], total: 6300.00031, capacity: 3600 * 1e3, observedSeconds: 3600 }
const view = { by: ['user'], metric: 'cpu' } as const

describe('a table of usage', () => {
  it('has no digits that mean nothing', () => {
    const lines = usageText(usage, view).split('\n')
    expect(lines[4]).toMatch(/^fay +<0\.0001 +<0\.001 % +<0\.001 %$/)
  })

  it('has as many lines as were asked for, and the others together', () => {
    const lines = usageText(usage, { ...view, limit: 2 }).split('\n')
    expect(lines.slice(1, 4).map((line) => line.split(/ {2,}/))).toEqual([
      ['ada', '1.00', '0.1 %', '57.1 %'],
      ['bob', '0.50', '0.1 %', '28.6 %'],
      ['2 others', '0.25', '–', '14.3 %'],
    ])
    expect(usageText(usage, { ...view, limit: 4 })).toBe(usageText(usage, view))
  })
})
