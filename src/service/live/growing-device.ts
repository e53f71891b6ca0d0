import { DeviceRates } from '../../analysis/series/device-rates.ts'
import type { LiveDeviceRows } from '../../model/live.ts'
import type { Columns, Device } from '../../model/series.ts'

const timeColumns: Columns = ['timestamp', 'elapsed_seconds']

/** One device of an attempt, whose rows come as they are written. */
export class GrowingDevice {
  readonly #device: Device
  /** Those of which there was a figure, in the order in which they came. */
  readonly #columns = new Set(timeColumns)
  readonly #rates: DeviceRates
  #length: number

  /** `length`: how many rows are known already, the last of which is given. */
  constructor(device: Device, length = 0, last?: NamedFigures) {
    this.#device = device
    this.#rates = new DeviceRates(device.kind)
    this.#length = length
    if (last === undefined) return
    for (const name of last.keys()) this.#columns.add(name)
    this.#ratesOf(last)
  }

  add(rows: readonly NamedFigures[]): LiveDeviceRows {
    for (const row of rows) for (const name of row.keys()) this.#columns.add(name)
    const columns = [...this.#columns]
    const firstRow = this.#length
    this.#length += rows.length
    return {
      ...this.#device,
      columns: [...columns, ...this.#rates.names(columns)],
      firstRow,
      rows: rows.map((row) => [
        ...columns.map((name) => row.get(name) ?? null),
        ...this.#ratesOf(row).map((rate) => (Number.isNaN(rate) ? null : rate)),
      ]),
    }
  }

  #ratesOf(row: NamedFigures): number[] {
    return this.#rates.next([...this.#columns], (name) => row.get(name) ?? Number.NaN)
  }
}

type NamedFigures = ReadonlyMap<string, number>

/** A row by the names of its figures; what was not measured is not there. */
export function namedFigures(columns: Columns, row: Float64Array): NamedFigures {
  const figures = new Map<string, number>()
  columns.forEach((name, index) => {
    const value = row[index] ?? Number.NaN
    if (!Number.isNaN(value)) figures.set(name, value)
  })
  return figures
}
