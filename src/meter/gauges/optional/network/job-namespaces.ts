import { NetTotals, parseNetDev } from '../../../../sensors/procfs/net-dev.ts'
import { readStat } from '../../../../sensors/procfs/stat.ts'
import { ReadBuffer } from '../../../../sensors/read-buffer.ts'
import type { Files } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'

/** A namespace that is not ours and that the job has to itself, such as that of a container. */
interface Namespace {
  readonly baseReceived: number
  readonly baseSent: number
  receivedBytes: number
  sentBytes: number
}

/** A look asks no more processes than this where they are, the busiest first. */
const mostAsked = 64

/** The network namespaces that a job has to itself: their interfaces count all that it sends and receives. */
export class JobNamespaces {
  readonly #files: Files
  readonly #ours: string | undefined
  readonly #buffer = new ReadBuffer()
  readonly #parsed = new NetTotals()
  /** By what the kernel calls them, such as net:[4026532281]. */
  readonly #found = new Map<string, Namespace>()
  /** Those in which others are too. */
  readonly #shared = new Set<string>()
  /** The processes that are not in ours, with where they are. */
  readonly #elsewhere = new Map<Member, string>()
  #hadAll = true

  constructor(files: Files) {
    this.#files = files
    this.#ours = namespaceOf(files, 'self')
  }

  get isEmpty(): boolean {
    return this.#found.size === 0
  }

  /** Whether a process of it was in one of which others send and receive as well. */
  get isShared(): boolean {
    return this.#shared.size > 0
  }

  get receivedBytes(): number {
    return sum(this.#found, ({ receivedBytes, baseReceived }) => receivedBytes - baseReceived)
  }

  get sentBytes(): number {
    return sum(this.#found, ({ sentBytes, baseSent }) => sentBytes - baseSent)
  }

  /** Whether some of it had been sent or received before the namespace was first seen. */
  get hadMore(): boolean {
    return sum(this.#found, ({ baseReceived, baseSent }) => baseReceived + baseSent) > 0
  }

  /** Whether all processes were in them at every look since the first was found. */
  get hadAll(): boolean {
    return this.#hadAll
  }

  /** Whether a process was last seen in one of them. */
  has(member: Member): boolean {
    return this.#elsewhere.has(member)
  }

  /** `active`: those that did something since the last look. Others are where they were. */
  look(members: ReadonlyMap<number, Member>, active: readonly Member[]): void {
    if (this.#ours === undefined) return
    // One that is in ours may still leave it: programs that start containers do.
    for (const member of active.slice(0, mostAsked)) this.#ask(member)
    const memberIn = new Map<string, Member>()
    for (const [member, place] of this.#elsewhere) {
      if (member.zombie || members.get(member.pid) !== member) this.#elsewhere.delete(member)
      else if (!memberIn.has(place)) memberIn.set(place, member)
    }
    this.#findShared(memberIn, members)
    for (const [place, { pid }] of memberIn) if (!this.#shared.has(place)) this.#read(place, pid)
    if (this.#hadAll && !this.isEmpty) this.#hadAll = this.#haveAll(members)
  }

  #haveAll(members: ReadonlyMap<number, Member>): boolean {
    for (const member of members.values())
      if (!member.zombie && !this.#elsewhere.has(member)) return false
    return true
  }

  #ask(member: Member): void {
    const place = namespaceOf(this.#files, member.pid)
    if (place !== undefined && place !== this.#ours) this.#elsewhere.set(member, place)
  }

  /**
   * Finds which places that are met for the first time hold a process that is older than the job: that of a container whose
   * network it joins, or of a pod. One that is younger may be a child of the job that nobody has seen yet. All processes of
   * the machine are asked, at 7 µs each: whoever shares a namespace may well be the youngest of the strangers.
   */
  #findShared(places: ReadonlyMap<string, Member>, members: ReadonlyMap<number, Member>): void {
    const isNew = (place: string): boolean => !this.#found.has(place) && !this.#shared.has(place)
    if (![...places.keys()].some(isNew)) return
    const began = Math.min(...Array.from(members.values(), ({ startTicks }) => startTicks))
    const names = this.#files.list('/proc')
    for (const name of names.kind === 'ok' ? names.value : []) {
      const pid = Number(name)
      if (!(pid > 0) || members.has(pid)) continue
      const place = namespaceOf(this.#files, pid)
      if (place === undefined || !places.has(place) || !isNew(place)) continue
      if ((readStat(this.#files, pid)?.startTicks ?? Infinity) < began) this.#shared.add(place)
    }
  }

  #read(place: string, pid: number): void {
    const descriptor = this.#files.open(`/proc/${pid}/net/dev`)
    if (descriptor < 0) return
    const length = this.#buffer.read(this.#files, descriptor)
    this.#files.close(descriptor)
    if (length <= 0 || !parseNetDev(this.#buffer.bytes, length, this.#parsed)) return
    const { receivedBytes, sentBytes } = this.#parsed
    const known = this.#found.get(place)
    if (known === undefined) {
      const base = { baseReceived: receivedBytes, baseSent: sentBytes }
      this.#found.set(place, { ...base, receivedBytes, sentBytes })
      return
    }
    known.receivedBytes = Math.max(known.receivedBytes, receivedBytes)
    known.sentBytes = Math.max(known.sentBytes, sentBytes)
  }
}

function namespaceOf(files: Files, pid: number | 'self'): string | undefined {
  const link = files.readLink(`/proc/${pid}/ns/net`)
  return link.kind === 'ok' ? link.value : undefined
}

function sum(found: ReadonlyMap<string, Namespace>, of: (one: Namespace) => number): number {
  let total = 0
  for (const namespace of found.values()) total += of(namespace)
  return total
}
