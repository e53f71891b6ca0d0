import { closeSync, constants, fdatasync, openSync } from 'node:fs'

/** Some 2 MB of log, where a commit changes a dozen pages. */
const commitsPerFlush = 48

/** Whether it worked is SQLite's to find out, when it syncs the log itself. */
const syncInBackground = (file: number, onDone: () => void): void => fdatasync(file, onDone)

/**
 * Has the log of a file that is written to all the time go to the disk in the background. SQLite syncs it only when it
 * moves the log into the file, and in the thread that commits: of 16 MB that takes 15 to 25 ms, in which a runner sees no
 * job end. Of what a flush has written before there is nothing left to wait for.
 *
 * The log may be opened beside SQLite: its locks are on other files.
 */
export class LogFlusher {
  readonly #log: number
  readonly #sync: typeof syncInBackground
  #commits = 0
  #isFlushing = false
  #isClosed = false

  constructor(path: string, sync = syncInBackground) {
    this.#sync = sync
    const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
    this.#log = openSync(`${path}-wal`, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  }

  committed(): void {
    this.#commits += 1
    if (this.#commits < commitsPerFlush || this.#isFlushing) return
    this.#commits = 0
    this.#isFlushing = true
    this.#sync(this.#log, () => {
      this.#isFlushing = false
      if (this.#isClosed) closeSync(this.#log)
    })
  }

  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    if (!this.#isFlushing) closeSync(this.#log)
  }
}
