import { readSocketInodes } from '../../../../sensors/procfs/socket-inodes.ts'
import type { Files } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'

/** A look follows no more links of /proc/PID/fd than this: they take about 2 µs each. */
const mostFilesPerLook = 2048
/**
 * Processes that ran too little to have used a tick or a new page are listed until they had so many. Of one with several
 * threads nothing tells whether it rests: a thousand of them take turns.
 */
const mostQuietFilesPerLook = 64

interface Holder {
  readonly member: Member
  /** How often it had stirred when its files were listed; -1 where they were not yet. */
  stirs: number
}

/**
 * Whose open files are listed at a look. A process can connect and send a megabyte without using a tick of CPU time or a
 * new page, so all that may have run are listed, those that did more first. One whose turn does not come is listed later;
 * one that rests is not, which costs nothing.
 */
export class SocketHolders {
  readonly #files: Files
  /** Who has waited longest is first. */
  readonly #holders = new Map<Member, Holder>()

  constructor(files: Files) {
    this.#files = files
  }

  /** Adds the inodes of their sockets; answers whether any process was listed. */
  find(
    active: readonly Member[],
    members: ReadonlyMap<number, Member>,
    isElsewhere: (member: Member) => boolean,
    into: Set<number>,
  ): boolean {
    const listed: Member[] = []
    let left = mostFilesPerLook
    for (const member of active)
      if (isElsewhere(member)) continue
      else if (left > 0) {
        left -= this.#list(member, left, into)
        listed.push(member)
      } else if (!this.#holders.has(member)) this.#holders.set(member, { member, stirs: -1 })
    this.#noteListed(listed)
    left = Math.min(left, mostQuietFilesPerLook)
    const quiet: Member[] = []
    for (const { member, stirs } of this.#holders.values()) {
      if (left <= 0) break
      if (member.zombie || members.get(member.pid) !== member) this.#holders.delete(member)
      else if (member.stirs !== stirs && !isElsewhere(member)) {
        left -= this.#list(member, mostFilesPerLook, into)
        quiet.push(member)
      }
    }
    this.#noteListed(quiet)
    return listed.length + quiet.length > 0
  }

  #list({ pid }: Member, mostFiles: number, into: Set<number>): number {
    return Math.max(1, readSocketInodes(this.#files, pid, mostFiles, into))
  }

  #noteListed(listed: readonly Member[]): void {
    for (const member of listed) {
      const holder = this.#holders.get(member) ?? { member, stirs: -1 }
      holder.stirs = member.stirs
      this.#holders.delete(member)
      this.#holders.set(member, holder)
    }
  }
}
