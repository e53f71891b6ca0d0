import type { LedgerWatch } from '../../store/ledger/ledger-watch.ts'
import type { FollowedAttempt } from './followed-attempt.ts'
import { SeriesSource } from './series-source.ts'

/** So often a file is looked for that is not there yet, in seconds. */
const findSeconds = 0.5

interface FollowedRun {
  readonly source: SeriesSource
  lookedAt: number
}

/** The samples of workflows' jobs: each run that goes on has a series file of its own, if its workflow keeps samples. */
export class RunSamples {
  readonly #ledgerPath: string
  readonly #runs = new Map<string, FollowedRun>()

  constructor(ledgerPath: string) {
    this.#ledgerPath = ledgerPath
  }

  /** `attempts`: those that run or have ended since the last time. To be called after the ledger was read. */
  read(ledger: LedgerWatch, attempts: readonly FollowedAttempt[], monotonicSeconds: number): void {
    const byRun = Map.groupBy(attempts, ({ facts }) => `${facts.workflowId} ${facts.runId}`)
    for (const [key, { source }] of this.#runs)
      if (!byRun.has(key)) {
        source.close()
        this.#runs.delete(key)
      }
    for (const [key, ofRun] of byRun) {
      const run = this.#runs.get(key) ?? this.#begin(ledger, key, ofRun)
      if (run !== undefined) readRun(run, ofRun, monotonicSeconds)
    }
  }

  close(): void {
    for (const { source } of this.#runs.values()) source.close()
    this.#runs.clear()
  }

  #begin(
    ledger: LedgerWatch,
    key: string,
    [first]: readonly FollowedAttempt[],
  ): FollowedRun | undefined {
    const { workflowId = null, runId } = first?.facts ?? {}
    if (workflowId === null) return undefined
    const row = ledger.workflows.runs(workflowId).find((run) => run.runId === runId)
    if (row === undefined) return undefined
    const source = new SeriesSource(this.#ledgerPath, workflowId, row)
    const run = { source, lookedAt: Number.NEGATIVE_INFINITY }
    this.#runs.set(key, run)
    return run
  }
}

function readRun(
  run: FollowedRun,
  attempts: readonly FollowedAttempt[],
  monotonicSeconds: number,
): void {
  const { source } = run
  if (!source.isOpen && monotonicSeconds - run.lookedAt >= findSeconds) {
    run.lookedAt = monotonicSeconds
    source.find()
  }
  for (const attempt of attempts) source.follow(attempt)
  source.read()
  for (const attempt of attempts) if (!attempt.isRunning) source.forget(attempt)
}
