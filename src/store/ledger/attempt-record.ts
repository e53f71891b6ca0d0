import type { Machine } from '../../model/machine.ts'
import type { Mark } from '../../model/marks/mark.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { AttemptRecord, SamplingFacts } from '../../model/record.ts'
import type { Usage } from '../../model/usage.ts'
import type { AttemptEnd, AttemptStart } from './store.ts'

/** Who gives an attempt its name, and in whose name it runs. */
interface Starter {
  randomId(): string
  readonly host: { readonly user: string }
}

/** What is known of an attempt once it is over. */
interface Result {
  readonly durationSeconds: number
  readonly outcome: Outcome
  readonly usage: Usage
  readonly samples: SamplingFacts
  readonly marks?: readonly Mark[]
  /** Where it did not start when its record says so. */
  readonly endedAt?: number
  /** Where it did not run on the machine that its record says. */
  readonly machine?: Machine
}

/** An attempt that is about to start. */
export function newAttempt(
  starter: Starter,
  facts: Omit<AttemptStart, 'taskId' | 'user'>,
): AttemptStart {
  const { job, machine, owner, startedAt, intervalSeconds } = facts
  const taskId = starter.randomId()
  return { job, taskId, user: starter.host.user, machine, owner, startedAt, intervalSeconds }
}

/** Its end is not taken from the wall clock, which may have been set meanwhile. */
export function endOf({ startedAt }: AttemptStart, result: Result): AttemptEnd {
  const { durationSeconds, outcome, usage, samples, marks = [] } = result
  const endedAt = Math.max(startedAt + durationSeconds, result.endedAt ?? 0)
  const told = {
    ...(marks.length === 0 ? {} : { marks }),
    ...(result.machine === undefined ? {} : { machine: result.machine }),
  }
  const end = { endedAt, durationSeconds, outcome, usage, samples, ...told }
  return result.endedAt === undefined ? end : { ...end, startedAt: endedAt - durationSeconds }
}

/** The record of an attempt that has ended, with what else is known of it. */
export function endedRecord<T extends object>(
  start: AttemptStart,
  end: AttemptEnd,
  more: T,
): AttemptRecord & T {
  const { job, taskId, user, owner } = start
  const {
    startedAt = start.startedAt,
    machine = start.machine,
    endedAt,
    durationSeconds,
    outcome,
    usage,
    samples,
  } = end
  return {
    ...job,
    taskId,
    user,
    machine,
    owner,
    startedAt,
    endedAt,
    durationSeconds,
    ...outcome,
    usage,
    samples,
    ...more,
  }
}
