import type { JobsLeft, Mending } from '../../model/run-notice.ts'
import { printable } from '../text/printable.ts'

const mostNames = 5

/** Such as `resuming: 5 of 30 jobs left; 2 changed: train, plot; 3 depend on them: test, report, mail`. */
export function mendingText(facts: Mending & JobsLeft): string {
  const { left, total, changed, added, following, removed } = facts
  const parts = [
    `resuming: ${left} of ${total} ${total === 1 ? 'job' : 'jobs'} left`,
    ...told(changed, 'changed'),
    ...told(added, 'new'),
    ...told(following, following.length === 1 ? 'depends on them' : 'depend on them'),
    ...told(removed, 'removed'),
  ]
  return parts.join('; ')
}

function told(names: readonly string[], what: string): string[] {
  if (names.length === 0) return []
  const shown = names.slice(0, mostNames).map(printable)
  const more = names.length > mostNames ? ', …' : ''
  return [`${names.length} ${what}: ${shown.join(', ')}${more}`]
}
