import type { AttemptRows, ChunkRow, SentUpTo, TeamBatch, Values } from '../postgres/write/batch.ts'
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

/** The mark of an attempt whose samples are in a file that may still get some. */
const lookAgain = 'again'
const lookAgainSeconds = 3

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
        },
      ]),
    )
  }

  /** Whether an attempt runs, as far as it was sent. */
  get isFollowing(): boolean {
    return [...this.#followed.values()].some(({ status }) => status === 'running')
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
      if (before === undefined || (before.status === status && before.mark === mark)) return []
      const delaySeconds = before.mark === lookAgain ? lookAgainSeconds : sampleDelaySeconds
      const isTurn = isHurried || before.status !== status || now - before.sentAt >= delaySeconds
      return isTurn ? [taskId] : []
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
      const before = this.#followed.get(taskId)?.samples ?? noSamples
      const seen = glimpses.get(taskId)?.mark ?? ''
      const read = hasRows(seen)
        ? this.#samples.read(attemptId, attempt, before, left)
        : { chunks: this.#chunksOfRun(attempt), sent: before, hasMore: false }
      // The runner may write the last of them a moment after the end: they are read once more.
      const isSecondLook = this.#followed.get(taskId)?.mark === lookAgain
      const isOfRun = !hasRows(seen) && read.chunks.length > 0 && !isSecondLook
      const mark = isOfRun ? lookAgain : seen
      left -= read.chunks.reduce((sum, { rowCount }) => sum + rowCount, 0)
      const isFresh = attemptId > this.#sent.attemptId
      const followed: Followed = {
        status: read.hasMore ? '' : status,
        mark,
        samples: read.sent,
        sentAt: this.#settings.monotonicSeconds(),
      }
      const staysOpen = isOfRun || read.hasMore || status === 'running' || status === 'interrupted'
      notes.push(() => {
        if (staysOpen) this.#followed.set(taskId, followed)
        else this.#followed.delete(taskId)
      })
      const { chunks } = read
      if (read.hasMore) {
        // The record follows when all its samples are there.
        rows.push({ taskId, chunks })
        isCut = true
        break
      }
      rows.push({ ...rowOf(attempt), chunks })
      if (isFresh) sent = { attemptId, taskId }
    }
    return { rows: [...rows, ...this.#earlier(rows)], sent, isCut }
  }

  /** Of a job of a workflow that is over. */
  #chunksOfRun(attempt: LocalAttempt): readonly ChunkRow[] {
    const runId = attempt.values['run_id'] ?? null
    if (attempt.workflowId === null || runId === null || attempt.status === 'running') return []
    return this.#runs.chunks(attempt, Number(runId))
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
