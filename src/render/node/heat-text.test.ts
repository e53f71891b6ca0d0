import { describe, expect, it } from 'vitest'
import { heatMap } from '../../analysis/node/heat-map.ts'
import type { UsageTable } from '../../model/node-usage.ts'
import { displayWidth } from '../text/display-width.ts'
import { ourColours } from '../text/our-colours.ts'
import { colourStyle, plainStyle } from '../text/style.ts'
import { heatText } from './heat-text.ts'

/** Monday was looked at, and was fuller from hour to hour up to so much. */
function monday(most: number): UsageTable {
  const hours = Array.from({ length: 24 }, (_, hour) => hour)
  const rows = hours.map((hour) => ({ keys: [hour], amount: (most * hour) / 23, capacity: 1 }))
  const room = hours.map((hour) => ({ keys: [hour], capacity: 1, observedSeconds: 3600 }))
  const total = rows.reduce((sum, { amount }) => sum + amount, 0)
  return { rows, room, total, capacity: 24, observedSeconds: 24 * 3600 }
}

const view = { metric: 'cpu', style: plainStyle, width: null, most: 0 } as const
const lines = (most: number, width: number | null = null): string[] =>
  heatText(heatMap(monday(most)), { ...view, width }).split('\n')

describe('heatText', () => {
  it('has a block for each hour, that tells how full it was without a colour', () => {
    const [head, axis, day, next] = lines(1)
    expect(head).toBe('All: 50.0 %')
    expect(axis).toBe('     00    03    06    09    12    15    18    21')
    expect(day).toBe('Mon  ··········░░░░░░░░░░▒▒▒▒▒▒▒▒▓▓▓▓▓▓▓▓▓▓██████████  50.0 %')
    expect(next).toBe(`Tue  ${'? '.repeat(24)}  –`)
  })

  it.each([
    [0.03, '5 %', '4 %'],
    [0.2, '25 %', '20 %'],
    [1, '100 %', '80 %'],
    // More than there is: rounds and clock ticks do not fit exactly.
    [1.09, '100 %', '80 %'],
  ])('reaches up to what holds the fullest hour, for %d', (most, _top, last) => {
    expect(lines(most).join('\n')).toContain(`██ ${last} +`)
  })

  it('says the same with colours, and fits a narrow terminal', () => {
    const map = heatMap(monday(1))
    const coloured = heatText(map, { ...view, style: colourStyle })
    expect(coloured).not.toBe(heatText(map, view))
    expect(coloured.replaceAll(ourColours, '')).toBe(heatText(map, view))
    const narrow = lines(1, 50).slice(0, 9)
    expect(Math.max(...narrow.map(displayWidth))).toBeLessThanOrEqual(50)
    expect(narrow[2]).toContain('·····░░░░░▒▒▒▒▓▓▓▓▓█████')
  })
})
