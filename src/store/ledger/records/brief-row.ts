import type { BriefKey, BriefRecord, BriefUsage } from '../../../model/brief-record.ts'
import type { BriefFigure } from '../../../model/measured.ts'
import type { Dialect } from '../dialect.ts'
import { columnOf } from './figure-columns.ts'
import { statusOf } from './record-row.ts'
import {
  amountOrNull,
  exitCodeOrNull,
  number,
  text,
  textOrNull,
  type Row,
} from '../../sqlite/row.ts'
import { parseUsage } from './usage-text.ts'

/**
 * What `briefRecordOf` reads of an attempt joined with its job. The usage is long, and read only where an older build wrote
 * the row: before the figures had columns of their own.
 */
export const briefColumns = (keys: readonly BriefKey[], dialect: Dialect): string => `
  attempt.task_id, attempt.job_id, attempt.run_id, attempt.number, attempt.status, attempt.exit_code, attempt.reason,
  attempt.duration_seconds, ${briefUsageColumns(keys, dialect)},
  job.name, job.cpus`

/** What `briefUsageOf` reads. */
export const briefUsageColumns = (keys: readonly BriefKey[], { storedUsage }: Dialect): string => `
  ${keys.map((key) => `attempt.${columnOf[key]}, `).join('')}
  attempt.lower_bounds, CASE WHEN attempt.lower_bounds IS NULL THEN ${storedUsage} END AS usage`

export function briefRecordOf<Key extends BriefKey>(
  row: Row,
  keys: readonly Key[],
): BriefRecord<Key> {
  return {
    taskId: text(row, 'task_id'),
    jobId: number(row, 'job_id'),
    attempt: number(row, 'number'),
    name: text(row, 'name'),
    status: statusOf(row),
    exitCode: exitCodeOrNull(row, 'exit_code'),
    reason: textOrNull(row, 'reason'),
    durationSeconds: amountOrNull(row, 'duration_seconds'),
    requirements: { cpus: amountOrNull(row, 'cpus') },
    usage: briefUsageOf(row, keys),
  }
}

const unknown: BriefFigure = { value: null }

export function briefUsageOf<Key extends BriefKey>(
  row: Row,
  keys: readonly Key[],
): BriefUsage<Key> {
  const usage = textOrNull(row, 'usage')
  if (usage !== null) return parseUsage(usage)
  const bounded = textOrNull(row, 'lower_bounds') ?? ''
  const figures: Partial<Record<Key, BriefFigure>> = {}
  for (const key of keys) {
    const value = amountOrNull(row, columnOf[key])
    figures[key] = value === null ? unknown : figureOf(value, bounded !== '' && isIn(bounded, key))
  }
  return figures as BriefUsage<Key>
}

const figureOf = (value: number, isBounded: boolean): BriefFigure =>
  isBounded ? { value, basis: 'at least' } : { value }

const isIn = (bounded: string, key: BriefKey): boolean => bounded.split(' ').includes(key)
