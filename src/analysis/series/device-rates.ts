import type { DeviceSeries } from '../../model/series.ts'

interface Rate {
  readonly counter: string
  readonly name: string
}

const bytes = (counter: string): Rate => ({ counter, name: `${counter}_per_second` })

/** Which columns of which devices are counters, and what their rates are called. Others are shown as they are. */
const ratesOf: Readonly<Record<string, readonly Rate[]>> = {
  interface: [bytes('received_bytes'), bytes('sent_bytes')],
  network: [bytes('received_bytes'), bytes('sent_bytes')],
  disk: [bytes('read_bytes'), bytes('write_bytes')],
  energy: [{ counter: 'energy_joules', name: 'power_watts' }],
}

/** A device with the rates of its counters. A rate covers the time since the row before; NaN where there is none. */
export function withRates(device: DeviceSeries): DeviceSeries {
  const { columns, rows } = device
  const rates = (Object.hasOwn(ratesOf, device.kind) ? (ratesOf[device.kind] ?? []) : []).filter(
    ({ counter }) => columns.includes(counter),
  )
  if (rates.length === 0) return device
  const time = columns.indexOf('elapsed_seconds')
  const places = rates.map(({ counter }) => columns.indexOf(counter))
  return {
    ...device,
    columns: [...columns, ...rates.map(({ name }) => name)],
    rows: rows.map((row, index) => {
      const before = rows[index - 1]
      const seconds = grown(before, row, time)
      const derived = places.map((place) => {
        const increase = grown(before, row, place)
        // A counter that went back was begun anew.
        return increase >= 0 && seconds > 0 ? increase / seconds : Number.NaN
      })
      return Float64Array.of(...row, ...derived)
    }),
  }
}

const grown = (before: Float64Array | undefined, row: Float64Array, place: number): number =>
  (row[place] ?? Number.NaN) - (before?.[place] ?? Number.NaN)
