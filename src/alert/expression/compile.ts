import { CounterRate } from './counter-rate.ts'
import type { BinarySign, Expression, WindowName } from './expression.ts'
import { Window } from './window.ts'

/** The value of an expression for the figures of a look; NaN if it is unknown. */
export type Computed = (figures: Float64Array, atSeconds: number) => number

/**
 * Makes a function of an expression. It keeps what windows and rates need, so each subject has its own. `placeOf` says
 * where a figure stands.
 */
export function compile(expression: Expression, placeOf: (name: string) => number): Computed {
  const inside = (each: Expression): Computed => compile(each, placeOf)
  switch (expression.kind) {
    case 'number':
      return () => expression.value
    case 'name': {
      const place = placeOf(expression.name)
      return (figures) => figures[place] ?? Number.NaN
    }
    case 'unary': {
      const of = inside(expression.of)
      return expression.sign === '-'
        ? (figures, at) => -of(figures, at)
        : (figures, at) => negation(of(figures, at))
    }
    case 'binary': {
      const apply = binary[expression.sign]
      const left = inside(expression.left)
      const right = inside(expression.right)
      return (figures, at) => apply(left(figures, at), right(figures, at))
    }
    case 'call':
      return callOf(expression.name, expression.of.map(inside))
    case 'rate':
      return rateOf(inside(expression.of))
    case 'window':
      return windowOf(expression.name, inside(expression.of), expression.seconds)
  }
}

const truth = (a: number, b: number, isTrue: boolean): number =>
  Number.isNaN(a) || Number.isNaN(b) ? Number.NaN : Number(isTrue)

const isTrue = (value: number): boolean => value !== 0 && !Number.isNaN(value)

const negation = (value: number): number => (Number.isNaN(value) ? value : Number(value === 0))

const binary: Readonly<Record<BinarySign, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  // What is divided by nothing is unknown, and not a lot.
  '/': (a, b) => (b === 0 ? Number.NaN : a / b),
  '<': (a, b) => truth(a, b, a < b),
  '<=': (a, b) => truth(a, b, a <= b),
  '>': (a, b) => truth(a, b, a > b),
  '>=': (a, b) => truth(a, b, a >= b),
  '==': (a, b) => truth(a, b, a === b),
  '!=': (a, b) => truth(a, b, a !== b),
  // One that is false settles it, whatever the other is.
  and: (a, b) => (a === 0 || b === 0 ? 0 : truth(a, b, true)),
  or: (a, b) => (isTrue(a) || isTrue(b) ? 1 : truth(a, b, false)),
}

function callOf(name: 'min' | 'max' | 'abs', of: readonly Computed[]): Computed {
  const [first, ...others] = of
  if (first === undefined) return () => Number.NaN
  if (name === 'abs') return (figures, at) => Math.abs(first(figures, at))
  const join = name === 'min' ? Math.min : Math.max
  return (figures, at) => {
    let answer = first(figures, at)
    for (const other of others) answer = join(answer, other(figures, at))
    return answer
  }
}

function rateOf(of: Computed): Computed {
  const counter = new CounterRate()
  return (figures, at) => {
    counter.take(of(figures, at), at)
    return counter.perSecond
  }
}

const answers: Readonly<Record<WindowName, (window: Window) => number>> = {
  mean: (window) => window.mean,
  lowest: (window) => window.lowest,
  highest: (window) => window.highest,
  slope: (window) => window.slope(),
  // What grew and then held does not grow: the latest part must grow as well.
  growth: (window) => Math.min(window.slope(), window.slope(1 / 3)),
}

function windowOf(name: WindowName, of: Computed, seconds: number): Computed {
  const window = new Window(seconds)
  const answer = answers[name]
  return (figures, at) => {
    const value = of(figures, at)
    if (!Number.isFinite(value)) return Number.NaN
    window.add(value, at)
    return window.isFilled ? answer(window) : Number.NaN
  }
}
