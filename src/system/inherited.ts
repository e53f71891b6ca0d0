/** libuv marks these to be closed on exec when Node starts, whoever opened them; those above it leaves alone. */
const lastMarked = 15
/** Node's own come after those it was given; a pipe of its own has both ends among these. */
const lastLookedAt = 40

/**
 * Descriptors that we were started with, besides the standard streams, and that Node would keep from the job: `3>log` in a
 * script, a socket, make's jobserver. `linkOf` answers what a descriptor is, as /proc/self/fd has it. To be asked before
 * we open files ourselves.
 */
export function inheritedDescriptors(
  linkOf: (descriptor: number) => string | undefined,
  makeFlags: string | undefined,
): readonly number[] {
  const links = new Map<number, string>()
  const ends = new Map<string, number>()
  for (let descriptor = 3; descriptor <= lastLookedAt; descriptor++) {
    // None of those above is handed on; they only tell whether a pipe below has its other end here too.
    if (descriptor > lastMarked && !hasLoneEnd(ends)) break
    const link = linkOf(descriptor)
    if (link === undefined || isNodes(link)) continue
    links.set(descriptor, link)
    ends.set(link, (ends.get(link) ?? 0) + 1)
  }
  const jobserver = makeFlags
    ?.match(/--jobserver-(?:auth|fds)=(\d+),(\d+)/)
    ?.slice(1)
    .map(Number)
  return [...links].flatMap(([descriptor, link]) => {
    if (descriptor > lastMarked) return []
    const mayBeNodes = isPipe(link) && ends.get(link) !== 1
    return mayBeNodes && !jobserver?.includes(descriptor) ? [] : [descriptor]
  })
}

function hasLoneEnd(ends: ReadonlyMap<string, number>): boolean {
  for (const [link, count] of ends) if (count === 1 && isPipe(link)) return true
  return false
}

const isPipe = (link: string): boolean => link.startsWith('pipe:')

const isNodes = (link: string): boolean =>
  link.startsWith('anon_inode:[event') || link === 'anon_inode:[io_uring]'
