import { describe, expect, it } from 'vitest'
import { measured, unmeasured } from '../../../model/measured.ts'
import { emptyUsage, furtherFigures, usageKeys } from '../../../model/usage.ts'
import { parseUsage, usageText } from './usage-text.ts'

describe('a stored usage', () => {
  it('keeps figures of gauges that this build does not know, by name', () => {
    const further = { fanTurns: measured(7, 'a sensor'), fuelBytes: unmeasured('no tank') }
    const usage = { ...emptyUsage('not looked at'), ...further }
    const restored = parseUsage(usageText(usage))
    expect(restored).toEqual(usage)
    expect(Object.fromEntries(furtherFigures(restored))).toEqual(further)
  })

  it('gives no figure a name that figures cannot have', () => {
    const names = ['__proto__', 'two words', 'snake_case', '\u001b[31m', '', 'x'.repeat(101)]
    const figures = Object.fromEntries(names.map((name) => [name, 1]))
    const text = JSON.stringify({ measured: [['edited', figures]], unmeasured: [['why', names]] })
    expect(Object.keys(parseUsage(text))).toEqual([...usageKeys])
    expect(Object.getPrototypeOf(parseUsage(text))).toBe(Object.prototype)
  })
})
