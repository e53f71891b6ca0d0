import {
  isInNamespaceOf,
  readNetworkNamespace,
} from '../../../../sensors/procfs/network-namespace.ts'
import { readStat } from '../../../../sensors/procfs/stat.ts'
import type { Files } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'

/** What the kernel calls the PID namespace that all others are in (PROC_PID_INIT_INO). */
const wholeMachine = 'pid:[4026531836]'

/**
 * The processes that are not of a job and were there before it. Those that came later may be children of the job that
 * nobody has seen yet.
 */
export class Strangers {
  readonly #files: Files
  #jobBegan = Infinity
  /** Those that were not in our network namespace when it was first asked for; whoever starts later is no stranger. */
  #pids: readonly number[] | undefined

  constructor(files: Files) {
    this.#files = files
  }

  /** Whether none can be outside of what we see: in a container, which has a PID namespace of its own, they may be. */
  get includeMachine(): boolean {
    const space = this.#files.readLink('/proc/self/ns/pid')
    return space.kind === 'ok' && space.value === wholeMachine
  }

  /**
   * Whether any of them is in the network namespace of that name, whose /proc/PID/net/dev is open there; null where they
   * are hidden from us.
   */
  areIn(
    place: string,
    netDevDescriptor: number,
    members: ReadonlyMap<number, Member>,
  ): boolean | null {
    // With hidepid, /proc shows to users only what is theirs, and the first process of a machine is root's.
    let isHidden = readStat(this.#files, 1) === undefined
    this.#pids ??= this.#find(members)
    for (const pid of this.#pids) {
      if (members.has(pid)) continue
      const isThere = this.#isIn(pid, place, netDevDescriptor)
      if (isThere !== false && !this.#isOlder(pid)) continue
      if (isThere === true) return true
      if (isThere === undefined) isHidden = true
    }
    return isHidden ? null : false
  }

  #isIn(pid: number, place: string, netDevDescriptor: number): boolean | undefined {
    const told = readNetworkNamespace(this.#files, pid)
    return told === undefined ? isInNamespaceOf(this.#files, netDevDescriptor, pid) : told === place
  }

  /** All processes of the machine are looked at, at some 10 µs each: whoever shares a namespace may well be the youngest of them. */
  #find(members: ReadonlyMap<number, Member>): number[] {
    const files = this.#files
    for (const { startTicks } of members.values())
      this.#jobBegan = Math.min(this.#jobBegan, startTicks)
    const names = files.list('/proc')
    const ours = files.open('/proc/self/net/dev')
    const found: number[] = []
    for (const name of names.kind === 'ok' ? names.value : []) {
      const pid = Number(name)
      if (!(pid > 0) || members.has(pid) || isInNamespaceOf(files, ours, pid) === true) continue
      if (this.#isOlder(pid)) found.push(pid)
    }
    if (ours >= 0) files.close(ours)
    return found
  }

  #isOlder(pid: number): boolean {
    return (readStat(this.#files, pid)?.startTicks ?? Infinity) < this.#jobBegan
  }
}
