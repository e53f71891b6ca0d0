import { join } from 'node:path'
import type { Files } from '../../system/system.ts'

const folders = ['job_stdio', 'resource_utilization']

/** Where the logs and samples of a run go. Somebody may remove it while the run lasts. */
export class OutputDirectory {
  readonly #files: Files
  readonly #path: string

  constructor(files: Files, path: string) {
    this.#files = files
    this.#path = path
  }

  /** Whether all of it is there and can be written to. */
  get isThere(): boolean {
    return folders.every((folder) => this.#files.isWritable(join(this.#path, folder)))
  }

  /** Makes what is missing; false where that cannot be done. */
  make(): boolean {
    for (const folder of folders) this.#files.makeDirectories(join(this.#path, folder))
    return this.isThere
  }
}
