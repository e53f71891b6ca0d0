import { addSocketInodes, listOpenFiles } from '../../../../sensors/procfs/socket-inodes.ts'
import type { Files } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'

/** A look follows no more links of /proc/PID/fd than this: they take about 2 µs each. */
const mostLinksPerLook = 2048
/** Of these so many go to the busiest processes. The rest is for those who wait. */
const mostLinksOfBusiest = 1024
/**
 * So many are followed at a turn of one process. It goes on there at its next turn: whoever has few files does not wait
 * until one with a hundred thousand has been looked through.
 */
const linksPerTurn = 256
/**
 * Processes that ran too little to have used a tick or a new page are listed until they had so many. Of one with several
 * threads nothing tells whether it rests: a thousand of them take turns.
 */
const mostQuietLinksPerLook = 64

const noFiles: readonly string[] = []

interface Holder {
  readonly member: Member
  /**
   * What it is owed because it was busy. `list`: its files are to be listed anew, for it was busy after they were listed;
   * `rest`: those that were listed are to be followed to the end.
   */
  owed: 'nothing' | 'list' | 'rest'
  /**
   * Its open files as they were last listed; none once all were followed. They are kept from look to look, because the kernel
   * lists all or nothing: with 100,000 files that takes longer than all links of a look.
   */
  listed: readonly string[]
  /** The first of them that was not followed yet. */
  next: number
  /** How often it had stirred when they were listed; -1 where they were not yet. */
  stirs: number
}

/**
 * Whose open files are looked through at a look. A process can connect and send a megabyte without using a tick of CPU time
 * or a new page, so all that may have run have their turn, those that did more first. A part of each look is for those
 * whose turn has not come for longest: each file of a busy process is reached within a number of looks that depends on how
 * many files all of them have open. A process that rests is not listed, which costs nothing.
 */
export class SocketHolders {
  readonly #files: Files
  /** Whose last turn is longest ago is first. */
  readonly #holders = new Map<Member, Holder>()
  /** Links that were followed at this look. */
  #followed = 0
  #wasShort = false

  constructor(files: Files) {
    this.#files = files
  }

  /** Whether files of processes that may have connected had to wait for a later look. */
  get wasShort(): boolean {
    return this.#wasShort
  }

  /** Adds the inodes of sockets that it finds; answers whether any file was looked at. */
  find(
    active: readonly Member[],
    members: ReadonlyMap<number, Member>,
    isElsewhere: (member: Member) => boolean,
    into: Set<number>,
  ): boolean {
    this.#followed = 0
    for (const member of active) this.#owe(member)
    this.#followBusiest(active, isElsewhere, into)
    this.#followWaiting(members, isElsewhere, into)
    this.#followQuiet(members, isElsewhere, into)
    return this.#followed > 0
  }

  #owe(member: Member): void {
    const holder = this.#holders.get(member)
    if (holder !== undefined) holder.owed = 'list'
    else this.#holders.set(member, { member, owed: 'list', listed: noFiles, next: 0, stirs: -1 })
  }

  #followBusiest(
    active: readonly Member[],
    isElsewhere: (member: Member) => boolean,
    into: Set<number>,
  ): void {
    for (const member of active) {
      const holder = this.#holders.get(member)
      if (holder === undefined || isElsewhere(member)) continue
      while (holder.owed !== 'nothing') {
        if (!this.#hasTurn(mostLinksOfBusiest)) return
        this.#follow(holder, linksPerTurn, into)
      }
    }
  }

  /** Whoever had a turn is met again behind all others: they go round until nobody is owed anything, or the look is full. */
  #followWaiting(
    members: ReadonlyMap<number, Member>,
    isElsewhere: (member: Member) => boolean,
    into: Set<number>,
  ): void {
    for (const holder of this.#holders.values()) {
      if (holder.owed === 'nothing' || this.#isGone(holder, members)) continue
      if (isElsewhere(holder.member)) continue
      if (!this.#hasTurn(mostLinksPerLook)) {
        this.#wasShort = true
        return
      }
      this.#follow(holder, linksPerTurn, into)
    }
  }

  #followQuiet(
    members: ReadonlyMap<number, Member>,
    isElsewhere: (member: Member) => boolean,
    into: Set<number>,
  ): void {
    const before = this.#followed
    for (const holder of this.#holders.values()) {
      const { member, listed, next } = holder
      if (this.#isGone(holder, members) || holder.owed !== 'nothing') continue
      if (member.stirs === holder.stirs && next >= listed.length) continue
      if (isElsewhere(member)) continue
      const left = mostLinksPerLook - this.#followed
      if (left <= 0 || this.#followed - before >= mostQuietLinksPerLook) {
        this.#wasShort = true
        return
      }
      this.#follow(holder, left, into)
    }
  }

  /** Whether there is room for a whole turn. Nobody gets a part of one: who always came last would hardly get on. */
  #hasTurn(mostLinks: number): boolean {
    return this.#followed + linksPerTurn <= mostLinks
  }

  #isGone({ member }: Holder, members: ReadonlyMap<number, Member>): boolean {
    const isGone = member.zombie || members.get(member.pid) !== member
    if (isGone) this.#holders.delete(member)
    return isGone
  }

  #follow(holder: Holder, mostLinks: number, into: Set<number>): void {
    const { member } = holder
    if (holder.next >= holder.listed.length) {
      holder.stirs = member.stirs
      if (holder.owed === 'list') holder.owed = 'rest'
      holder.listed = listOpenFiles(this.#files, member.pid)
      holder.next = 0
    }
    const { listed, next } = holder
    const end = Math.min(listed.length, next + mostLinks)
    addSocketInodes(this.#files, member.pid, listed, next, end, into)
    this.#followed += Math.max(1, end - next)
    holder.next = end
    if (end === listed.length) {
      holder.listed = noFiles
      holder.next = 0
      if (holder.owed === 'rest') holder.owed = 'nothing'
    }
    this.#holders.delete(member)
    this.#holders.set(member, holder)
  }
}
