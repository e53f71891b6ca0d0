import { signal, type Signal } from '@preact/signals'
import type { LiveSamplesData } from '../../src/server/schemas/live.ts'
import type { Samples } from '../../src/server/schemas/series.ts'
import { ask } from '../api.ts'

/** The latest figures of a running job; each array has a value for each of the times, null where it was not measured. */
export interface LatestSamples {
  /** Seconds since its start. */
  readonly times: readonly number[]
  readonly cpuPercent: readonly (number | null)[]
  readonly memoryBytes: readonly (number | null)[]
  readonly machineCpuPercent: readonly (number | null)[]
  readonly machineMemoryBytes: readonly (number | null)[]
  /** How busy each card is now. */
  readonly cards: ReadonlyMap<string, CardNow>
  /** How busy each was lately. */
  readonly cardPercents: ReadonlyMap<string, readonly (number | null)[]>
}

export interface CardNow {
  readonly utilizationPercent: number | null
  readonly memoryUsedBytes: number | null
  readonly memoryTotalBytes: number | null
}

const columns = {
  cpuPercent: 'cpu_percent',
  memoryBytes: 'memory_bytes',
  machineCpuPercent: 'machine_cpu_percent',
  machineMemoryBytes: 'machine_memory_bytes',
} as const

const mostKept = 90
/** A job is looked at every few milliseconds when it begins: rates of such a moment are mostly noise. */
const restlessSeconds = 0.5
/** Of how many jobs; no screen has room for more. */
const mostJobs = 300

const nothing: LatestSamples = {
  times: [],
  cpuPercent: [],
  memoryBytes: [],
  machineCpuPercent: [],
  machineMemoryBytes: [],
  cards: new Map(),
  cardPercents: new Map(),
}

const byTask = new Map<string, Signal<LatestSamples>>()

/** The latest samples of a job, which change while it runs. */
export function latestSamples(taskId: string): Signal<LatestSamples> {
  const known = byTask.get(taskId)
  if (known !== undefined) return known
  const made = signal(nothing)
  const [oldest] = byTask.keys()
  if (byTask.size >= mostJobs && oldest !== undefined) byTask.delete(oldest)
  byTask.set(taskId, made)
  return made
}

/** Reads what a job that was running before did lately, so that its line does not begin with the page. */
export async function readLatest(taskId: string, elapsedSeconds: number): Promise<void> {
  const from = Math.max(0, Math.floor(elapsedSeconds - mostKept))
  try {
    const path = `/jobs/${encodeURIComponent(taskId)}/samples`
    const read = await ask<Samples>(`${path}?from=${from}&points=${2 * mostKept}`)
    const latest = latestSamples(taskId)
    latest.value = withRead(latest.peek(), read)
  } catch {
    // Its line begins with what is told from now on.
  }
}

/** What was read, and then what was told meanwhile. */
function withRead(told: LatestSamples, { columns: names, values }: Samples): LatestSamples {
  const column = (name: string): readonly (number | null)[] =>
    values[names.findIndex((each) => each.name === name)] ?? []
  const times = column('elapsed_seconds').map((at) => at ?? 0)
  const [first = Infinity] = told.times
  const isWanted = (_: unknown, row: number): boolean =>
    (times[row] ?? 0) >= restlessSeconds && (times[row] ?? 0) < first
  const extended = (key: keyof typeof columns): (number | null)[] =>
    [...column(columns[key]).filter(isWanted), ...told[key]].slice(-mostKept)
  return {
    ...told,
    times: [...times.filter(isWanted), ...told.times].slice(-mostKept),
    cpuPercent: extended('cpuPercent'),
    memoryBytes: extended('memoryBytes'),
    machineCpuPercent: extended('machineCpuPercent'),
    machineMemoryBytes: extended('machineMemoryBytes'),
  }
}

export function takeSamples(event: LiveSamplesData): void {
  const latest = latestSamples(event.task_id)
  latest.value = joined(latest.value, event)
}

/** Samples of a job that ended are in its series. */
export const forgetSamples = (taskId: string): void => void byTask.delete(taskId)

/** Rows that are told again take the place of those from the same moment on. */
function joined(
  before: LatestSamples,
  { columns: names, rows: told, devices }: LiveSamplesData,
): LatestSamples {
  const timeAt = names.indexOf('elapsed_seconds')
  const rows = told.filter((row) => (row[timeAt] ?? 0) >= restlessSeconds)
  const times = rows.map((row) => row[timeAt] ?? 0)
  const [first] = times
  const kept =
    first === undefined ? before.times.length : before.times.findIndex((at) => at >= first)
  const end = kept === -1 ? before.times.length : kept
  const extended = (old: readonly (number | null)[], name: string): (number | null)[] => {
    const at = names.indexOf(name)
    const fresh = rows.map((row) => (at === -1 ? null : (row[at] ?? null)))
    return [...old.slice(0, end), ...fresh].slice(-mostKept)
  }
  return {
    times: [...before.times.slice(0, end), ...times].slice(-mostKept),
    cpuPercent: extended(before.cpuPercent, columns.cpuPercent),
    memoryBytes: extended(before.memoryBytes, columns.memoryBytes),
    machineCpuPercent: extended(before.machineCpuPercent, columns.machineCpuPercent),
    machineMemoryBytes: extended(before.machineMemoryBytes, columns.machineMemoryBytes),
    cards: cardsNow(before.cards, devices),
    cardPercents: cardsLately(before.cardPercents, devices),
  }
}

function cardsNow(
  before: LatestSamples['cards'],
  devices: LiveSamplesData['devices'],
): LatestSamples['cards'] {
  const cards = devices.filter(({ kind, rows }) => kind === 'gpu' && rows.length > 0)
  if (cards.length === 0) return before
  const next = new Map(before)
  for (const { id, columns: names, rows } of cards) {
    const figure = (name: string): number | null => rows.at(-1)?.[names.indexOf(name)] ?? null
    next.set(id, {
      utilizationPercent: figure('utilization_percent'),
      memoryUsedBytes: figure('memory_used_bytes'),
      memoryTotalBytes: figure('memory_total_bytes'),
    })
  }
  return next
}

function cardsLately(
  before: LatestSamples['cardPercents'],
  devices: LiveSamplesData['devices'],
): LatestSamples['cardPercents'] {
  const next = new Map(before)
  for (const { kind, id, columns: names, rows } of devices) {
    if (kind !== 'gpu') continue
    const at = names.indexOf('utilization_percent')
    const fresh = rows.map((row) => row[at] ?? null)
    next.set(id, [...(next.get(id) ?? []), ...fresh].slice(-mostKept))
  }
  return next
}
