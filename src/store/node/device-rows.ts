import type { NodeDevice, NodeRound } from '../../model/node-round.ts'
import type { Connection } from '../sqlite/connection.ts'
import { number } from '../sqlite/row.ts'
import { bucketOf, fiveMinutesMs, hourMs, type Place } from './buckets.ts'
import { deviceAmounts, devicePeaks } from './node-schema.ts'
import { rollupSql } from './upsert.ts'

const columns = ['device_id', 'at_ms', 'span_ms', ...deviceAmounts, ...devicePeaks]
const setLatest = `INSERT INTO device_latest (${columns.join(', ')})
  VALUES (${columns.map(() => '?').join(', ')})`
const addTo = (table: string): string =>
  rollupSql({
    table,
    keys: ['device_id', 'at_ms'],
    sums: ['span_ms', ...deviceAmounts],
    toldSums: deviceAmounts,
    peaks: devicePeaks,
  })
const tables = { [fiveMinutesMs]: addTo('device_5m'), [hourMs]: addTo('device_hour') }
const findDevice = 'SELECT id FROM device WHERE host_id = ? AND kind = ? AND name = ?'

/** The rows of disks, interfaces and GPUs: the last round, and roll-ups. */
export class DeviceRows {
  readonly #connection: Connection
  readonly #known = new Map<string, number>()
  #timesUndone = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** Rows may have been deleted. */
  forget(): void {
    this.#known.clear()
  }

  add({ devices = [], seconds }: NodeRound, { hostId, atMs, spanMs }: Place): void {
    if (this.#timesUndone !== this.#connection.timesUndone) this.forget()
    this.#timesUndone = this.#connection.timesUndone
    for (const device of devices) {
      const id = this.#idOf(device, hostId)
      const values = [spanMs, ...valuesOf(device, seconds)]
      this.#connection.run('DELETE FROM device_latest WHERE device_id = ?', id)
      this.#connection.prepare(setLatest).run(id, atMs, ...values)
      for (const [size, sql] of Object.entries(tables))
        this.#connection.prepare(sql).run(id, bucketOf(atMs, Number(size)), ...values)
    }
  }

  #idOf({ kind, name }: NodeDevice, hostId: number): number {
    const key = `${hostId} ${kind} ${name}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const row = this.#connection.row(findDevice, hostId, kind, name)
    const id =
      row === undefined
        ? this.#connection.run(
            'INSERT INTO device (host_id, kind, name) VALUES (?, ?, ?)',
            hostId,
            kind,
            name,
          ).lastId
        : number(row, 'id')
    this.#known.set(key, id)
    return id
  }
}

function valuesOf(device: NodeDevice, seconds: number): (number | null)[] {
  const { inBytes, outBytes, busySeconds, joules, memoryBytes } = device
  const whole = (value: number | null, factor: number): number | null =>
    value === null ? null : Math.round(value * factor)
  const rate = (value: number | null, factor: number): number | null =>
    seconds > 0 ? whole(value, factor / seconds) : null
  return [
    inBytes,
    outBytes,
    whole(busySeconds, 1e6),
    whole(joules, 1e3),
    rate(inBytes, 1),
    rate(outBytes, 1),
    rate(busySeconds, 1e6),
    rate(joules, 1e3),
    whole(memoryBytes, 1 / 1024),
  ]
}
