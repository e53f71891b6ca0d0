import type { PoolClient } from 'pg'
import type { Database, Statements } from '../connection.ts'
import { emptyBatch, type AttemptRows, type SentUpTo, type TeamBatch } from './batch.ts'
import { FormTable } from './form-table.ts'
import { endVanished, mergeAttempts } from './merge-attempts.ts'
import { mergeBaselines, mergeBenchmarks } from './merge-benchmarks.ts'
import { mergeChunks } from './merge-chunks.ts'
import { mergeWorkflows } from './merge-workflows.ts'
import { isRefusal, Refused, whyRefused } from './refused.ts'
import { advanceSource, lockSource, type SourcePlace, type SourceState } from './source.ts'

/**
 * Whoever stops in the middle holds others up for a minute at most. Some hundred rows are looked for among millions: by index,
 * whatever the server believes of tables that were filled a moment ago; and compiling a plan would take longer than all of it.
 */
const forThis = `
  SET LOCAL idle_in_transaction_session_timeout = '60s';
  SET LOCAL jit = off;
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  SET LOCAL enable_seqscan = off`

/** Somebody else has sent the same ledger in the meantime: what comes next must be worked out afresh. */
export class SentByAnother extends Error {
  override readonly name = 'SentByAnother'
}

/** Theirs may be a claim, or a copy of the same ledger: an administrator knows. */
const heldByAnother =
  'another role has sent a record of this task and user, which stays; an administrator sees by whom: ' +
  'SELECT role FROM jobmeter.source JOIN jobmeter.attempt ON source_id = source.id WHERE task_id = …'

/** What became of a batch. */
export interface Written {
  readonly state: SourceState
  readonly attempts: number
  readonly samples: number
  /** Records that the team ledger cannot hold, and why. */
  readonly refused: readonly RefusedRecord[]
}

export interface RefusedRecord {
  /** A task id, or the name of a workflow or benchmark. */
  readonly record: string
  readonly reason: string
}

/**
 * Stores what a local ledger holds. A batch is there whole or not at all, and sending it again changes nothing: an attempt is
 * found by its task, a finished record takes the place of a running one and never the other way round, and samples are
 * counted from the first one.
 */
export class TeamWriter {
  readonly #database: Database
  readonly #place: SourcePlace
  readonly #forms = new FormTable()
  readonly #months = new Set<string>()

  constructor(database: Database, place: SourcePlace) {
    this.#database = database
    this.#place = place
  }

  /**
   * Stores a batch that was made when the source stood at `from`, and notes that the ledger was sent up to there. What
   * cannot be stored is set aside, and keeps nothing else.
   *
   * @throws SentByAnother
   */
  async write(batch: TeamBatch, from: SourceState, sent: SentUpTo = from.sent): Promise<Written> {
    try {
      return await this.#writeWhole(batch, from, sent)
    } catch (error) {
      if (!isRefusal(error)) throw error
      return this.#writeOneByOne(batch, from, sent)
    }
  }

  async #writeWhole(batch: TeamBatch, from: SourceState, sent: SentUpTo): Promise<Written> {
    const attempts = await this.#forms.named(this.#database, batch.attempts)
    await this.#makeMonths(attempts)
    const { held, ...found } = await this.#database.transaction(async (client, statements) => {
      await statements.run(forThis)
      const state = await lockSource(statements, from.sourceId)
      if (state?.revision !== from.revision)
        throw new SentByAnother('the ledger was sent by another process')
      const merged = await merge(client, statements, from.sourceId, { ...batch, attempts })
      const { attempts: added, samples } = merged
      await advanceSource(statements, from.sourceId, this.#place, {
        sent,
        attempts: added,
        samples,
      })
      return merged
    })
    const state = { ...from, revision: from.revision + 1, sent }
    return { state, ...found, refused: held.map((record) => ({ record, reason: heldByAnother })) }
  }

  async #writeOneByOne(batch: TeamBatch, from: SourceState, sent: SentUpTo): Promise<Written> {
    let state = from
    let attempts = 0
    let samples = 0
    const refused: RefusedRecord[] = []
    for (const [record, alone] of eachAlone(batch)) {
      try {
        const written = await this.#writeWhole(alone, state, state.sent)
        state = written.state
        attempts += written.attempts
        samples += written.samples
        refused.push(...written.refused)
      } catch (error) {
        if (!isRefusal(error)) throw error
        refused.push({ record, reason: whyRefused(error) })
      }
    }
    const rest = await this.#writeWhole({ ...emptyBatch, vanished: batch.vanished }, state, sent)
    return { state: rest.state, attempts, samples, refused }
  }

  /** Outside of the transaction: whoever makes a partition keeps others from making one until his transaction ends. */
  async #makeMonths(attempts: readonly AttemptRows[]): Promise<void> {
    const moments = attempts.flatMap(({ attempt, chunks }) => [
      ...(attempt === undefined ? [] : [Number(attempt['started_at'])]),
      ...chunks.map(({ startedAt }) => startedAt),
    ])
    if (moments.some((moment) => !(moment >= 0 && moment < latestSeconds)))
      throw new Refused('a job starts at no time that there is')
    const missing = [...new Set(moments)].filter((moment) => !this.#months.has(monthOf(moment)))
    if (missing.length === 0) return
    await this.#database.rows('SELECT make_months(?)', [missing])
    for (const moment of missing) this.#months.add(monthOf(moment))
  }
}

async function merge(
  client: PoolClient,
  statements: Statements,
  sourceId: number,
  batch: TeamBatch,
): Promise<{ attempts: number; samples: number; held: readonly string[] }> {
  await mergeWorkflows(client, statements, sourceId, batch.workflows)
  const attempts = await stillKept(statements, batch.attempts)
  const rows = attempts.flatMap(({ attempt }) => (attempt === undefined ? [] : [attempt]))
  const { added, heldByOthers } = await mergeAttempts(client, statements, sourceId, rows)
  const ours = attempts.filter(({ taskId }) => !heldByOthers.has(taskId))
  const samples = await mergeChunks(client, statements, sourceId, ours)
  await endVanished(statements, sourceId, batch.vanished)
  await mergeBenchmarks(statements, sourceId, batch.benchmarks)
  await mergeBaselines(statements, sourceId, batch.baselines ?? [])
  return { attempts: added, samples, held: [...heldByOthers] }
}

/** Who joins late, or anew, need not bring what the team would drop at once. */
async function stillKept(
  statements: Statements,
  attempts: readonly AttemptRows[],
): Promise<readonly AttemptRows[]> {
  if (attempts.length === 0) return attempts
  const [row] = await statements.rows(
    "SELECT kept_since('records') AS records, greatest(kept_since('records'), kept_since('samples')) AS samples",
  )
  const [records, samples] = [Number(row?.['records']), Number(row?.['samples'])]
  return attempts.map((rows) => {
    const { attempt, ...others } = rows
    const isKept = attempt !== undefined && Number(attempt['started_at']) >= records
    const chunks = rows.chunks.filter(({ startedAt }) => startedAt >= samples)
    return { ...others, chunks, ...(isKept ? { attempt } : {}) }
  })
}

/** Each record of a batch as a batch of its own, workflows before their attempts. */
function* eachAlone(batch: TeamBatch): Iterable<[record: string, alone: TeamBatch]> {
  for (const workflow of batch.workflows)
    yield [
      `workflow ${String(workflow.workflow['name'])}`,
      { ...emptyBatch, workflows: [workflow] },
    ]
  for (const attempt of batch.attempts)
    yield [attempt.taskId, { ...emptyBatch, attempts: [attempt] }]
  for (const benchmark of batch.benchmarks)
    yield [
      `benchmark ${String(benchmark.benchmark['name'])}`,
      { ...emptyBatch, benchmarks: [benchmark] },
    ]
  if (batch.baselines !== undefined)
    yield ['baselines', { ...emptyBatch, baselines: batch.baselines }]
}

/** Far beyond what any clock says. */
const latestSeconds = 1e11

const monthOf = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 7)
