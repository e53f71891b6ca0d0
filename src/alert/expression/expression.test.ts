import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compile } from './compile.ts'
import { comparisons, type Expression } from './expression.ts'
import { parseExpression } from './parse.ts'
import { ExpressionError } from './tokens.ts'

const names = ['a', 'b', 'gpu_util']
const placeOf = (name: string): number => names.indexOf(name)
const parse = (text: string): Expression => parseExpression(text, (name) => names.includes(name))
const value = (text: string, figures: readonly number[] = [1, 2, 3]): number =>
  compile(parse(text), placeOf)(Float64Array.from(figures), 0)

/** What is not finite is unknown. */
const shown = (found: number): string => (Number.isFinite(found) ? found.toFixed(6) : 'unknown')

/** 0 for what is an expression. */
function placeOfError(text: string): number {
  try {
    parse(text)
    return 0
  } catch (error) {
    if (error instanceof ExpressionError) return error.at
    throw error
  }
}

const errorIn = (text: string): ExpressionError => {
  try {
    parse(text)
  } catch (error) {
    if (error instanceof ExpressionError) return error
    throw error
  }
  throw new Error(`${text} is an expression`)
}

/** Expressions without a memory, and what they are worth by JavaScript's own rules. */
const { tree } = fc.letrec<{ tree: Expression; leaf: Expression }>((tie) => ({
  leaf: fc.oneof(
    fc.nat(1000).map((number): Expression => ({ kind: 'number', value: number / 4 })),
    fc.constantFrom(...names).map((name): Expression => ({ kind: 'name', name })),
  ),
  tree: fc.oneof(
    { maxDepth: 5 },
    tie('leaf'),
    fc
      .tuple(
        fc.constantFrom('+', '-', '*', '/', 'and', 'or', ...comparisons),
        tie('tree'),
        tie('tree'),
      )
      .map(([sign, left, right]): Expression => ({ kind: 'binary', sign, left, right })),
    fc
      .tuple(fc.constantFrom('-', 'not'), tie('tree'))
      .map(([sign, of]): Expression => ({ kind: 'unary', sign, of })),
    fc
      .tuple(fc.constantFrom('min', 'max'), fc.array(tie('tree'), { minLength: 1, maxLength: 3 }))
      .map(([name, of]): Expression => ({ kind: 'call', name, of })),
    tie('tree').map((of): Expression => ({ kind: 'call', name: 'abs', of: [of] })),
    tie('tree').map((of): Expression => ({ kind: 'rate', of })),
    fc
      .tuple(fc.constantFrom('mean', 'lowest', 'highest', 'slope', 'growth'), tie('tree'))
      .map(([name, of]): Expression => ({ kind: 'window', name, of, seconds: 60 })),
  ),
}))

function written(expression: Expression): string {
  switch (expression.kind) {
    case 'number':
      return String(expression.value)
    case 'name':
      return expression.name
    case 'unary':
      return `(${expression.sign} ${written(expression.of)})`
    case 'binary':
      return `(${written(expression.left)} ${expression.sign} ${written(expression.right)})`
    case 'call':
      return `${expression.name}(${expression.of.map(written).join(', ')})`
    case 'rate':
      return `rate(${written(expression.of)})`
    case 'window':
      return `${expression.name}(${written(expression.of)}, ${expression.seconds}s)`
  }
}

type Truth = number | undefined

/** The same by other means: unknown is undefined. */
function meant(expression: Expression, figures: readonly number[]): Truth {
  const of = (each: Expression): Truth => meant(each, figures)
  switch (expression.kind) {
    case 'number':
      return expression.value
    case 'name': {
      const known = figures[names.indexOf(expression.name)]
      return Number.isNaN(known) ? undefined : known
    }
    case 'unary': {
      const inside = of(expression.of)
      if (inside === undefined) return undefined
      return expression.sign === '-' ? -inside : Number(!inside)
    }
    case 'call': {
      const all = expression.of.map(of)
      if (all.includes(undefined)) return undefined
      const sorted = all.map(Number).sort((x, y) => x - y)
      if (expression.name === 'abs') return Math.abs(sorted[0] ?? 0)
      return expression.name === 'min' ? sorted[0] : sorted.at(-1)
    }
    case 'binary':
      return meantBinary(expression.sign, of(expression.left), of(expression.right))
    case 'rate':
    case 'window':
      return undefined
  }
}

function meantBinary(sign: string, left: Truth, right: Truth): Truth {
  if (sign === 'and' && (left === 0 || right === 0)) return 0
  if (sign === 'or' && (Boolean(left) || Boolean(right))) return 1
  if (left === undefined || right === undefined) return undefined
  const all: Readonly<Record<string, Truth | boolean>> = {
    '+': left + right,
    '-': left - right,
    '*': left * right,
    '/': right === 0 ? undefined : left / right,
    '<': left < right,
    '<=': left <= right,
    '>': left > right,
    '>=': left >= right,
    '==': left === right,
    '!=': left !== right,
    and: true,
    or: false,
  }
  const answer = all[sign]
  return answer === undefined ? undefined : Number(answer)
}

describe('an expression', () => {
  it('is read back as it was written', () => {
    fc.assert(
      fc.property(
        tree.filter((expression) => written(expression).length <= 500),
        (expression) => {
          expect(parse(written(expression))).toEqual(expression)
        },
      ),
    )
  })

  it('is worth what its parts are, and unknown where they are', () => {
    const figure = fc.oneof(fc.integer({ min: -9, max: 9 }), fc.constant(Number.NaN))
    fc.assert(
      fc.property(tree, fc.tuple(figure, figure, figure), (expression, figures) => {
        const found = compile(expression, placeOf)(Float64Array.from(figures), 0)
        const expected = meant(expression, figures)
        expect(shown(found)).toBe(shown(expected ?? Number.NaN))
      }),
    )
  })

  it('never throws anything but an ExpressionError with a place inside the text', () => {
    const piece = fc.constantFrom('a', ' ', '(', ')', '1', '5m', 'mean', ',', '<', '-', 'and', '§')
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const text = pieces.join('')
        expect(placeOfError(text)).toBeLessThanOrEqual(text.length)
      }),
    )
  })

  it.each([
    ['1 + 2 * 3', 7],
    ['(1 + 2) * 3', 9],
    ['10 - 4 - 3', 3],
    ['-a + b', 1],
    ['a < b and not (b < a)', 1],
    ['a > b or gpu_util >= 3', 1],
    ['max(a, b, gpu_util) / 2', 1.5],
    ['1e3', 1000],
    ['a / 0', Number.NaN],
  ])('%s is %d', (text, expected) => {
    expect(value(text)).toBe(expected)
  })

  it.each([
    ['', 'ends where a number, a name or "(" is expected'],
    ['a +', 'ends where a number, a name or "(" is expected'],
    ['a b', '"b" where a number, a name or "(" is expected'],
    ['c', 'unknown name c'],
    ['sum(a)', 'unknown function sum'],
    ['mean(a)', '")" where "," is expected'],
    ['mean(a, 3)', 'mean(…) needs a duration, as in mean(cpu_percent, 60s)'],
    ['mean(a, 48h)', 'a window must be longer than 0 and at most 24h'],
    ['5parsecs', '"5parsecs" is not a duration'],
    ['a $ b', '"$" is not expected here'],
    ['('.repeat(40) + 'a' + ')'.repeat(40), 'nested too deeply'],
    ['a'.repeat(501), 'longer than 500 characters'],
  ])('is refused: %s', (text, message) => {
    expect(errorIn(text).message).toBe(message)
  })
})

describe('a window', () => {
  const over = (text: string, of: (at: number) => number, seconds: number): number[] => {
    const computed = compile(parse(text), placeOf)
    return Array.from({ length: seconds }, (_, at) => computed(Float64Array.of(of(at)), at))
  }

  it('is unknown until it is nearly full, and forgets what is older', () => {
    const means = over('mean(a, 60s)', (at) => (at < 100 ? 1 : 5), 300)
    expect(means.slice(0, 48).every(Number.isNaN)).toBe(true)
    expect(means[90]).toBe(1)
    expect(means[299]).toBe(5)
  })

  it('tells the slope of a line, however long it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 10, max: 3600 }),
        fc.integer({ min: -50, max: 50 }),
        (seconds, slope) => {
          const computed = compile(parse(`slope(a, ${seconds}s)`), placeOf)
          let last = Number.NaN
          for (let at = 0; at < 2 * seconds; at += seconds / 50)
            last = computed(Float64Array.of(slope * at), at)
          expect(last).toBeCloseTo(slope, 3)
        },
      ),
      { numRuns: 30 },
    )
  })

  it('does not call growth what grew and then held', () => {
    const slopes = over('slope(a, 180s)', (at) => Math.min(at, 100), 200)
    const growth = over('growth(a, 180s)', (at) => Math.min(at, 100), 200)
    expect(slopes[199]).toBeGreaterThan(0.1)
    expect(growth[199]).toBeCloseTo(0, 6)
  })

  it('tells the rate of a counter, and nothing where it went back', () => {
    const rates = over('rate(a)', (at) => (at < 5 ? at * 3 : at), 8)
    expect(rates[0]).toBeNaN()
    expect(rates.slice(1, 5)).toEqual([3, 3, 3, 3])
    expect(rates[5]).toBeNaN()
    expect(rates[6]).toBe(1)
  })
})
