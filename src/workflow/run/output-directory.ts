import { join } from 'node:path'
import { whyNot } from '../../model/reading.ts'
import type { Files } from '../../system/system.ts'

const names = ['job_stdio', 'resource_utilization']

/** Where the logs and samples of a run go. Somebody may remove it while the run lasts. */
export class OutputDirectory {
  readonly #files: Files
  readonly #folders: readonly string[]
  /** The folders that were found to be fit, as they were then. */
  readonly #fit = new Set<string>()

  constructor(files: Files, path: string) {
    this.#files = files
    this.#folders = names.map((name) => join(path, name))
  }

  /** Whether all of it is there and can be written to, by no link of somebody else. */
  get isThere(): boolean {
    return this.#folders.every((path) => this.#isFit(path))
  }

  /** Going through all links on the way takes longer than anything else before a start; the same folder is as good as it was. */
  #isFit(path: string): boolean {
    const folder = this.#files.directoryId(path)
    if (folder === undefined) return false
    if (this.#fit.has(folder)) return true
    if (!this.#files.isWritable(path) || this.#files.foreignLinkTo(path) !== undefined) return false
    this.#fit.add(folder)
    return true
  }

  /** Makes what is missing; answers why that cannot be done, where it cannot. */
  make(): string | undefined {
    for (const folder of this.#folders) {
      const made = this.#files.makeDirectories(folder)
      if (made.kind !== 'ok') return whyNot(made)
    }
    return this.isThere ? undefined : 'no permission'
  }
}
