import type { Columns, DeviceSeries } from '../../model/series.ts'
import { deviceCpuPercents } from './device-cpu.ts'
import { CounterRate } from '../../model/counter-rate.ts'

interface Rate {
  readonly counter: string
  readonly name: string
}

interface CountedRate extends Rate {
  readonly rate: CounterRate
}

const bytes = (counter: string): Rate => ({ counter, name: `${counter}_per_second` })

/** Which columns of which devices are counters, and what their rates are called. Others are shown as they are. */
const ratesOf: Readonly<Record<string, readonly Rate[]>> = {
  interface: [bytes('received_bytes'), bytes('sent_bytes')],
  network: [bytes('received_bytes'), bytes('sent_bytes')],
  disk: [bytes('read_bytes'), bytes('write_bytes')],
  energy: [{ counter: 'energy_joules', name: 'power_watts' }],
}

/** The rates of one device, row after row, each since its counter was last read; NaN where there is none. */
export class DeviceRates {
  readonly #counters: readonly CountedRate[]

  constructor(kind: string) {
    const rates = Object.hasOwn(ratesOf, kind) ? (ratesOf[kind] ?? []) : []
    this.#counters = rates.map((one) => ({ ...one, rate: new CounterRate() }))
  }

  /** What the rates of a device with these columns are called. */
  names(columns: Columns): string[] {
    return this.#of(columns).map(({ name }) => name)
  }

  /** Those of the next row, in the order of `names`; `figure` answers what the row has in a column, or NaN. */
  next(columns: Columns, figure: (column: string) => number): number[] {
    const time = figure('elapsed_seconds')
    return this.#of(columns).map(({ counter, rate }) => rate.next(time, figure(counter)))
  }

  #of(columns: Columns): readonly CountedRate[] {
    return this.#counters.filter(({ counter }) => columns.includes(counter))
  }
}

/**
 * A device with the rates of its counters, and `cpu_percent` where it has CPU time; `cores`: of the machine. Later rows tell of
 * the CPU at earlier ones, so the rows of a device that still grows have none yet.
 */
export function withRates(device: DeviceSeries, cores: number): DeviceSeries {
  const { columns, rows } = device
  const rates = new DeviceRates(device.kind)
  const percents = deviceCpuPercents(device, cores)
  const names = [...rates.names(columns), ...(percents === undefined ? [] : ['cpu_percent'])]
  if (names.length === 0) return device
  const places = new Map(columns.map((name, place) => [name, place]))
  return {
    ...device,
    columns: [...columns, ...names],
    rows: rows.map((row, index) => {
      const figure = (name: string): number => row[places.get(name) ?? -1] ?? Number.NaN
      const percent = percents === undefined ? [] : [percents[index] ?? Number.NaN]
      return Float64Array.of(...row, ...rates.next(columns, figure), ...percent)
    }),
  }
}
