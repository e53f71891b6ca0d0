import type { DeviceSeries } from '../../model/series.ts'
import { rowsPerChunk } from '../postgres/chunk/chunk.ts'
import { compareTimes } from '../series/held-series.ts'

/**
 * The rows of all devices in the order in which they were written, so many at a time, and of each device together. A device
 * that has more rows the next time only adds to the last of them.
 */
export function deviceChunks(devices: readonly DeviceSeries[]): DeviceSeries[][] {
  const all = devices.flatMap((device) => {
    const time = device.columns.indexOf('elapsed_seconds')
    return device.rows.map((row) => ({ device, row, time: row[time] ?? Number.NaN }))
  })
  // Stable: those of one moment stay in the order of their devices.
  all.sort((one, other) => compareTimes(one.time, other.time))
  const chunks: DeviceSeries[][] = []
  for (let first = 0; first < all.length; first += rowsPerChunk) {
    const rows = new Map<DeviceSeries, Float64Array[]>()
    for (const { device, row } of all.slice(first, first + rowsPerChunk)) {
      const known = rows.get(device)
      if (known === undefined) rows.set(device, [row])
      else known.push(row)
    }
    chunks.push([...rows].map(([device, some]) => ({ ...device, rows: some })))
  }
  return chunks
}
