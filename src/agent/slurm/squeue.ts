import { slurmCount, slurmSeconds, slurmText } from '../../slurm/values.ts'
import { isJobNumber } from './job-number.ts'
import { slurmReservation } from './slurm-reservation.ts'
import type { SlurmWord } from './slurm-word.ts'

/**
 * The columns that are asked for, with their headings. None of them is text that users choose: the name of a job may hold
 * line breaks and whatever else looks like an answer, which is why `scontrol show job` is not asked.
 */
const columns = [
  { field: 'JobID', heading: 'JOBID', width: 20 },
  { field: 'ArrayJobID', heading: 'ARRAY_JOB_ID', width: 20 },
  { field: 'ArrayTaskID', heading: 'ARRAY_TASK_ID', width: 20 },
  { field: 'HetJobID', heading: 'HET_JOB_ID', width: 20 },
  { field: 'HetJobOffset', heading: 'HET_JOB_OFFSET', width: 20 },
  { field: 'UserID', heading: 'UID', width: 20 },
  { field: 'Account', heading: 'ACCOUNT', width: 100 },
  { field: 'RestartCnt', heading: 'RESTART_COUNT', width: 20 },
  { field: 'TimeLimit', heading: 'TIME_LIMIT', width: 40 },
  { field: 'tres-alloc', heading: 'TRES_ALLOC', width: 400 },
] as const
type Heading = (typeof columns)[number]['heading']

/** Asks about jobs that Slurm's controller still knows, including those that ended a few minutes ago. */
export const squeueCommand = (ids: readonly string[]): readonly [string, ...string[]] => [
  'squeue',
  '--states=all',
  `--jobs=${ids.join(',')}`,
  `--Format=${columns.map(({ field, width }) => `${field}:${width}`).join(',')}`,
]

/** Each line is a job; lines that are not as they were asked for are passed over. */
export function parseSqueue(text: string): SlurmWord[] {
  const [heading = '', ...lines] = text.split('\n')
  const titles = cells(heading)
  if (columns.some((column) => titles.get(column.heading) !== column.heading)) return []
  return lines.map(cells).flatMap((row) => wordOf(row) ?? [])
}

/** Widths are in bytes. */
function cells(line: string): ReadonlyMap<Heading, string> {
  const bytes = Buffer.from(line)
  let at = 0
  return new Map(
    columns.map(({ heading, width }) => {
      const cell = bytes.subarray(at, at + width).toString()
      at += width
      return [heading, withoutCutEnd(cell, width).trim()]
    }),
  )
}

/** A list that did not fit, without the entry that was cut off. */
const withoutCutEnd = (cell: string, width: number): string =>
  cell.includes(',') && Buffer.byteLength(cell.trimEnd()) === width
    ? cell.slice(0, cell.lastIndexOf(','))
    : cell

function wordOf(row: ReadonlyMap<Heading, string>): SlurmWord | undefined {
  const id = row.get('JOBID') ?? ''
  const uid = slurmCount(row.get('UID')) ?? undefined
  if (!isJobNumber(id) || uid === undefined) return undefined
  const limit = slurmSeconds(row.get('TIME_LIMIT')) ?? null
  return {
    id,
    uid,
    account: slurmText(row.get('ACCOUNT')),
    shownId: shownId(row),
    restarts: slurmCount(row.get('RESTART_COUNT')) ?? null,
    reservation: slurmReservation(row.get('TRES_ALLOC') ?? '', limit),
  }
}

function shownId(row: ReadonlyMap<Heading, string>): string | null {
  const parts = (whole: Heading, part: Heading, between: string): string | null =>
    typeof slurmCount(row.get(part)) !== 'number'
      ? null
      : `${row.get(whole) ?? ''}${between}${row.get(part) ?? ''}`
  return parts('ARRAY_JOB_ID', 'ARRAY_TASK_ID', '_') ?? parts('HET_JOB_ID', 'HET_JOB_OFFSET', '+')
}
