import { ReadBuffer } from '../../../sensors/read-buffer.ts'
import type { Files } from '../../../system/system.ts'
import type { JobDevice, JobDevices } from '../../job-devices.ts'

/** A machine with more interfaces or disks than this runs containers by the hundred: rows of each would drown the job's own. */
const mostDevices = 64

/** Rows of what a file tells of each device of the machine: raw counters, from which rates are derived when they are read. */
export class MachineRows {
  readonly #files: Files
  readonly #path: string
  readonly #devices: JobDevices
  readonly #kind: string
  readonly #columns: readonly string[]
  readonly #opened = new Map<string, JobDevice>()
  readonly #buffer = new ReadBuffer()

  constructor(
    files: Files,
    path: string,
    devices: JobDevices,
    { kind, columns }: { readonly kind: string; readonly columns: readonly string[] },
  ) {
    this.#files = files
    this.#path = path
    this.#devices = devices
    this.#kind = kind
    this.#columns = columns
  }

  /** Whether the file could be read; `parse` has each device told to `keep`. */
  look(
    elapsedSeconds: number,
    parse: (
      bytes: Uint8Array,
      length: number,
      keep: (name: string, values: readonly number[]) => void,
    ) => boolean,
  ): boolean {
    const descriptor = this.#files.open(this.#path)
    if (descriptor < 0) return false
    const length = this.#buffer.read(this.#files, descriptor)
    this.#files.close(descriptor)
    return (
      length >= 0 &&
      parse(this.#buffer.bytes, length, (name, values) => this.#keep(name, values, elapsedSeconds))
    )
  }

  #keep(name: string, values: readonly number[], elapsedSeconds: number): void {
    let device = this.#opened.get(name)
    if (device === undefined) {
      if (this.#opened.size >= mostDevices) return
      device = this.#devices.open({ kind: this.#kind, id: name }, this.#columns)
      this.#opened.set(name, device)
    }
    device.values.set(values)
    device.keep(elapsedSeconds)
  }
}
