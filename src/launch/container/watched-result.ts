import type { Outcome } from '../../model/outcome.ts'
import { emptyUsage } from '../../model/usage.ts'
import type { LaunchResult } from '../request.ts'
import { containerOutcome, containerUsage } from './container-usage.ts'
import type { MeasuredRun } from './measured-run.ts'

interface WatchedRun {
  readonly engine: string
  readonly durationSeconds: number
  readonly recordedStart: number
  readonly intervalSeconds: number
  readonly ownCpuSeconds: number
}

/** All that is known of a container that was watched, as of a job. */
export function watchedResult(run: MeasuredRun, watched: WatchedRun): LaunchResult {
  const { engine, durationSeconds, recordedStart, intervalSeconds, ownCpuSeconds } = watched
  const measured = run.finish(durationSeconds)
  const usage =
    measured === undefined
      ? emptyUsage(run.why)
      : containerUsage(run, measured, engine, { recordedStart, durationSeconds })
  return {
    durationSeconds,
    usage,
    outcome: containerOutcome(outcomeOf(run), usage),
    samples: {
      collected: run.seenBy?.samplesTaken ?? 0,
      intervalSeconds,
      late: run.seenBy?.lateLooks ?? 0,
      ownCpuSeconds,
    },
    outline: run.seenBy?.outline ?? [],
  }
}

function outcomeOf({ end, isRunning }: MeasuredRun): Outcome {
  const exitCode = end?.exitCode ?? null
  const common = { exitCode, signal: null, stragglers: [] }
  if (exitCode !== null)
    return { ...common, status: exitCode === 0 ? 'success' : 'failed', reason: null }
  const reason = isRunning
    ? 'the watching ended while the container was still running'
    : 'it ended; the daemon did not tell how'
  return { ...common, status: 'unknown', reason }
}
