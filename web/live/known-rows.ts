import type { LiveSamplesData } from '../../src/server/schemas/live.ts'

/** How much of the series of a job is known: rows that do not follow can only be read. */
export class KnownRows {
  #count = 0
  /** Of devices it is known once something was told of them. */
  readonly #ofDevices = new Map<string, number>()

  /** The whole series was read. */
  read(sampleCount: number): void {
    this.#count = sampleCount
    this.#ofDevices.clear()
  }

  /** Whether these rows follow, or take the place of, those that are known. If so, they are known from now on. */
  take({ first_row: first, rows, devices }: LiveSamplesData): boolean {
    if (first === null || first > this.#count) return false
    if (rows.length > 0) this.#count = first + rows.length
    return devices.every((device) => {
      const name = `${device.kind} ${device.id}`
      if (device.first_row > (this.#ofDevices.get(name) ?? Infinity)) return false
      this.#ofDevices.set(name, device.first_row + device.rows.length)
      return true
    })
  }
}
