import { DatabaseSync } from 'node:sqlite'
import { parseUsage } from '../../src/store/ledger/records/usage-text.ts'
import type { Database } from '../../src/store/postgres/connection.ts'
import { unpackChunk } from '../../src/store/postgres/chunk/chunk.ts'
import {
  attemptShape,
  jobShape,
  runShape,
  workflowShape,
} from '../../src/store/postgres/write/shapes.ts'
import { sqliteDialect } from '../../src/store/ledger/dialect.ts'

type Plain = Record<string, unknown>

/** The samples of each device, a line each: thousands of objects would take long to compare. */
type Lines = Record<string, string>

const keys = new Set(['id', 'attempt_id', 'kind', 'device'])

function addLine(lines: Lines, device: string, row: Plain): void {
  const figures = Object.entries(row)
    .filter(([name, value]) => !keys.has(name) && value !== null && !Number.isNaN(value))
    .map(([name, value]) => `${name}=${String(value)}`)
  lines[device] = `${lines[device] ?? ''}${figures.toSorted().join(' ')}\n`
}

/** Everything that a ledger holds and a team ledger must hold of it, as plain values by task, workflow and benchmark. */
export interface Content {
  readonly attempts: Record<string, Plain>
  readonly samples: Record<string, Lines>
  readonly workflows: Record<string, Plain>
  readonly benchmarks: Record<string, Plain>
  readonly baselines: Record<string, unknown>
}

const notCompared = new Set([
  'usage',
  'form_id',
  'marks',
  'sent_mark',
  'source_workflow_id',
  'source_job_id',
])
const attemptNames = Object.keys(attemptShape).filter((name) => !notCompared.has(name))
const pick = (row: Plain, names: readonly string[]): Plain =>
  Object.fromEntries(
    names.filter((name) => !notCompared.has(name)).map((name) => [name, row[name] ?? null]),
  )

const usageOf = (text: unknown): unknown => (typeof text === 'string' ? parseUsage(text) : null)

/** Of ledgers in files. */
export function contentOfLedgers(paths: readonly string[]): Content {
  const all: Content = { attempts: {}, samples: {}, workflows: {}, benchmarks: {}, baselines: {} }
  for (const path of paths) addLedger(all, path)
  return all
}

function addLedger(all: Content, path: string): void {
  const database = new DatabaseSync(path, { readOnly: true })
  const rows = (sql: string, ...values: (string | number)[]): Plain[] =>
    database.prepare(sql).all(...values)
  const jobNames = Object.keys(jobShape)
  for (const row of rows(`
    SELECT attempt.*, ${sqliteDialect.storedUsage} AS whole_usage, job.workflow_id, workflow.created_at AS workflow_key,
      ${jobNames
        .filter((name) => `job_${name}` in attemptShape)
        .map((name) => `job.${name} AS job_${name}`)
        .join(', ')}
    FROM attempt JOIN job ON job.id = attempt.job_id LEFT JOIN workflow ON workflow.id = workflow_id`)) {
    const task = String(row['task_id'])
    all.attempts[task] = {
      ...pick(row, attemptNames),
      usage: usageOf(row['whole_usage']),
      marks: rows(
        `SELECT timestamp, elapsed_seconds AS elapsedSeconds, step, epoch, phase, message FROM mark
         WHERE attempt_id = ? ORDER BY timestamp, id`,
        Number(row['id']),
      ),
      workflow: row['workflow_key'] ?? null,
    }
    const id = Number(row['id'])
    const lines: Lines = {}
    for (const found of rows('SELECT * FROM sample WHERE attempt_id = ? ORDER BY id', id))
      addLine(lines, ' ', found)
    for (const found of rows('SELECT * FROM device_sample WHERE attempt_id = ? ORDER BY id', id))
      addLine(lines, `${String(found['kind'])} ${String(found['device'])}`, found)
    all.samples[task] = lines
  }
  for (const row of rows('SELECT * FROM workflow'))
    all.workflows[String(row['created_at'])] = {
      ...pick(row, Object.keys(workflowShape)),
      runs: rows('SELECT * FROM run WHERE workflow_id = ? ORDER BY run_id', Number(row['id'])).map(
        (run) => pick(run, Object.keys(runShape)),
      ),
      jobs: rows('SELECT * FROM job WHERE workflow_id = ? ORDER BY id', Number(row['id'])).map(
        (job) => pick(job, jobNames),
      ),
      lists: rows(
        'SELECT id, names FROM name_list WHERE workflow_id = ? ORDER BY id',
        Number(row['id']),
      ).map((list) => ({ ...list })),
    }
  for (const row of rows('SELECT * FROM benchmark'))
    all.benchmarks[String(row['started_at'])] = {
      ...pick(row, ['name', 'started_at', 'ended_at', 'definition']),
      runs: rows(
        'SELECT position, task_id, run_number, is_warm_up, cell FROM benchmark_run WHERE benchmark_id = ? ORDER BY position',
        Number(row['id']),
      ).map((run) => ({ ...run })),
    }
  for (const row of rows(
    'SELECT baseline.name, saved_at, started_at FROM baseline JOIN benchmark ON benchmark.id = benchmark_id',
  ))
    all.baselines[`${String(row['name'])} ${String(row['saved_at'])}`] = row['started_at']
  database.close()
}

/** Of a team ledger; fails where anything is there twice. */
export async function contentOfTeam(team: Database): Promise<Content> {
  const all: Content = { attempts: {}, samples: {}, workflows: {}, benchmarks: {}, baselines: {} }
  for (const row of await team.rows(`
    SELECT attempt.*, form, workflow.created_at AS workflow_key FROM attempt LEFT JOIN usage_form ON usage_form.id = form_id
      LEFT JOIN workflow ON workflow.id = workflow_id`)) {
    const task = String(row['task_id'])
    if (task in all.attempts) throw new Error(`${task} is there twice`)
    const usage =
      row['form'] === null ? row['usage'] : `${String(row['form'])}\n${String(row['usage'])}`
    all.attempts[task] = {
      ...pick(row, attemptNames),
      usage: usageOf(usage),
      marks: row['marks'] === null ? [] : JSON.parse(String(row['marks'])),
      workflow: row['workflow_key'] ?? null,
    }
    all.samples[task] = {}
  }
  const next: Record<string, number> = {}
  for (const row of await team.rows(
    'SELECT * FROM sample_chunk ORDER BY task_id, part DESC, first_row',
  )) {
    const task = String(row['task_id'])
    const key = `${task} ${String(row['part'])}`
    if (Number(row['first_row']) !== (next[key] ?? 0))
      throw new Error(`${key}: rows are missing or doubled`)
    next[key] = Number(row['first_row']) + Number(row['row_count'])
    const lines = (all.samples[task] ??= {})
    const packed = row['packed'] as unknown as Buffer
    for (const { kind, id, columns, values, count } of unpackChunk(
      packed,
      Number(row['row_count']),
    ))
      for (let at = 0; at < count; at += 1) {
        const figures = columns.map((name, place) => [name, values[place]?.[at] ?? null])
        addLine(lines, `${kind} ${id}`, Object.fromEntries(figures) as Plain)
      }
  }
  for (const row of await team.rows('SELECT * FROM workflow')) {
    const id = Number(row['id'])
    if (String(row['created_at']) in all.workflows) throw new Error('a workflow is there twice')
    all.workflows[String(row['created_at'])] = {
      ...pick(row, Object.keys(workflowShape)),
      runs: (await team.rows('SELECT * FROM run WHERE workflow_id = ? ORDER BY run_id', [id])).map(
        (run) => pick(run, Object.keys(runShape)),
      ),
      jobs: (
        await team.rows('SELECT * FROM job WHERE workflow_id = ? ORDER BY source_job_id', [id])
      ).map((job) => pick(job, Object.keys(jobShape))),
      lists: (
        await team.rows('SELECT id, names FROM name_list WHERE workflow_id = ? ORDER BY id', [id])
      ).map((list) => ({ ...list })),
    }
  }
  for (const row of await team.rows('SELECT * FROM benchmark'))
    all.benchmarks[String(row['started_at'])] = {
      ...pick(row, ['name', 'started_at', 'ended_at', 'definition']),
      runs: (
        await team.rows(
          'SELECT position, task_id, run_number, is_warm_up, cell FROM benchmark_run WHERE benchmark_id = ? ORDER BY position',
          [Number(row['id'])],
        )
      ).map((run) => ({ ...run })),
    }
  for (const row of await team.rows(
    'SELECT baseline.name, saved_at, started_at FROM baseline JOIN benchmark ON benchmark.id = benchmark_id',
  ))
    all.baselines[`${String(row['name'])} ${String(row['saved_at'])}`] = row['started_at']
  return all
}
