/** What a rule computes from the figures of a look. 0 is false, 1 is true, NaN is unknown. */
export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'unary'; readonly sign: '-' | 'not'; readonly of: Expression }
  | {
      readonly kind: 'binary'
      readonly sign: BinarySign
      readonly left: Expression
      readonly right: Expression
    }
  | { readonly kind: 'call'; readonly name: 'min' | 'max' | 'abs'; readonly of: Expression[] }
  | { readonly kind: 'rate'; readonly of: Expression }
  | {
      readonly kind: 'window'
      readonly name: WindowName
      readonly of: Expression
      readonly seconds: number
    }

export type BinarySign = '+' | '-' | '*' | '/' | Comparison | 'and' | 'or'
export const comparisons = ['<', '<=', '>', '>=', '==', '!='] as const
export type Comparison = (typeof comparisons)[number]

/** Over the last so many seconds. */
export const windowNames = ['mean', 'lowest', 'highest', 'slope', 'growth'] as const
export type WindowName = (typeof windowNames)[number]

export const callNames = ['min', 'max', 'abs', 'rate', ...windowNames] as const

/** All names of figures in it. */
export function namesIn(expression: Expression): string[] {
  switch (expression.kind) {
    case 'number':
      return []
    case 'name':
      return [expression.name]
    case 'binary':
      return [...namesIn(expression.left), ...namesIn(expression.right)]
    case 'call':
      return expression.of.flatMap(namesIn)
    case 'unary':
    case 'rate':
    case 'window':
      return namesIn(expression.of)
  }
}
