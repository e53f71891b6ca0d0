import {
  accessSync,
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  lstatSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { insideDirectory } from './held-directory.ts'
import { followLinks, RefusedFile } from './link-path.ts'
import { randomId } from './random-id.ts'
import { writeIntoStream } from './stream-file.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants

export interface WholeFile {
  readonly parts: readonly Uint8Array[]
  /** Of a file that was not there; the user's umask takes its share of it. One that was there keeps its own. */
  readonly mode: number
  /** Whether it must outlive a power cut: people's own files, not pages that can be made again. */
  readonly durable: boolean
}

/**
 * Writes a file whole, in place of what was there: who reads it meanwhile sees the old one or the new one, never a part, and
 * whatever goes wrong leaves the old one. Mode, owner and links of a file that was there are kept.
 */
export function writeWhole(path: string, file: WholeFile): void {
  const target = followLinks(path)
  const found = statSync(target, { throwIfNoEntry: false })
  if (found?.isDirectory() === true) throw new RefusedFile(`${path} is a directory`)
  if (found !== undefined && (!found.isFile() || target.startsWith('/proc/')))
    return writeIntoStream(target, file.parts)
  if (found !== undefined) refuseReadOnly(target, found)
  insideDirectory(dirname(target), (held) => writeInside(held, basename(target), path, file), file)
}

/**
 * Puts a new file of ours there, in place of whatever has the name: a link is not followed, and nothing is written into a file
 * that others made. For what is run by whoever opens a page, and so must be ours.
 */
export function writeAnew(path: string, file: WholeFile): void {
  const unfinished = followLinks(join(dirname(path), temporaryName()))
  insideDirectory(
    dirname(unfinished),
    (held) => {
      const made = join(held, basename(unfinished))
      try {
        writeNew(made, file)
        renameSync(made, join(held, basename(path)))
      } finally {
        rmSync(made, { force: true })
      }
    },
    file,
  )
}

const temporaryName = (): string => `.jobmeter-${randomId()}`

function writeInside(directory: string, name: string, path: string, file: WholeFile): void {
  const target = join(directory, name)
  // Once more, in the directory that is meant now.
  const found = lstatSync(target, { throwIfNoEntry: false })
  if (found !== undefined && !found.isFile())
    throw new RefusedFile(`${path} was replaced a moment ago`)
  const unfinished = join(directory, temporaryName())
  let isNeeded = false
  try {
    const isLike = writeNew(unfinished, file, found)
    if (found === undefined || isLike) renameSync(unfinished, target)
    else {
      isNeeded = true
      overwrite(target, found, file)
      isNeeded = false
    }
  } catch (error) {
    if (!isNeeded) throw error
    const kept = join(dirname(path), basename(unfinished))
    throw new RefusedFile(`${path} is incomplete; everything that it should hold is in ${kept}`)
  } finally {
    if (!isNeeded) rmSync(unfinished, { force: true })
  }
}

/** By its mode: root may write to everything, but whoever took the right away meant it. */
function refuseReadOnly(path: string, { mode }: Stats): void {
  if ((mode & 0o222) === 0) throw readOnly(path)
  try {
    accessSync(path, constants.W_OK)
  } catch {
    throw readOnly(path)
  }
}

const readOnly = (path: string): RefusedFile =>
  new RefusedFile(`${path} is read-only; chmod u+w lets it be written`)

/** Answers whether it can take the place of the old one: same owner, same mode, no other name. */
function writeNew(path: string, { parts, mode, durable }: WholeFile, like?: Stats): boolean {
  // Nobody else can have made a file of this name, nor a link; and until it has its mode it is for us alone.
  const descriptor = openSync(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, like ? 0o600 : mode)
  try {
    for (const part of parts) writeFileSync(descriptor, part)
    const isLike = like !== undefined && like.nlink === 1 && takeAfter(descriptor, like)
    if (durable) fsyncSync(descriptor)
    return isLike
  } finally {
    closeSync(descriptor)
  }
}

function takeAfter(descriptor: number, { uid, gid, mode }: Stats): boolean {
  try {
    const own = fstatSync(descriptor)
    if (own.uid !== uid || own.gid !== gid) fchownSync(descriptor, uid, gid)
    // After the owner, who takes some bits of the mode away.
    fchmodSync(descriptor, mode & 0o7777)
    return true
  } catch {
    // Only root can give files away, and only to groups of ours can we.
    return false
  }
}

/** For files with other names, or of other owners, that a new file would part from them. The new text is whole beside it. */
function overwrite(path: string, expected: Stats, { parts, durable }: WholeFile): void {
  const descriptor = openSync(path, O_WRONLY | O_NOFOLLOW)
  try {
    const { dev, ino } = fstatSync(descriptor)
    if (dev !== expected.dev || ino !== expected.ino)
      throw new Error(`${path} was replaced a moment ago`)
    ftruncateSync(descriptor)
    for (const part of parts) writeFileSync(descriptor, part)
    if (durable) fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}
