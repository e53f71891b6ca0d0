import { briefKeys, type BriefKey, type BriefUsage } from '../../model/brief-record.ts'
import type { LiveAttempt } from '../../model/live.ts'
import { isLowerBound, type BriefFigure } from '../../model/measured.ts'
import type { Usage } from '../../model/usage.ts'
import { killedReason, type InterruptedEnd } from '../../store/ledger/interrupted.ts'
import type { AttemptEnd, AttemptStart } from '../../store/ledger/store.ts'

const unknown: BriefFigure = { value: null }

const nothingKnown = Object.fromEntries(
  briefKeys.map((key) => [key, unknown]),
) as unknown as BriefUsage<BriefKey>

/** An attempt that runs, as its file in the spool tells of it. Only the ledger gives numbers. */
export function factsOfStart(start: AttemptStart): LiveAttempt {
  const { job, taskId, user, machine, startedAt, intervalSeconds } = start
  const { name, tool, command, tags, requirements } = job
  return {
    taskId,
    jobId: null,
    attempt: 1,
    workflowId: null,
    runId: null,
    name,
    tool,
    command,
    tags,
    user,
    machine,
    requirements,
    status: 'running',
    startedAt,
    endedAt: null,
    durationSeconds: null,
    exitCode: null,
    signal: null,
    reason: null,
    intervalSeconds,
    usage: nothingKnown,
  }
}

export function withEnd(facts: LiveAttempt, end: AttemptEnd): LiveAttempt {
  const { status, exitCode, signal, reason } = end.outcome
  return {
    ...facts,
    startedAt: end.startedAt ?? facts.startedAt,
    endedAt: end.endedAt,
    durationSeconds: end.durationSeconds,
    intervalSeconds: end.samples.intervalSeconds,
    status,
    exitCode,
    signal,
    reason,
    usage: briefUsage(end.usage),
  }
}

/** As the next command that reads the ledger will call it. */
export const interrupted = (facts: LiveAttempt, end: InterruptedEnd): LiveAttempt => ({
  ...facts,
  status: 'interrupted',
  reason: killedReason,
  endedAt: end.endedAt,
  durationSeconds: end.durationSeconds,
  usage: briefUsage(end.usage),
})

/** As the ledger answers it. */
function briefUsage(usage: Usage): BriefUsage<BriefKey> {
  const figures = briefKeys.map((key) => {
    const { value } = usage[key]
    if (value === null) return [key, unknown] as const
    return [key, isLowerBound(usage[key]) ? { value, basis: 'at least' } : { value }] as const
  })
  return Object.fromEntries(figures) as unknown as BriefUsage<BriefKey>
}
