import type { Exemptions, Policy, PolicyCondition } from '../../model/policy.ts'
import type { PolicySubject } from '../../model/violation.ts'
import { isFigureName, type FigureName, type Figures } from './figure-list.ts'

/** Whether all conditions hold. Null: that depends on what was not measured. */
export interface Verdict {
  readonly holds: boolean | null
  readonly missing: readonly FigureName[]
}

const no: Verdict = { holds: false, missing: [] }
const yes: Verdict = { holds: true, missing: [] }

/** One condition that does not hold is enough, whatever the others are. */
export function verdictOn({ conditions }: Pick<Policy, 'conditions'>, figures: Figures): Verdict {
  let missing: FigureName[] | undefined
  for (const condition of conditions) {
    const { figure } = condition
    const value = isFigureName(figure) ? (figures[figure] ?? null) : null
    if (value === null || Number.isNaN(value)) {
      if (isFigureName(figure)) (missing ??= []).push(figure)
    } else if (!isMet(condition, value)) return no
  }
  return missing === undefined ? yes : { holds: null, missing }
}

function isMet({ is, threshold }: PolicyCondition, value: number): boolean {
  switch (is) {
    case 'at least':
      return value >= threshold
    case 'at most':
      return value <= threshold
    case 'above':
      return value > threshold
    case 'below':
      return value < threshold
  }
}

export function isExempt(
  { users, commands, accounts, kinds }: Exemptions,
  { user, account, job }: PolicySubject,
): boolean {
  return (
    users.includes(user) ||
    (account !== null && accounts.includes(account)) ||
    (job !== null && (kinds.includes(job.kind) || commands.includes(job.command)))
  )
}
