import type { PackedRows } from '../../../model/queue-result.ts'
import type { Columns, Device, DeviceRows } from '../../../model/series.ts'

/** Rows of samples, one after the other. */
export interface Rows {
  readonly columns: Columns
  readonly count: number
  readonly values: Float64Array
  /** The same of what an attempt used besides its processes. */
  readonly devices: readonly DeviceRows[]
}

/** Where there are more, every other one is left out: counters go on, so that only their steps grow. */
const mostRows = 2000

/** Keeps the samples of an attempt until it is over. */
export class GatheredRows {
  #columns: Columns = []
  #rows: Float64Array[] = []
  /** Of how many one is kept, and how many came since. */
  #every = 1
  #since = 0
  readonly #devices = new Map<string, { readonly device: Device; readonly rows: GatheredRows }>()

  add(rows: Float64Array, count: number, columns: Columns): void {
    this.#columns = columns
    const width = columns.length
    for (let row = 0; row < count; row++) {
      this.#since += 1
      if (this.#since < this.#every) continue
      this.#since = 0
      this.#rows.push(rows.slice(row * width, (row + 1) * width))
    }
    if (this.#rows.length < mostRows) return
    this.#rows = this.#rows.filter((_, index) => index % 2 === 0)
    this.#every *= 2
  }

  addDevices(devices: readonly DeviceRows[]): void {
    for (const { kind, id, rows, count, columns } of devices) {
      const key = JSON.stringify([kind, id])
      const known = this.#devices.get(key) ?? { device: { kind, id }, rows: new GatheredRows() }
      this.#devices.set(key, known)
      known.rows.add(rows, count, columns)
    }
  }

  /** Undefined where there are none. */
  packed(): PackedRows | undefined {
    const devices = [...this.#devices.values()].flatMap(({ device, rows }) => {
      const packed = rows.packed()
      return packed === undefined ? [] : [{ ...device, ...packed }]
    })
    if (this.#rows.length === 0 && devices.length === 0) return undefined
    const parts = this.#rows.map((row) => Buffer.from(row.buffer, row.byteOffset, row.byteLength))
    const packed = {
      columns: [...this.#columns],
      values: Buffer.concat(parts).toString('base64'),
    }
    return devices.length === 0 ? packed : { ...packed, devices }
  }
}

export function unpackRows(packed: PackedRows): Rows {
  const devices = (packed.devices ?? []).map(({ kind, id, ...rows }) => {
    const { columns, count, values } = unpackRows(rows)
    return { kind, id, columns, count, rows: values }
  })
  const { columns, values } = packed
  const bytes = Buffer.from(values, 'base64')
  const copy = new Float64Array(Math.floor(bytes.length / 8))
  new Uint8Array(copy.buffer).set(bytes.subarray(0, copy.byteLength))
  const count = columns.length === 0 ? 0 : Math.floor(copy.length / columns.length)
  return { columns, count, values: copy, devices }
}
