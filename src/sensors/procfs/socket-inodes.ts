import type { Files } from '../../system/system.ts'

const socketLink = /^socket:\[(\d{1,15})\]$/

/** The inode that a link of /proc/PID/fd names; undefined where it is no socket. */
function parseSocketLink(link: string): number | undefined {
  const inode = socketLink.exec(link)?.[1]
  return inode === undefined ? undefined : Number(inode)
}

/** The names in /proc/PID/fd, one for each file that a process has open; none where they cannot be listed. */
export function listOpenFiles(files: Files, pid: number | 'self'): readonly string[] {
  const names = files.list(`/proc/${pid}/fd`)
  return names.kind === 'ok' ? names.value : []
}

/** Adds the inodes of those that are sockets, of the names between two places. One that was closed meanwhile is passed over. */
export function addSocketInodes(
  files: Files,
  pid: number | 'self',
  names: readonly string[],
  from: number,
  to: number,
  into: Set<number>,
): void {
  for (let at = from; at < to; at += 1) {
    const link = files.readLink(`/proc/${pid}/fd/${names[at]}`)
    const inode = link.kind === 'ok' ? parseSocketLink(link.value) : undefined
    if (inode !== undefined) into.add(inode)
  }
}
