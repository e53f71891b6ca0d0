import { closeSync, constants, fstatSync, openSync, statSync, type Stats } from 'node:fs'
import { dirname } from 'node:path'
import { textOrBytes } from './exact-text.ts'
import { isHeldAlone } from './held-alone.ts'
import { cString, type Libc } from './libc.ts'

const { O_APPEND, O_DIRECTORY, O_WRONLY } = constants
const O_TMPFILE = 0o20000000 | O_DIRECTORY
const AT_FDCWD = -100
const AT_SYMLINK_FOLLOW = 0x400
/** More jobs than this have so short a life at once only where descriptors matter more than time. */
const mostInUse = 128
/** What kernels say of file systems that do not know files without a name; older kernels take it for a directory. */
const unknownHere = new Set(['EOPNOTSUPP', 'EISDIR', 'EINVAL'])

/** An empty file that has no name yet. It is gone when it is closed. */
export interface BlankFile {
  readonly descriptor: number
  readonly directory: string
  readonly born: Stats
}

/**
 * Empty files without a name, for jobs that may write nothing. Making one takes a file system 20 µs to half a
 * millisecond, so one that a job has left untouched serves the next job.
 */
export class BlankFiles {
  readonly #libc: Libc
  readonly #open: (directory: string) => number | undefined
  readonly #free: BlankFile[] = []
  #inUse = 0

  constructor(libc: Libc, open: (directory: string) => number | undefined = BlankFiles.open) {
    this.#libc = libc
    this.#open = open
  }

  /** Undefined where a file cannot do without a name. */
  static open(directory: string): number | undefined {
    try {
      return openSync(textOrBytes(directory), O_TMPFILE | O_WRONLY | O_APPEND, 0o600)
    } catch (error) {
      if (unknownHere.has((error as NodeJS.ErrnoException).code ?? '')) return undefined
      throw error
    }
  }

  /** One that can be given the name of this path. */
  take(path: string): BlankFile | undefined {
    if (this.#inUse >= mostInUse) return undefined
    const directory = dirname(path)
    const blank = this.#freeIn(directory) ?? this.#make(directory)
    if (blank !== undefined) this.#inUse += 1
    return blank
  }

  /** Whether nothing was done to it and nobody else has it; the next job gets it then. */
  takeBack(blank: BlankFile): boolean {
    if (!isUntouched(blank) || !isHeldAlone(this.#libc, blank.descriptor)) return false
    this.#inUse -= 1
    this.#free.push(blank)
    return true
  }

  /** Gives it a name that is free; the answer is 0, or says by its number why not. */
  name({ descriptor }: BlankFile, path: string): number {
    const failed = this.#libc.linkat(
      AT_FDCWD,
      pathOf(descriptor),
      AT_FDCWD,
      cString(path),
      AT_SYMLINK_FOLLOW,
    )
    return failed === 0 ? 0 : this.#libc.errno()
  }

  close({ descriptor }: BlankFile): void {
    this.#inUse -= 1
    closeSync(descriptor)
  }

  #freeIn(directory: string): BlankFile | undefined {
    if (this.#free.length === 0) return undefined
    // Another disk may be there by now, to which it cannot be linked.
    const { dev } = statSync(textOrBytes(directory))
    const blank = this.#free.pop()
    if (blank === undefined) return undefined
    if (blank.directory === directory && blank.born.dev === dev) return blank
    closeSync(blank.descriptor)
    return this.#freeIn(directory)
  }

  #make(directory: string): BlankFile | undefined {
    const descriptor = this.#open(directory)
    if (descriptor === undefined) return undefined
    const born = fstatSync(descriptor)
    // The job opens it anew, by the way that leads there through /proc: a strange umask does not let it, and there
    // may be no /proc, or that of others.
    const there = statSync(pathOf(descriptor), { throwIfNoEntry: false })
    if ((born.mode & 0o600) === 0o600 && there?.ino === born.ino)
      return { descriptor, directory, born }
    closeSync(descriptor)
    return undefined
  }
}

const pathOf = (descriptor: number): string => `/proc/self/fd/${descriptor}`

/** The time of change tells of nearly everything, but in steps of some milliseconds. */
function isUntouched({ descriptor, born }: BlankFile): boolean {
  const now = fstatSync(descriptor)
  return (
    now.size === 0 &&
    now.nlink === 0 &&
    now.ctimeMs === born.ctimeMs &&
    now.mode === born.mode &&
    now.uid === born.uid &&
    now.gid === born.gid
  )
}
