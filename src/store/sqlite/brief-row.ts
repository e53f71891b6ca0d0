import type { BriefRecord, BriefUsage } from '../../model/brief-record.ts'
import type { BriefFigure } from '../../model/measured.ts'
import type { UsageKey } from '../../model/usage.ts'
import { statusOf } from './record-row.ts'
import { amountOrNull, exitCodeOrNull, number, text, textOrNull, type Row } from './row.ts'
import { basisIn, figureIn } from './usage-scan.ts'
import { parseUsage } from './usage-text.ts'

/** What `briefRecordOf` reads of an attempt joined with its job. */
export const briefColumns = `
  attempt.task_id, attempt.job_id, attempt.run_id, attempt.number, attempt.status, attempt.exit_code,
  attempt.duration_seconds, attempt.cpu_seconds, attempt.memory_peak_bytes, attempt.usage,
  job.name, job.cpus`

export function briefRecordOf<Key extends UsageKey>(
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
    durationSeconds: amountOrNull(row, 'duration_seconds'),
    requirements: { cpus: amountOrNull(row, 'cpus') },
    usage: usageOf(row, keys),
  }
}

/** Figures that have a column of their own; the others are looked up in the text. */
const columnOf: Partial<Record<UsageKey, string>> = {
  cpuTotalSeconds: 'cpu_seconds',
  memoryPeakBytes: 'memory_peak_bytes',
}

const unknown = { value: null }

function usageOf<Key extends UsageKey>(row: Row, keys: readonly Key[]): BriefUsage<Key> {
  const usage = textOrNull(row, 'usage') ?? nothingYet
  // The first version of the ledger wrote an object for each figure.
  if (!usage.startsWith('{"measured":')) return parseUsage(usage)
  const figures: Partial<Record<Key, BriefFigure>> = {}
  for (const key of keys) {
    const column = columnOf[key]
    const value = column === undefined ? (figureIn(usage, key) ?? null) : amountOrNull(row, column)
    figures[key] = value === null ? unknown : { value, basis: basisIn(usage, key) ?? '' }
  }
  return figures as BriefUsage<Key>
}

/** The usage of an attempt that has not ended. */
const nothingYet = '{"measured":'
