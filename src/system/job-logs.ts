import { closeSync, constants, fstatSync, lstatSync, openSync, unlinkSync } from 'node:fs'
import { constants as os } from 'node:os'
import { BlankFiles, type BlankFile } from './blank-files.ts'
import { errnoName } from './errno-name.ts'
import { textOrBytes } from './exact-text.ts'
import { isHeldAlone } from './held-alone.ts'
import type { Libc } from './libc.ts'
import { openOwnLog } from './own-log.ts'
import { randomId } from './random-id.ts'
import type { JobLogs } from './system.ts'

const { EEXIST } = os.errno

/** A file that a job's output goes to. */
export interface JobLog {
  readonly path: string
  readonly descriptor: number
  /** Whether the job is to open it anew, so that the kernel knows who still has it. */
  readonly isOpenedAnew: boolean
  /** The job has been started, or could not be. */
  handedOver(): void
  name(): void
  /** What went wrong with it, if anything did. */
  end(): string | undefined
}

/**
 * Opens the files that jobs write to. Most jobs write nothing to one of theirs, and many nothing at all: two empty files
 * were most of the time that a short job took. So a file begins without a name, and gets it when there is something in
 * it or when its job goes on for a while; where that cannot be had, it has its name at once.
 */
export class JobLogFiles {
  readonly #libc: Libc
  readonly #blanks: BlankFiles

  constructor(libc: Libc, blanks = new BlankFiles(libc)) {
    this.#libc = libc
    this.#blanks = blanks
  }

  open(path: string): JobLog {
    const isThere = lstatSync(textOrBytes(path), { throwIfNoEntry: false }) !== undefined
    const blank = isThere ? undefined : this.#blanks.take(path)
    if (blank !== undefined) return new UnnamedLog(this.#libc, this.#blanks, blank, path)
    return new NamedLog(path, isThere ? undefined : this.#libc)
  }
}

/** The logs of one job. */
export const jointLogs = (logs: readonly JobLog[]): JobLogs => ({
  name() {
    for (const log of logs) log.name()
  },
  end: () => logs.flatMap((log) => log.end() ?? []),
})

/** `libc`: where it was made for the job, and is to go again if it stays empty. */
class NamedLog implements JobLog {
  readonly descriptor: number
  readonly isOpenedAnew = false
  readonly path: string
  readonly #libc: Libc | undefined

  constructor(path: string, libc: Libc | undefined) {
    this.descriptor = openOwnLog(path)
    this.path = path
    this.#libc = libc
  }

  handedOver(): void {
    closeSync(this.descriptor)
  }

  name(): void {}

  end(): undefined {
    if (this.#libc !== undefined) removeEmpty(this.#libc, this.path)
  }
}

class UnnamedLog implements JobLog {
  readonly descriptor: number
  readonly isOpenedAnew = true
  readonly #libc: Libc
  readonly #blanks: BlankFiles
  readonly path: string
  #blank: BlankFile | undefined
  #trouble: string | undefined

  constructor(libc: Libc, blanks: BlankFiles, blank: BlankFile, path: string) {
    this.#libc = libc
    this.#blanks = blanks
    this.#blank = blank
    this.path = path
    this.descriptor = blank.descriptor
  }

  handedOver(): void {}

  name(): void {
    const blank = this.#blank
    if (blank === undefined) return
    this.#trouble = undefined
    const errno = this.#nameAsItCanBe(blank)
    if (errno !== 0) {
      this.#trouble = `${this.path}: ${errnoName(errno)}; what was written to it is lost`
      return
    }
    this.#blanks.close(blank)
    this.#blank = undefined
  }

  end(): string | undefined {
    const blank = this.#blank
    if (blank === undefined) {
      if (this.#trouble === undefined) removeEmpty(this.#libc, this.path)
      return this.#trouble
    }
    if (this.#blanks.takeBack(blank)) return undefined
    this.name()
    // What cannot be kept by now never will be.
    if (this.#blank !== undefined) this.#blanks.close(blank)
    return this.#trouble
  }

  /** Somebody may have put something there since the job started: what that is, is not ours to touch. */
  #nameAsItCanBe(blank: BlankFile): number {
    const errno = this.#blanks.name(blank, this.path)
    if (errno !== EEXIST) return errno
    const elsewhere = `${this.path}.${randomId().slice(0, 8)}`
    this.#trouble = `${elsewhere} holds the output meant for ${this.path}, because something else has that name now`
    return this.#blanks.name(blank, elsewhere)
  }
}

const { O_NOFOLLOW, O_NONBLOCK, O_WRONLY } = constants

/** Unless somebody has it open, who may write to it yet or wait for more. An empty file too many does no harm. */
function removeEmpty(libc: Libc, path: string): void {
  const name = textOrBytes(path)
  try {
    if (lstatSync(name, { throwIfNoEntry: false })?.size !== 0) return
    const descriptor = openSync(name, O_WRONLY | O_NOFOLLOW | O_NONBLOCK)
    const { size, uid } = fstatSync(descriptor)
    const isOurs = size === 0 && uid === process.geteuid?.()
    if (isOurs && isHeldAlone(libc, descriptor)) unlinkSync(name)
    closeSync(descriptor)
  } catch {
    return
  }
}
