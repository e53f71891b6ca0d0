import { expect } from 'vitest'
import { liveColumns, liveRow } from '../../src/analysis/series/live-columns.ts'
import { deriveSeries } from '../../src/analysis/series/rates.ts'
import type {
  LiveAttempt,
  LiveNews,
  LiveRow,
  LiveWorkflow,
  ToldEvent,
} from '../../src/model/live.ts'
import type { JobRecord } from '../../src/model/record.ts'
import type { SampleRow } from '../../src/model/sample.ts'
import type { LiveReading } from '../../src/service/live/live-reading.ts'

interface ToldAttempt {
  readonly begun: number
  readonly ended: number
  readonly facts: LiveAttempt
}

/** A listener that keeps to the rules of the events, and fails where they break them. */
export class Told {
  readonly attempts = new Map<string, ToldAttempt>()
  /** By task: null where the series is to be read anew. */
  readonly rows = new Map<string, LiveRow[] | null>()
  readonly workflows = new Map<number, LiveWorkflow>()
  readonly alerts: string[] = []
  resets = 0
  newestId = ''

  readonly hear = (events: readonly ToldEvent[]): void => {
    for (const { id, event, text } of events) {
      demand(text === JSON.stringify(event), 'the text is of another event')
      const isNext = this.newestId === '' || numberOf(id) === numberOf(this.newestId) + 1
      demand(isNext || event.kind === 'reset', `${id} came after ${this.newestId}`)
      this.newestId = id
      if (event.kind === 'reset') this.#reset()
      if (event.kind === 'attempt') this.#attempt(event.change, event.attempt)
      if (event.kind === 'samples') this.#samples(event.taskId, event.firstRow, event.rows)
      if (event.kind === 'workflow') this.workflows.set(event.workflow.workflowId, event.workflow)
      if (event.kind === 'alert') this.alerts.push(`${event.change} ${event.alert.rule}`)
    }
  }

  get ended(): number {
    return [...this.attempts.values()].filter(({ ended }) => ended > 0).length
  }

  #reset(): void {
    this.resets += 1
    this.attempts.clear()
    this.rows.clear()
  }

  #attempt(change: string, facts: LiveAttempt): void {
    const known = this.attempts.get(facts.taskId)
    if (change === 'began' || change === 'found') {
      demand(known === undefined, `${facts.name} began twice`)
      demand(facts.status === 'running', `${facts.name} began as ${facts.status}`)
      this.attempts.set(facts.taskId, { begun: 1, ended: 0, facts })
      // Of one that ran before, the first rows are to be read elsewhere.
      this.rows.set(facts.taskId, change === 'found' ? null : [])
      return
    }
    if (known === undefined) throw new Error(`${facts.name} ${change} before it began`)
    if (change === 'ended') {
      demand(known.ended === 0, `${facts.name} ended twice`)
      demand(facts.status !== 'running', `${facts.name} ended, and runs`)
    }
    demand(
      JSON.stringify(facts) !== JSON.stringify(known.facts),
      `nothing of ${facts.name} changed`,
    )
    this.attempts.set(facts.taskId, {
      begun: 1,
      ended: known.ended + (change === 'ended' ? 1 : 0),
      facts,
    })
  }

  #samples(taskId: string, firstRow: number | null, rows: readonly LiveRow[]): void {
    const known = this.rows.get(taskId)
    demand(
      this.attempts.get(taskId)?.ended === 0,
      'samples came after the end, or before the start',
    )
    if (known === undefined || known === null || firstRow === null) {
      this.rows.set(taskId, null)
      return
    }
    demand(firstRow <= known.length, `row ${firstRow} came after ${known.length} rows`)
    known.splice(firstRow, Infinity, ...rows)
  }
}

function demand(holds: boolean, otherwise: string): void {
  if (!holds) throw new Error(otherwise)
}

const numberOf = (id: string): number => Number(id.split('.')[1])

/** Reads what there is to read, again and again, and tells it to a listener; answers the news of each reading. */
export function readingInto(
  reading: LiveReading,
  told: Told,
  problems: string[] = [],
): () => LiveNews[] {
  let id = 0
  return () => {
    const news = reading.read((problem) => problems.push(problem))
    told.hear(
      news.map((event): ToldEvent => {
        id += 1
        return { id: `x.${id}`, event, text: JSON.stringify(event) }
      }),
    )
    return news
  }
}

/** That what was told of an attempt is what the ledger says of it. */
export function expectTold(told: Told, record: JobRecord, samples: readonly SampleRow[]): void {
  const attempt = told.attempts.get(record.taskId)
  expect(attempt, `${record.name} was never told`).toBeDefined()
  const { taskId, jobId, name, status, exitCode, signal, reason, startedAt, endedAt } = record
  const { durationSeconds, user, machine, requirements, usage } = record
  expect(attempt).toMatchObject({
    begun: 1,
    ended: 1,
    facts: {
      taskId,
      jobId,
      name,
      status,
      exitCode,
      signal,
      reason,
      startedAt,
      endedAt,
      durationSeconds,
      user,
      machine,
      requirements,
      attempt: record.attempt,
    },
  })
  const figures = Object.entries(attempt?.facts.usage ?? {}).map(([key, { value }]) => [key, value])
  expect(Object.fromEntries(figures)).toMatchObject(
    Object.fromEntries(figures.map(([key]) => [key, usage[key as keyof typeof usage].value])),
  )
  const rows = told.rows.get(taskId)
  if (rows !== null)
    expect(rows, `samples of ${name}`).toEqual(deriveSeries(samples, machine.cores).map(liveRow))
}

export const columnOf = (rows: readonly LiveRow[], name: string): (number | null)[] =>
  rows.map((row) => row[liveColumns.indexOf(name)] ?? null)
