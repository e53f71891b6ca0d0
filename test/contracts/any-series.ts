import fc from 'fast-check'
import type { Columns, DeviceRows } from '../../src/model/series.ts'
import { sampleNames } from '../../src/model/sample.ts'

interface AnySamples {
  readonly columns: Columns
  readonly rows: readonly Float64Array[]
}

// Words of SQL, names that this build knows and names that nobody does.
const columnName = fc.oneof(
  fc.constantFrom('select', 'group', 'order', 'values', 'index', 'null', 'sum'),
  fc.constantFrom(...sampleNames),
  fc.stringMatching(/^[a-z][a-z0-9_]{0,20}$/),
)

// What tables use for other things.
const taken = 'id attempt_id job_id attempt kind device cpu_percent rowid oid'.split(' ')
const timeColumns = ['timestamp', 'elapsed_seconds']

const columns = fc
  .uniqueArray(columnName, { maxLength: 12 })
  .map((names) => names.filter((name) => ![...taken, ...timeColumns].includes(name)))
  .chain((names) =>
    fc.shuffledSubarray([...names, ...timeColumns], { minLength: names.length + 2 }),
  )

// SQLite writes -0 as 0.
const figure = fc
  .oneof(
    { weight: 3, arbitrary: fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }) },
    { weight: 2, arbitrary: fc.maxSafeNat() },
    { weight: 1, arbitrary: fc.constant(2 ** 63) },
    { weight: 2, arbitrary: fc.constant(Number.NaN) },
  )
  .map((value) => (value === 0 ? 0 : value))

const row = (names: Columns): fc.Arbitrary<Float64Array> =>
  fc
    .tuple(fc.array(figure, { minLength: names.length, maxLength: names.length }), fc.nat(10))
    .map(([figures, seconds]) => {
      const made = Float64Array.from(figures)
      made[names.indexOf('timestamp')] = 1_700_000_000 + seconds
      made[names.indexOf('elapsed_seconds')] = seconds
      return made
    })

/** Samples of any columns, in any order of time. */
export const anySamples: fc.Arbitrary<AnySamples> = columns.chain((names) =>
  fc.record({ columns: fc.constant(names), rows: fc.array(row(names), { maxLength: 8 }) }),
)

/** Rows of some devices, several times of some of them, with columns that may change meanwhile. */
export const anyDevices: fc.Arbitrary<DeviceRows[]> = fc.array(
  fc
    .record({
      kind: fc.constantFrom('gpu', 'container', 'disk', 'interface', 'thread'),
      id: fc.oneof(
        fc.constantFrom('0', '1', '/dev/sda'),
        fc.string({ minLength: 1, unit: 'binary' }),
      ),
      samples: anySamples,
    })
    .map(({ kind, id, samples }) => ({
      kind,
      id,
      columns: samples.columns,
      rows: Float64Array.from(samples.rows.flatMap((one) => [...one])),
      count: samples.rows.length,
    })),
  { maxLength: 6 },
)
