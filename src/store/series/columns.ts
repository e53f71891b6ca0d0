import { sampleNames } from '../../model/sample.ts'
import type { Columns } from '../../model/series.ts'

/** Far more than any build will have; SQLite takes 2,000. */
export const mostColumns = 1000

/** What tables of samples call other things by. */
const taken: ReadonlySet<string> = new Set(
  'id attempt_id job_id attempt kind device cpu_percent rowid oid'.split(' '),
)

const plainName = (): RegExp => /^[a-z][a-z0-9_]{0,63}$/

/** Need no pattern: a short job, which has no others, would wait 0.05 ms until V8 has compiled it. */
const ours: ReadonlySet<string> = new Set(sampleNames)

/** Names become columns of tables, keys of JSON and headings of CSV. */
const isColumnName = (name: unknown): name is string =>
  typeof name === 'string' && (ours.has(name) || (plainName().test(name) && !taken.has(name)))

/** Kinds of devices are named as columns are. */
export const isDeviceKind = (kind: unknown): kind is string =>
  typeof kind === 'string' && plainName().test(kind)

/** Devices are called what the machine calls them, such as `GPU-8f2c…` or `/dev/sda1`. */
export const isDeviceId = (id: unknown): id is string =>
  typeof id === 'string' && id.length > 0 && id.length <= 1000

export const areColumns = (names: unknown): names is Columns =>
  Array.isArray(names) &&
  names.length > 0 &&
  names.length <= mostColumns &&
  names.every(isColumnName) &&
  new Set(names).size === names.length

/** For who writes: names come from the program itself. */
export function refuseOtherThanColumns(names: Columns): void {
  const given: readonly string[] = names
  if (!areColumns(names))
    throw new TypeError(`samples cannot have these columns: ${given.join(', ')}`)
}

/** Of names found in a file, those that samples can have. */
export const columnsAmong = (names: Iterable<string>): Columns => [...names].filter(isColumnName)
