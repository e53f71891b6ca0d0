import type { OutcomeStatus } from '../../../model/outcome.ts'
import { readQueueResult, type PackedRows, type QueueResult } from '../../../model/queue-result.ts'
import { whyNot } from '../../../model/reading.ts'
import { emptyUsage } from '../../../model/usage.ts'
import type { JobStanding } from '../../../store/postgres/queue/standing.ts'
import type { AttemptResult } from '../../run/executor.ts'

/** How an attempt ended, as far as the queue knows. */
type ToldEnd =
  | { readonly kind: 'gone'; readonly why: string }
  | { readonly kind: 'ended'; readonly result: AttemptResult; readonly series?: PackedRows }

/** The end of an attempt whose job is over. */
export function toldEnd(
  state: OutcomeStatus,
  { reason, hasStarted, result: text }: Omit<JobStanding, 'state'>,
): ToldEnd {
  if (state === 'interrupted') return { kind: 'gone', why: reason ?? 'its worker was lost' }
  if (text === null)
    return { kind: 'ended', result: withoutFigures(state, reason, whyNone(hasStarted)) }
  const told = readQueueResult(text)
  if (told.kind === 'ok') return measuredEnd(state, told.value)
  const why = `its result cannot be read: ${whyNot(told)}`
  return { kind: 'ended', result: withoutFigures('error', why, why) }
}

function measuredEnd(
  state: OutcomeStatus,
  { startedAt, machine, result, series }: QueueResult,
): ToldEnd {
  const { durationSeconds, outcome } = result
  // It was asked to end by its worker as well as by its user.
  const status = outcome.status === 'interrupted' ? state : outcome.status
  const ended = {
    ...result,
    outcome: { ...outcome, status },
    outline: [],
    machine,
    endedAt: startedAt + durationSeconds,
  }
  return { kind: 'ended', result: ended, ...(series === undefined ? {} : { series }) }
}

const whyNone = (hasStarted: boolean): string =>
  hasStarted ? 'its worker was lost' : 'it was never started'

function withoutFigures(
  status: OutcomeStatus,
  reason: string | null,
  whyUnmeasured: string,
): AttemptResult {
  const exitCode = status === 'error' ? 126 : null
  const why = reason === 'cancelled before it began' ? 'cancelled by SIGTERM' : reason
  return {
    durationSeconds: 0,
    outcome: { status, exitCode, signal: null, reason: why, stragglers: [] },
    usage: emptyUsage(whyUnmeasured),
    samples: { collected: 0, intervalSeconds: null, late: 0, ownCpuSeconds: null },
    outline: [],
  }
}
