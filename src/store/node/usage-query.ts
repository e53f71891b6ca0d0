import type { SQLInputValue } from 'node:sqlite'
import {
  isShared,
  type UsageKey,
  type UsageMetric,
  type UsageTable,
} from '../../model/node-usage.ts'
import { addTold } from '../../model/told-sum.ts'
import { number, numberOrNull, text, type Row } from '../sqlite/row.ts'
import { rowsOf, type Asking } from './asking.ts'
import type { NodeDialect } from './dialect.ts'
import { hasAnyPart, partValues } from './job-query.ts'
import { offsetExpression, type OffsetStretch } from './local-hours.ts'

export interface UsageQuery {
  readonly by: readonly UsageKey[]
  readonly metric: UsageMetric
  readonly from: number
  readonly to: number
  readonly users?: readonly string[]
  readonly hosts?: readonly string[]
  /** Any part of the command. */
  readonly commands?: readonly string[]
  readonly accounts?: readonly string[]
  /** Only on these days of the week, from Monday on, and in these hours of the day. */
  readonly weekdays?: readonly number[]
  readonly hours?: readonly number[]
  /** How far local time is ahead of UTC, and from when on, the earliest first. */
  readonly offsets: readonly OffsetStretch[]
}

/** Days are counted from 1970-01-01, a Thursday; weeks and weekdays begin with Monday. */
const timeKeys = {
  hour: '(local / 3600 % 24)',
  weekday: '((local / 86400 + 3) % 7)',
  'hour-of-week': '((local / 3600 + 72) % 168)',
  day: '(local / 86400)',
  week: '((local / 86400 + 3) / 7)',
} as const
const nameKeys: readonly string[] = ['user', 'host', 'command', 'account']

/** One of them may not have been measured. */
const bytesMoved = 'coalesce(read_bytes + write_bytes, read_bytes, write_bytes)'

const none = 'CAST(NULL AS BIGINT)'

interface Measure {
  readonly sum: string
  readonly capacity: string
  readonly factor: number
  /** Counts rows whose cards did not tell it, though somebody was on them. */
  readonly untold?: string
  /** Sums of it may be more than 64 bits can count; 16 digits do. */
  readonly isLarge?: boolean
}

const untoldOnCards = (column: string): string =>
  `CASE WHEN ${column} IS NULL AND gpu_memory_kib_ms IS NOT NULL THEN 1 END`

const measures: Readonly<Record<UsageMetric, Measure>> = {
  cpu: { sum: 'cpu_us', capacity: 'core_ms * 1000', factor: 1e-6 },
  memory: {
    sum: 'memory_kib_ms',
    capacity: 'memory_total_kib_ms',
    factor: 1.024,
    isLarge: true,
  },
  gpu: {
    sum: 'gpu_us',
    capacity: 'gpu_ms * 1000',
    factor: 1e-6,
    untold: untoldOnCards('gpu_us'),
  },
  'gpu-memory': {
    sum: 'gpu_memory_kib_ms',
    capacity: 'gpu_memory_total_kib_ms',
    factor: 1.024,
    isLarge: true,
  },
  io: { sum: bytesMoved, capacity: none, factor: 1 },
  energy: {
    sum: 'energy_mj',
    capacity: none,
    factor: 1e-3,
    untold: untoldOnCards('energy_mj'),
  },
}

export function* readUsage(dialect: NodeDialect, query: UsageQuery): Asking<UsageTable> {
  const { sum, capacity, factor, untold = none, isLarge = false } = measures[query.metric]
  const summed = (column: string): string => (isLarge ? dialect.forSums(column) : column)
  const found = yield* grouped(dialect, query, {
    table: tableFor(query),
    sums: [summed(sum), untold],
    keys: query.by,
  })
  const amounts = found.map((group) => ({ ...group, value: toldIn(group) }))
  const rooms = yield* grouped(dialect, query, {
    table: 'node_hour',
    sums: [summed(capacity), 'span_ms'],
    keys: query.by.filter(isShared),
  })
  const scaled = (value: number | null | undefined): number | null =>
    value === null || value === undefined ? null : value * factor
  const room = rooms.map(({ keys, value, beside }) => ({
    keys,
    capacity: scaled(value),
    observedSeconds: (beside ?? 0) / 1e3,
  }))
  const capacities = new Map(room.map((one) => [one.keys.join('\0'), one.capacity]))
  const rows = amounts.map(({ keys, value }) => ({
    keys,
    amount: scaled(value),
    capacity: capacities.get(keys.filter((_, at) => isSharedAt(query.by, at)).join('\0')) ?? null,
  }))
  return {
    rows,
    total: scaled(toldIn({ value: added(found), beside: added(found, 'beside') })),
    capacity: scaled(added(rooms)),
    observedSeconds: room.reduce((seconds, one) => seconds + one.observedSeconds, 0),
    room,
  }
}

function isSharedAt(by: readonly UsageKey[], at: number): boolean {
  const key = by[at]
  return key !== undefined && isShared(key)
}

/** By user and account alone, over all hosts, there is a smaller table. */
function tableFor({ by, hosts = [], commands = [] }: UsageQuery): Grouping['table'] {
  const needsAll = by.includes('host') || by.includes('command')
  return needsAll || hosts.length + commands.length > 0 ? 'usage_hour' : 'usage_user_hour'
}

interface Grouping {
  readonly table: 'usage_hour' | 'usage_user_hour' | 'node_hour'
  /** Beside the value: of rooms how long was looked, and of amounts how many rows were not told. */
  readonly sums: readonly [value: string, beside: string]
  readonly keys: readonly UsageKey[]
}

interface Group {
  readonly keys: readonly (string | number)[]
  readonly value: number | null
  readonly beside: number | null
}

/** Where a part was not told, the rest is a lower bound, and that it was at least 0 says nothing. */
const toldIn = ({ value, beside }: Omit<Group, 'keys'>): number | null =>
  (beside ?? 0) > 0 ? addTold(value, null) : value

/** Grouped by numbers alone, and names put in afterwards: texts would be compared millions of times. */
function* grouped(
  dialect: NodeDialect,
  query: UsageQuery,
  { table, sums: [value, beside], keys }: Grouping,
): Asking<Group[]> {
  const columns = keys.map(columnOf)
  const { conditions, values } = conditionsOf(dialect, query, table)
  const named = columns.map((column, at) => `${column} AS k${at}`)
  const groups = keys.map((_, at) => `k${at}`).join(', ')
  const local = `at_ms / 1000 + ${offsetExpression(query.offsets)} AS local`
  const where = `FROM ${table} WHERE ${conditions.join(' AND ')}`
  // Rows of one hour and host follow one another: they are added up as they are read, and only what is left is sorted.
  const source =
    table === 'usage_hour' && keys.every(isShared)
      ? `SELECT at_ms, host_id, SUM(${value}) AS value, SUM(${beside}) AS beside ${where} GROUP BY at_ms, host_id`
      : `SELECT *, ${value} AS value, ${beside} AS beside ${where}`
  const sql = `
    SELECT ${[...named, 'SUM(value) AS value', 'SUM(beside) AS beside'].join(', ')}
    FROM (SELECT *, ${local} FROM (${source}) AS found) AS told
    ${weekCondition(query)}
    ${groups === '' ? '' : `GROUP BY ${groups}`}`
  const names = new Map<UsageKey, ReadonlyMap<number, string>>()
  for (const key of keys) if (nameKeys.includes(key)) names.set(key, yield* namesOf(key))
  const keyOf = (row: Row, key: UsageKey, at: number): string | number => {
    const found = number(row, `k${at}`)
    return names.get(key)?.get(found) ?? found
  }
  const found = yield* rowsOf(sql, values, (row) => ({
    keys: keys.map((key, at) => keyOf(row, key, at)),
    value: numberOrNull(row, 'value'),
    beside: numberOrNull(row, 'beside'),
  }))
  return found.toSorted((one, other) => compare(one.keys, other.keys))
}

/** In the order of their names: the numbers of these are those of whoever keeps them. */
function compare(one: Group['keys'], other: Group['keys']): number {
  for (const [at, key] of one.entries()) {
    const its = other[at] ?? key
    if (key !== its) return key < its ? -1 : 1
  }
  return 0
}

const columnOf = (key: UsageKey): string =>
  key in timeKeys ? timeKeys[key as keyof typeof timeKeys] : `${key}_id`

function weekCondition({ weekdays, hours }: UsageQuery): string {
  const among = (column: string, wanted: readonly number[] | undefined): string[] =>
    wanted === undefined ? [] : [`${column} IN (${wanted.join(', ')})`]
  const found = [...among(timeKeys.weekday, weekdays), ...among(timeKeys.hour, hours)]
  return found.length === 0 ? '' : `WHERE ${found.join(' AND ')}`
}

function* namesOf(key: UsageKey): Asking<ReadonlyMap<number, string>> {
  const sql = `SELECT id, name FROM "${key}"`
  return new Map(yield* rowsOf(sql, [], (row) => [number(row, 'id'), text(row, 'name')] as const))
}

const filtersOf: Readonly<Record<Grouping['table'], readonly string[]>> = {
  usage_hour: nameKeys,
  usage_user_hour: ['user', 'account'],
  node_hour: ['host'],
}

function conditionsOf(
  dialect: NodeDialect,
  query: UsageQuery,
  table: Grouping['table'],
): { conditions: string[]; values: SQLInputValue[] } {
  const conditions = ['at_ms >= ?', 'at_ms < ?']
  const values: SQLInputValue[] = [Math.round(query.from * 1e3), Math.round(query.to * 1e3)]
  const wanted = filtersOf[table]
  const lists: Record<string, readonly string[] | undefined> = {
    user: query.users,
    host: query.hosts,
    command: query.commands,
    account: query.accounts,
  }
  for (const key of wanted) {
    const list = lists[key] ?? []
    if (list.length === 0) continue
    const isPart = key === 'command'
    const places = list.map(() => '?').join(', ')
    const isWanted = isPart ? hasAnyPart(dialect, 'name', list) : `name IN (${places})`
    conditions.push(`${key}_id IN (SELECT id FROM "${key}" WHERE ${isWanted})`)
    values.push(...(isPart ? partValues(list) : list))
  }
  return { conditions, values }
}

const added = (groups: readonly Group[], name: 'value' | 'beside' = 'value'): number | null =>
  groups.reduce<number | null>(
    (sum, { [name]: value }) => (value === null ? sum : (sum ?? 0) + value),
    null,
  )
