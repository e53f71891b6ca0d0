import type { SpooledAttempt } from '../ledger/store.ts'
import { sampleNames } from '../../model/sample.ts'
import { foundDevice, HeldSeries, rowsOf, withoutFirst } from '../series/held-series.ts'
import type { SeriesReader } from '../series/series.ts'

/** Samples that are in the ledger, if any, with those of a file of the spool that are not in it yet. */
export function withWaiting(kept: SeriesReader, waiting: SpooledAttempt): SeriesReader {
  const { columns = sampleNames, rows, count, devices = [] } = waiting
  const samples = kept.read()
  const keptDevices = kept.devices()
  const deviceRows = keptDevices.reduce((sum, device) => sum + device.rows.length, 0)
  const before = Math.max(0, samples.rows.length - (waiting.samplesBefore ?? 0))
  const devicesBefore = Math.max(0, deviceRows - (waiting.deviceRowsBefore ?? 0))
  const more = rowsOf(columns.length, rows, count).slice(before)
  return new HeldSeries(
    [samples, { columns, rows: more }],
    [...keptDevices, ...withoutFirst(devices, devicesBefore).map(foundDevice)],
  )
}
