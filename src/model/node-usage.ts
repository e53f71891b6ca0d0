/** What usage can be told by. */
export const usageKeys = [
  'user',
  'host',
  'command',
  'account',
  'hour',
  'weekday',
  'hour-of-week',
  'day',
  'week',
] as const
export type UsageKey = (typeof usageKeys)[number]

export const usageMetrics = ['cpu', 'memory', 'gpu', 'gpu-memory', 'io', 'energy'] as const
export type UsageMetric = (typeof usageMetrics)[number]

/**
 * Amounts in the metric's own unit: core seconds, byte seconds, GPU seconds, bytes, joules. `capacity` is what the hosts
 * had while they were looked at; null where the metric has none.
 */
export interface UsageRow {
  /** One for each key that was asked for: a name, or the number of an hour, weekday, day or week. */
  readonly keys: readonly (string | number)[]
  readonly amount: number | null
  readonly capacity: number | null
}

/** What there was to be used, and how long it was looked at, added up over hosts. */
export interface UsageRoom {
  /** Of those keys that were asked for, the ones that everybody shares: hosts and times. */
  readonly keys: readonly (string | number)[]
  readonly capacity: number | null
  readonly observedSeconds: number
}

export interface UsageTable {
  readonly rows: readonly UsageRow[]
  readonly total: number | null
  readonly capacity: number | null
  readonly observedSeconds: number
  /** Also where nobody used anything. */
  readonly room: readonly UsageRoom[]
}

const sharedKeys: readonly UsageKey[] = ['host', 'hour', 'weekday', 'hour-of-week', 'day', 'week']

/** Users, commands and accounts have no capacity of their own: that of hosts and times is everybody's. */
export const isShared = (key: UsageKey): boolean => sharedKeys.includes(key)
export const isTime = (key: UsageKey): boolean => key !== 'host' && isShared(key)
