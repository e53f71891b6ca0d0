import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, isAbsolute } from 'node:path'

/** Who besides root can change what a path leads to. */
export interface Strangers {
  /** Users who own a directory, a link or the file on the way. */
  readonly uids: ReadonlySet<number>
  /** Anybody, or a group: on the way is a directory that more than its owner may write to. */
  readonly isForAll: boolean
}

/**
 * Whether we are root and others can put what they like where a path leads. Nothing that is checked there stays true: a
 * directory may be a link a moment later, and SQLite opens files by their names. So root neither reads nor writes there.
 */
export function isForeignToRoot(path: string): boolean {
  // In a user namespace root does not own /, and can do no more than an ordinary user.
  if (process.geteuid?.() !== 0 || lstatSync('/').uid !== 0) return false
  const { uids, isForAll } = strangersOn(path)
  return isForAll || uids.size > 0
}

/** As many as Linux follows. */
const mostLinks = 40

/** Goes the way that the kernel would go, link by link. */
export function strangersOn(path: string): Strangers {
  const uids = new Set<number>()
  let isForAll = false
  let around = lstatSync('/')
  let done = '/'
  let rest = partsOf(isAbsolute(path) ? path : `${process.cwd()}/${path}`)
  for (let links = 0; rest.length > 0 && links <= mostLinks;) {
    const [next = '', ...further] = rest
    const here = next === '..' ? dirname(done) : `${done === '/' ? '' : done}/${next}`
    const found = lookAt(here)
    if (found === 'hidden') return { uids, isForAll: true }
    // In a directory such as /tmp root's own directories stay; beside a file others may put what SQLite takes for its log.
    const stays = isSticky(around) && found?.uid === 0 && further.length > 0
    if (isOpenToOthers(around) && !stays) isForAll = true
    if (found === undefined) break
    if (found.uid !== 0) uids.add(found.uid)
    if (found.isFile() && isOpenToOthers(found)) isForAll = true
    rest = further
    if (found.isSymbolicLink()) {
      links++
      const target = targetOf(here)
      if (target === undefined) return { uids, isForAll: true }
      if (isAbsolute(target)) [done, around] = ['/', lstatSync('/')]
      rest = [...partsOf(target), ...further]
    } else [done, around] = [here, found]
  }
  return { uids, isForAll }
}

/** What root may not look at, such as a mount of another user's, is not root's. */
function lookAt(path: string): Stats | undefined | 'hidden' {
  try {
    return lstatSync(path, { throwIfNoEntry: false })
  } catch (error) {
    // HOME may be a file, or lie in one.
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR' ? undefined : 'hidden'
  }
}

/** None where it was another thing a moment ago. */
function targetOf(link: string): string | undefined {
  try {
    return readlinkSync(link)
  } catch {
    return undefined
  }
}

const isSticky = ({ mode }: Stats): boolean => (mode & 0o1000) !== 0

const isOpenToOthers = ({ mode, gid }: Stats): boolean =>
  (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && gid !== 0)

const partsOf = (path: string): string[] =>
  path.split('/').filter((part) => part !== '' && part !== '.')
