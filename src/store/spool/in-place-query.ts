import { isLowerBound } from '../../model/measured.ts'
import { isDurationBound } from '../../model/outcome.ts'
import type { KnownSum, OutcomeTally } from '../../model/outcome-tally.ts'
import type { JobRecord } from '../../model/record.ts'
import { inSmallLetters, isSought } from '../../model/search-words.ts'
import type { RecordOrder, RecordOrigin, RecordQuery, Several } from '../ledger/store.ts'

/** A record that is not as the ledger has it, or not in it at all. */
export interface ChangedRecord {
  readonly record: JobRecord
  readonly origin: RecordOrigin
}

/** A ledger's answer to a query, in its order, with the records that are different by now in their places. */
export function* merged(
  kept: Iterable<JobRecord>,
  changed: ReadonlyMap<string, ChangedRecord>,
  query: RecordQuery,
  order: RecordOrder,
): Generator<JobRecord> {
  const isBefore = (one: JobRecord, other: JobRecord): boolean =>
    order === 'newest first' ? one.startedAt > other.startedAt : one.startedAt < other.startedAt
  const waiting = [...changed.values()]
    .filter((one) => matches(one, query))
    .map(({ record }) => record)
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
  changed: ReadonlyMap<string, ChangedRecord>,
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

export function matches({ record, origin }: ChangedRecord, query: RecordQuery): boolean {
  const cased = query.inAnyCase === true ? inSmallLetters : (text: string): string => text
  const isOne = (wanted: Several<string> | undefined, ...found: readonly string[]): boolean =>
    wanted === undefined || found.some((one) => [wanted].flat().includes(one))
  const isNamed = (wanted: Several<string> | undefined, found: string): boolean =>
    wanted === undefined || isOne([wanted].flat().map(cased), cased(found))
  return (
    isNamed(query.tool, record.tool) &&
    isNamed(query.name, record.name) &&
    isNamed(query.user, record.user) &&
    isOne(query.tag, ...record.tags) &&
    isOne(query.status, record.status) &&
    isOne(query.host, record.machine.host) &&
    isOne(query.workingDirectory, record.workingDirectory) &&
    isOne(query.owners, record.user) &&
    (query.search === undefined || isSought(record, query.search)) &&
    (query.startedBefore === undefined || record.startedAt < query.startedBefore) &&
    (query.startedSince === undefined || record.startedAt >= query.startedSince) &&
    (query.jobId === undefined || record.jobId === query.jobId) &&
    isOne(query.taskId, record.taskId) &&
    (query.origin === undefined || origin === query.origin)
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
      durationSeconds: withOne(sums.durationSeconds, durationSeconds, isDurationBound(status)),
      cpuSeconds: withOne(
        sums.cpuSeconds,
        usage.cpuTotalSeconds.value,
        isLowerBound(usage.cpuTotalSeconds),
      ),
    })
  }
  return [...byKind.values()]
}

const none: KnownSum = { known: 0, sum: 0, least: 0 }
const nothing = { attempts: 0, durationSeconds: none, cpuSeconds: none }

const withOne = (before: KnownSum, value: number | null, isLeast: boolean): KnownSum =>
  value === null
    ? before
    : {
        known: before.known + 1,
        sum: before.sum + value,
        least: before.least + (isLeast ? 1 : 0),
      }
