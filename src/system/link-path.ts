import { lstatSync, readlinkSync, type Stats } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'

/** As many as Linux follows. */
const mostLinks = 40
const stickyForAll = 0o1002

/**
 * A path without links to the file that is meant. Links that we or root made are followed, as `>` follows them.
 *
 * Others' links are followed only on the way to a directory, by a user who is not root, and never out of a directory such as
 * /tmp: somebody who knows what we are about to write could otherwise have us write over any file of ours. That is what the
 * kernel does with `fs.protected_symlinks`, which some machines have turned off, and a little more.
 */
export function followLinks(path: string): string {
  // Not `resolve`, which takes `link/..` for nothing; to the kernel it is the directory around what the link leads to.
  let rest = partsOf(isAbsolute(path) ? path : `${process.cwd()}/${path}`)
  let done = '/'
  for (let links = 0; rest.length > 0;) {
    const [next = '', ...further] = rest
    const here = next === '..' ? dirname(done) : join(done, next)
    const found = lstatSync(here, { throwIfNoEntry: false })
    rest = further
    if (found?.isSymbolicLink() !== true) {
      done = here
      continue
    }
    if (++links > mostLinks) throw new RefusedFile(`${here} leads in a circle`)
    if (!mayFollow(found, lstatSync(done), further.length === 0))
      throw new RefusedFile(`${here} is a link that somebody else created`)
    // The kernel's own links name open files, which no path leads to.
    if (here.startsWith('/proc/')) return join(here, ...further)
    const target = readlinkSync(here)
    if (isAbsolute(target)) done = '/'
    rest = [...partsOf(target), ...further]
  }
  return done
}

/** A file that we could write to, and should not. */
export class RefusedFile extends Error {}

function mayFollow(link: Stats, directory: Stats, isLast: boolean): boolean {
  const ourselves = process.geteuid?.() ?? 0
  if (link.uid === ourselves || link.uid === 0) return true
  return !isLast && ourselves !== 0 && (directory.mode & stickyForAll) !== stickyForAll
}

const partsOf = (path: string): string[] =>
  path.split('/').filter((part) => part !== '' && part !== '.')
