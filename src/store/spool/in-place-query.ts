import type { KnownSum, OutcomeTally } from '../../model/outcome-tally.ts'
import type { JobRecord } from '../../model/record.ts'
import type { RecordOrder, RecordQuery } from '../store.ts'

/** A ledger's answer to a query, in its order, with the records that are different by now in their places. */
export function* merged(
  kept: Iterable<JobRecord>,
  changed: ReadonlyMap<string, JobRecord>,
  query: RecordQuery,
  order: RecordOrder,
): Generator<JobRecord> {
  const isBefore = (one: JobRecord, other: JobRecord): boolean =>
    order === 'newest first' ? one.startedAt > other.startedAt : one.startedAt < other.startedAt
  const waiting = [...changed.values()]
    .filter((record) => matches(record, query))
    .toSorted((one, other) => (isBefore(one, other) ? -1 : Number(isBefore(other, one))))
  let left = query.limit ?? Infinity
  for (const record of inTurn(kept, changed, waiting, isBefore)) {
    if (left <= 0) return
    left -= 1
    yield record
  }
}

function* inTurn(
  kept: Iterable<JobRecord>,
  changed: ReadonlyMap<string, JobRecord>,
  waiting: readonly JobRecord[],
  isBefore: (one: JobRecord, other: JobRecord) => boolean,
): Generator<JobRecord> {
  let next = 0
  for (const record of kept) {
    if (changed.has(record.taskId)) continue
    for (; next < waiting.length; next++) {
      const other = waiting[next]
      if (other === undefined || isBefore(record, other)) break
      yield other
    }
    yield record
  }
  yield* waiting.slice(next)
}

function matches(record: JobRecord, query: RecordQuery): boolean {
  const { tool, name, tag, status, startedSince } = query
  return (
    (tool === undefined || record.tool === tool) &&
    (name === undefined || record.name === name) &&
    (tag === undefined || record.tags.includes(tag)) &&
    (status === undefined || record.status === status) &&
    (startedSince === undefined || record.startedAt >= startedSince)
  )
}

/** All records, added up by tool and by how they ended. */
export function tallied(records: Iterable<JobRecord>): OutcomeTally[] {
  const byKind = new Map<string, OutcomeTally>()
  for (const { tool, status, durationSeconds, usage } of records) {
    const kind = `${status} ${tool}`
    const { attempts, ...sums } = byKind.get(kind) ?? nothing
    byKind.set(kind, {
      tool,
      status,
      attempts: attempts + 1,
      durationSeconds: withOne(sums.durationSeconds, durationSeconds),
      cpuSeconds: withOne(sums.cpuSeconds, usage.cpuTotalSeconds.value),
    })
  }
  return [...byKind.values()]
}

const none: KnownSum = { known: 0, sum: 0 }
const nothing = { attempts: 0, durationSeconds: none, cpuSeconds: none }

const withOne = ({ known, sum }: KnownSum, value: number | null): KnownSum =>
  value === null ? { known, sum } : { known: known + 1, sum: sum + value }
