import { namesIn } from '../expression/expression.ts'
import type { Rule } from '../rule.ts'

/** All figures that a rule looks at. */
export const namesOf = ({ computes, when }: Rule): string[] => [
  ...namesIn(computes),
  ...(when === null ? [] : namesIn(when)),
]

/** Whether a rule says nothing, or less, without the past runs of a job. */
export const needsPast = (rule: Rule): boolean =>
  (rule.condition.kind === 'unusual' && rule.condition.from.kind === 'past runs') ||
  namesOf(rule).includes('remaining_seconds')

/** Whether it is judged at the end, however soon that comes. */
export const needsPastAtEnd = (rule: Rule): boolean => rule.at === 'end' && needsPast(rule)
