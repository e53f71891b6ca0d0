import { statSync } from 'node:fs'

/** An owner that died changes nothing: now and then a file is read though it is as it was. */
const longestSeconds = 5
/** Of files that are gone nothing is kept. */
const forgottenSeconds = 60

/**
 * Which files of a spool are to be read by who looks often: new ones, changed ones, and each of them once in a while; so
 * many at a time that nobody waits long for it.
 */
export class DueFiles {
  readonly #most: number
  readonly #known = new Map<string, { readonly mark: string; readonly readAt: number }>()

  constructor(most: number) {
    this.#most = most
  }

  choose(files: readonly string[], now: number): readonly string[] {
    for (const [file, { readAt }] of this.#known)
      if (now - readAt > forgottenSeconds) this.#known.delete(file)
    const due: string[] = []
    // Those that wait longest come first: the others may fill all places for ever.
    for (const file of files.toSorted((one, other) => this.#readAt(one) - this.#readAt(other))) {
      if (due.length >= this.#most) break
      const before = this.#known.get(file)
      const mark = markOf(file)
      if (before?.mark === mark && now - before.readAt < longestSeconds) continue
      due.push(file)
      this.#known.set(file, { mark, readAt: now })
    }
    return due
  }

  #readAt(file: string): number {
    return this.#known.get(file)?.readAt ?? Number.NEGATIVE_INFINITY
  }
}

function markOf(file: string): string {
  try {
    const found = statSync(file, { throwIfNoEntry: false })
    return found === undefined ? 'none' : `${found.ino} ${found.size} ${found.mtimeMs}`
  } catch {
    return 'unknown'
  }
}
