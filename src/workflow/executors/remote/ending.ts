import type { Clock } from '../../../system/system.ts'
import type { AttemptResult } from '../../run/executor.ts'
import { neverStarted } from '../never-started.ts'
import type { RemoteState } from './read-remote-attempt.ts'
import type { Gone, Site } from './site.ts'
import type { UnderWay } from './under-way.ts'

/** A job that was ended with all that is in its allocation is called over soon after. */
const longestJudgingSeconds = 10

/** How an attempt ended: as it stands in its folder, or as others say. */
export type Ending =
  | { readonly kind: 'written'; readonly result: AttemptResult }
  | { readonly kind: 'judged'; readonly as: AttemptResult | Gone }

/** How an attempt ended, by what lies in its folder and what its site says of it; undefined where it has not, as far as is known. */
export function endingOf(
  task: UnderWay,
  state: RemoteState,
  site: Site,
  clock: Clock,
): Ending | undefined {
  const over = task.state?.kind === 'over' ? task.state : undefined
  const now = clock.monotonicSeconds()
  switch (state.kind) {
    case 'withdrawn':
      if (over !== undefined && task.endRequests === 0) return judged(over.judge(null))
      return judged(withdrawn(state.claim, clock))
    case 'ended':
      return endingByBoth(task, state.result, site, now)
    case 'waiting':
    case 'running':
      if (over === undefined || now - task.overSince <= site.lagSeconds) return undefined
      return judged(over.judge(null))
  }
}

const judged = (as: AttemptResult | Gone): Ending => ({ kind: 'judged', as })

/** Where the site may have ended it, it is heard first; one that says nothing for long has had no part in it. */
function endingByBoth(
  task: UnderWay,
  result: AttemptResult,
  site: Site,
  now: number,
): Ending | undefined {
  task.toldSince ??= now
  if (task.state?.kind === 'over') {
    const as = task.state.judge(result)
    return as === result ? { kind: 'written', result } : judged(as)
  }
  const isFinal =
    task.endRequests > 0 ||
    !site.isToBeJudged(result, task.handle) ||
    now - task.toldSince > longestJudgingSeconds + 2 * site.stateSeconds
  return isFinal ? { kind: 'written', result } : undefined
}

function withdrawn(
  { as, signal }: { readonly as: 'gone' | 'cancelled'; readonly signal: string },
  clock: Clock,
): AttemptResult | Gone {
  if (as === 'gone') return { gone: 'it had not arrived' }
  const why = `cancelled by ${signal} before it started`
  return { ...neverStarted('cancelled', why, null), endedAt: clock.wallSeconds() }
}
