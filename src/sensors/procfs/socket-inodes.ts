import type { Files } from '../../system/system.ts'

const socketLink = /^socket:\[(\d{1,15})\]$/

/** The inode that a link of /proc/PID/fd names; undefined where it is no socket. */
function parseSocketLink(link: string): number | undefined {
  const inode = socketLink.exec(link)?.[1]
  return inode === undefined ? undefined : Number(inode)
}

/**
 * Adds the inodes of the sockets that a process has open, looking at no more than so many of its files. Answers how many
 * it has; 0 where that cannot be read.
 */
export function readSocketInodes(
  files: Files,
  pid: number | 'self',
  mostFiles: number,
  into: Set<number>,
): number {
  const directory = `/proc/${pid}/fd`
  const names = files.list(directory)
  if (names.kind !== 'ok') return 0
  for (const name of firstAndLast(names.value, mostFiles)) {
    const link = files.readLink(`${directory}/${name}`)
    const inode = link.kind === 'ok' ? parseSocketLink(link.value) : undefined
    if (inode !== undefined) into.add(inode)
  }
  return names.value.length
}

/** Programs that hold many files open have opened those first, or their connections. */
function firstAndLast(names: readonly string[], most: number): readonly string[] {
  if (names.length <= most) return names
  const first = Math.floor(most / 2)
  return [...names.slice(0, first), ...names.slice(first - most)]
}
