import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseParameter } from './parameter-values.ts'

describe('parseParameter', () => {
  it.each([
    ['1:3', [1, 2, 3]],
    ['5:5', [5]],
    ['0:100:50', [0, 50, 100]],
    ['0:10:4', [0, 4, 8]],
    ['3:1:-1', [3, 2, 1]],
    ['-2:0', [-2, -1, 0]],
    ['1e-4:3e-4:1e-4', [0.0001, 0.0002, 0.0003]],
    ['[1,2,3]', [1, 2, 3]],
    ["['a','b']", ['a', 'b']],
    ['["a b", 1.5, true]', ['a b', 1.5, true]],
    ['[adam, sgd]', ['adam', 'sgd']],
    ['hello', ['hello']],
    ['a:b', ['a:b']],
    ['7', ['7']],
    [' spaced ', [' spaced ']],
    [4, [4]],
    [false, [false]],
    [
      ['x', 2],
      ['x', 2],
    ],
  ])('reads %j', (value, values) => {
    expect(parseParameter(value)).toEqual({ kind: 'ok', values })
  })

  it('does not drift: 0.1 + 0.2 is 0.3', () => {
    const parsed = parseParameter('0.0:1.0:0.1')
    const texts = parsed.kind === 'ok' ? parsed.values.map(String) : []
    expect(texts).toEqual('0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1'.split(' '))
  })

  it.each(['3:1', '1:3:-1', '1:3:0', '1:9999999', '[]', '[[1]]', '[null]', '["a]', '1e-30:1'])(
    'refuses %j',
    (text) => {
      expect(parseParameter(text).kind).toBe('wrong')
    },
  )

  it('has every step of a range, both ends included, in decimals of the range', () => {
    const number = fc.integer({ min: -10_000, max: 10_000 })
    const property = fc.property(
      number,
      fc.integer({ min: 0, max: 200 }),
      fc.integer({ min: 1, max: 500 }),
      fc.integer({ min: 0, max: 4 }),
      fc.boolean(),
      (start, steps, step, decimals, isDownwards) => {
        const signed = isDownwards ? -step : step
        const text = (units: number): string => (units / 10 ** decimals).toFixed(decimals)
        const range = [start, start + steps * signed, signed].map(text).join(':')
        const expected = Array.from({ length: steps + 1 }, (_, k) =>
          Number(text(start + k * signed)),
        )
        expect(parseParameter(range)).toEqual({ kind: 'ok', values: expected })
      },
    )
    fc.assert(property)
  })
})
