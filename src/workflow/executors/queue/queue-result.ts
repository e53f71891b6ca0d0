import type { Machine } from '../../../model/machine.ts'
import type { OutcomeStatus } from '../../../model/outcome.ts'
import { emptyUsage } from '../../../model/usage.ts'
import type { AttemptResult } from '../../run/executor.ts'
import { unpackRows, type PackedRows, type Rows } from './packed-rows.ts'

/** What the queue keeps of how an attempt went. */
export interface QueueResult {
  readonly startedAt: number
  readonly user: string
  readonly machine: Machine
  readonly result: AttemptResult
  /** Of an attempt whose record somebody else keeps: its samples, thinned where there are many. */
  readonly series?: PackedRows
}

/** What a worker saw of an attempt while it ran; undefined where it saw nothing. */
export function seriesIn(text: string | null): Rows | undefined {
  const series = text === null ? undefined : (JSON.parse(text) as QueueResult).series
  return series === undefined ? undefined : unpackRows(series)
}

/** What a worker told of an attempt; undefined where it told nothing, or lost the lease. */
export function resultIn(text: string | null): AttemptResult | undefined {
  if (text === null) return undefined
  const { startedAt, machine, result } = JSON.parse(text) as QueueResult
  if (result.outcome.status === 'interrupted') return undefined
  return { ...result, machine, endedAt: startedAt + result.durationSeconds }
}

/** Of one that never began. */
export function unstarted(status: OutcomeStatus, reason: string | null): AttemptResult {
  const exitCode = status === 'error' ? 126 : null
  const why = reason === 'cancelled before it began' ? 'cancelled by SIGTERM' : reason
  return {
    durationSeconds: 0,
    outcome: { status, exitCode, signal: null, reason: why, stragglers: [] },
    usage: emptyUsage('it was never started'),
    samples: { collected: 0, intervalSeconds: null, late: 0, ownCpuSeconds: null },
    outline: [],
  }
}
