import type { AttemptRows, SentUpTo, TeamBatch, Values } from '../postgres/write/batch.ts'
import type { Known } from '../postgres/write/known.ts'
import { FollowedFile } from '../sqlite/followed-file.ts'
import { baselinesOf, changedBenchmarks } from './local-benchmarks.ts'
import { hasRows, LocalAttempts, type Glimpse, type LocalAttempt } from './local-attempts.ts'
import { LocalSamples, noSamples, samplesSent, type SentSamples } from './local-samples.ts'
import { LocalWorkflows } from './local-workflows.ts'
import { RunSamples } from './run-samples.ts'
import { WorkflowDiary } from './workflow-diary.ts'

/** So much goes into a batch: a second or so of work for the server. */
const attemptsPerBatch = 1000
const rowsPerBatch = 100_000

/** How long samples of a running job may wait. */
const sampleDelaySeconds = 10

/** The runner may write the last samples a moment after the end: they are read once more. */
const lookAgainSeconds = 3

/** Series files are read from their beginning: for a twentieth of the time at most. */
const pauseFactor = 20

export interface OutboxSettings {
  /** Whose ledger it is: benchmarks do not say. */
  readonly user: string
  /** Seconds that never go back. */
  monotonicSeconds(): number
}

export interface OutboxBatch {
  readonly batch: TeamBatch
  readonly sent: SentUpTo
  /** Whether there is more to send at once. */
  readonly hasMore: boolean
  /** To be called when it is there. */
  done(): void
}

interface Followed {
  readonly status: string
  readonly mark: string
  readonly samples: SentSamples
  readonly sentAt: number
  /** When a series file is to be read again, which nothing in the ledger tells; undefined where there is none. */
  readonly lookAgainAt: number | undefined
}

/**
 * What a local ledger holds that the team does not. Nobody who writes to the ledger does anything for it: ids only grow, an
 * attempt that was not over is looked at again, and so is a workflow whose numbers have changed.
 */
export class Outbox {
  readonly #file: FollowedFile
  readonly #settings: OutboxSettings
  readonly #attempts: LocalAttempts
  readonly #samples: LocalSamples
  readonly #runs: RunSamples
  readonly #diary: WorkflowDiary
  /** Attempts that may still change, or that were sent in part. */
  readonly #followed: Map<string, Followed>
  readonly #benchmarks: Map<number, string>
  #baselines = ''
  #sent: SentUpTo

  /** Undefined where there is no ledger. */
  static open(path: string): FollowedFile | undefined {
    return FollowedFile.open(path)
  }

  constructor(file: FollowedFile, sent: SentUpTo, known: Known, settings: OutboxSettings) {
    this.#file = file
    this.#settings = settings
    this.#sent = sent
    this.#attempts = new LocalAttempts(file.connection)
    this.#samples = new LocalSamples(file.connection)
    this.#runs = new RunSamples(file.connection)
    const clock = (): number => settings.monotonicSeconds()
    this.#diary = new WorkflowDiary(new LocalWorkflows(file.connection), known.workflows, clock)
    this.#benchmarks = new Map(known.benchmarks)
    this.#followed = new Map(
      known.unfinished.map(({ taskId, samples, deviceRows }) => [
        taskId,
        // What it was is not known: it is sent again.
        {
          status: '',
          mark: '',
          samples: samplesSent(samples, deviceRows),
          sentAt: Number.NEGATIVE_INFINITY,
          lookAgainAt: undefined,
        },
      ]),
    )
  }

  /** The tasks of attempts that run, as far as it was sent. */
  get following(): string[] {
    return [...this.#followed].flatMap(([taskId, { status }]) =>
      status === 'running' ? [taskId] : [],
    )
  }

  /** What comes next; undefined where the team has all. In a hurry running jobs do not wait for their turn. */
  next(isHurried: boolean): OutboxBatch | undefined {
    const { connection } = this.#file
    // One moment of the ledger: an end that is sent has all its samples with it.
    connection.script('BEGIN')
    try {
      return this.#gather(isHurried)
    } finally {
      this.#runs.close()
      connection.script('COMMIT')
    }
  }

  #gather(isHurried: boolean): OutboxBatch | undefined {
    const notes: (() => void)[] = []
    const glimpses = this.#attempts.glimpses([...this.#followed.keys()])
    const changed = this.#attempts.byTask(this.#due(glimpses, isHurried))
    const found = this.#attempts.after(this.#sent.attemptId, attemptsPerBatch)
    const fresh = found.filter(({ taskId }) => !glimpses.has(taskId))
    const { rows, sent, isCut } = this.#attemptRows([...changed, ...fresh], notes)
    const vanished = [...this.#followed.keys()].filter((taskId) => !glimpses.has(taskId))
    notes.push(() => vanished.forEach((taskId) => this.#followed.delete(taskId)))
    const hasMore = isCut || found.length === attemptsPerBatch
    const workflows = this.#diary.changed(startedJobs(rows), isHurried && !hasMore)
    notes.push(() => workflows.sent())
    const benchmarks = changedBenchmarks(
      this.#file.connection,
      this.#settings.user,
      this.#benchmarks,
    )
    for (const [id, { benchmark }] of benchmarks)
      notes.push(() => this.#benchmarks.set(id, String(benchmark['sent_mark'])))
    const baselines = this.#changedBaselines(notes)
    notes.push(() => {
      this.#sent = sent
    })
    const batch: TeamBatch = {
      workflows: workflows.rows,
      attempts: rows,
      benchmarks: [...benchmarks.values()],
      vanished,
      ...(baselines === undefined ? {} : { baselines }),
    }
    const done = (): void => notes.forEach((note) => note())
    if (isEmpty(batch) && sent.attemptId === this.#sent.attemptId) {
      done()
      return undefined
    }
    return { batch, sent, hasMore, done }
  }

  /** Those of the attempts that may change that have: at once when they end, else in their turn. */
  #due(glimpses: ReadonlyMap<string, Glimpse>, isHurried: boolean): string[] {
    const now = this.#settings.monotonicSeconds()
    return [...glimpses].flatMap(([taskId, { status, mark }]) => {
      const before = this.#followed.get(taskId)
      if (before === undefined) return []
      const isLookedAt =
        before.lookAgainAt !== undefined && (isHurried || now >= before.lookAgainAt)
      const isTurn =
        isHurried || before.status !== status || now - before.sentAt >= sampleDelaySeconds
      const hasChanged = before.status !== status || before.mark !== mark
      return isLookedAt || (hasChanged && isTurn) ? [taskId] : []
    })
  }

  #attemptRows(
    attempts: readonly LocalAttempt[],
    notes: (() => void)[],
  ): { rows: AttemptRows[]; sent: SentUpTo; isCut: boolean } {
    const glimpses = this.#attempts.glimpses(attempts.map(({ taskId }) => taskId))
    const rows: AttemptRows[] = []
    let sent = this.#sent
    let left = rowsPerBatch
    let isCut = false
    for (const attempt of attempts) {
      if (left <= 0) {
        isCut = true
        break
      }
      const { taskId, attemptId, status } = attempt
      const followed = this.#followed.get(taskId)
      const before = followed?.samples ?? noSamples
      const mark = glimpses.get(taskId)?.mark ?? ''
      const startedAt = this.#settings.monotonicSeconds()
      const runId = hasRows(mark) ? null : runOf(attempt)
      const read = hasRows(mark)
        ? this.#samples.read(attemptId, attempt, before, left)
        : this.#runs.read(attempt, runId, before)
      left -= read.chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)
      const now = this.#settings.monotonicSeconds()
      const isRunning = status === 'running'
      const isSame = followed?.status === status && followed.mark === mark
      const hasFile = runId !== null && (isRunning || (read.sent.rows > 0 && !isSame))
      const pause = Math.max(
        isRunning ? sampleDelaySeconds : lookAgainSeconds,
        pauseFactor * (now - startedAt),
      )
      const next: Followed = {
        status: read.hasMore ? '' : status,
        mark,
        samples: read.sent,
        sentAt: now,
        lookAgainAt: hasFile ? now + pause : undefined,
      }
      const staysOpen = hasFile || read.hasMore || isRunning || status === 'interrupted'
      notes.push(() => {
        if (staysOpen) this.#followed.set(taskId, next)
        else this.#followed.delete(taskId)
      })
      const { chunks } = read
      if (read.hasMore) {
        // The record follows when all its samples are there.
        rows.push({ taskId, chunks })
        isCut = true
        break
      }
      if (!isSame || chunks.length > 0) rows.push({ ...rowOf(attempt), chunks })
      if (attemptId > this.#sent.attemptId) sent = { attemptId, taskId }
    }
    return { rows: [...rows, ...this.#earlier(rows)], sent, isCut }
  }

  /** A job tells what its last attempt was given, and that is shown for the earlier ones too. */
  #earlier(rows: readonly AttemptRows[]): AttemptRows[] {
    const there = new Set(rows.map(({ taskId }) => taskId))
    const jobIds = rows.flatMap(({ attempt }) =>
      attempt !== undefined && Number(attempt['number']) > 1
        ? [Number(attempt['source_job_id'])]
        : [],
    )
    return this.#attempts
      .ofJobs([...new Set(jobIds)])
      .filter(({ taskId, attemptId }) => attemptId <= this.#sent.attemptId && !there.has(taskId))
      .map((attempt) => ({ ...rowOf(attempt), chunks: [] }))
  }

  #changedBaselines(notes: (() => void)[]): readonly Values[] | undefined {
    const baselines = baselinesOf(this.#file.connection)
    const mark = baselines.map((row) => Object.values(row).join(' ')).join('\n')
    if (mark === this.#baselines) return undefined
    notes.push(() => {
      this.#baselines = mark
    })
    return baselines
  }
}

/** The run of a workflow that an attempt is of; null where it is of none. */
function runOf({ values, workflowId }: LocalAttempt): number | null {
  const runId = values['run_id'] ?? null
  return workflowId === null || runId === null ? null : Number(runId)
}

const rowOf = ({ taskId, values, form }: LocalAttempt): Omit<AttemptRows, 'chunks'> => ({
  taskId,
  attempt: values,
  ...(form === undefined ? {} : { form }),
})

/** The jobs of workflows that these attempts are of, by workflow. */
function startedJobs(rows: readonly AttemptRows[]): Map<number, number[]> {
  const jobs = new Map<number, number[]>()
  for (const { attempt } of rows) {
    const workflowId = attempt?.['source_workflow_id'] ?? null
    if (attempt === undefined || workflowId === null) continue
    const known = jobs.get(Number(workflowId)) ?? []
    jobs.set(Number(workflowId), known)
    known.push(Number(attempt['source_job_id']))
  }
  return jobs
}

const isEmpty = ({ workflows, attempts, benchmarks, vanished, baselines }: TeamBatch): boolean =>
  workflows.length === 0 &&
  attempts.length === 0 &&
  benchmarks.length === 0 &&
  vanished.length === 0 &&
  baselines === undefined
