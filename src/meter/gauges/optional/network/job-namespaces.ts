import { parseIgmp } from '../../../../sensors/procfs/igmp.ts'
import { NetTotals, parseNetDev } from '../../../../sensors/procfs/net-dev.ts'
import { readNetworkNamespace } from '../../../../sensors/procfs/network-namespace.ts'
import { ReadBuffer } from '../../../../sensors/read-buffer.ts'
import type { Files } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'
import { CountedInterfaces } from './counted-interfaces.ts'
import { MemberPlaces } from './member-places.ts'
import { Strangers } from './strangers.ts'

/** The network namespaces that a job has to itself: their interfaces count all that it sends and receives. */
export class JobNamespaces {
  readonly #files: Files
  /** Undefined where the kernel has none. */
  readonly #places: MemberPlaces | undefined
  readonly #strangers: Strangers
  readonly #buffer = new ReadBuffer()
  readonly #parsed = new NetTotals()
  /** Of the interfaces of the namespace that is looked at. */
  readonly #numbers = new Map<string, number>()
  /** Those that are not ours and that the job has to itself, such as that of a container, by what the kernel calls them. */
  readonly #found = new Map<string, CountedInterfaces>()
  /** Those in which others are too. */
  readonly #shared = new Set<string>()
  /** Those of which that cannot be told. */
  readonly #hidden = new Set<string>()
  #hadAll: boolean | null = true
  /** Whether nobody will ever know, of a look since the first was found, where a process was. */
  #hasLost = false

  constructor(files: Files) {
    this.#files = files
    this.#strangers = new Strangers(files)
    const ours = readNetworkNamespace(files, 'self')
    if (ours !== undefined) this.#places = new MemberPlaces(files, ours)
  }

  get isEmpty(): boolean {
    return this.#found.size === 0
  }

  /** Whether a process of it was in one of which others send and receive as well. */
  get isShared(): boolean {
    return this.#shared.size > 0
  }

  /** Whether a process of it was in one of which nobody can tell whether others are in it, because we may not see them. */
  get isHidden(): boolean {
    return this.#hidden.size > 0
  }

  /** Whether all processes of the machine can be seen, and not only those of the container that we are in. */
  get seesMachine(): boolean {
    return this.#strangers.includeMachine
  }

  get receivedBytes(): number {
    return sum(this.#found, ({ receivedBytes }) => receivedBytes)
  }

  get sentBytes(): number {
    return sum(this.#found, ({ sentBytes }) => sentBytes)
  }

  /** Whether something had gone through an interface before that was first seen there. */
  get hadMore(): boolean {
    return [...this.#found.values()].some(({ hadMore }) => hadMore)
  }

  /** Whether all processes were in them at every look since the first was found; null where that is not known of some. */
  get hadAll(): boolean | null {
    return this.#hadAll === true && this.#hasLost ? null : this.#hadAll
  }

  /** Whether a process was last seen in a namespace that is not ours. */
  has(member: Member): boolean {
    return this.#places?.isElsewhere(member) === true
  }

  /** `active`: those that did something since the last look, the busiest first. */
  look(members: ReadonlyMap<number, Member>, active: readonly Member[]): void {
    const places = this.#places
    if (places === undefined) return
    const { lost } = places
    places.look(members, active)
    if (!this.isEmpty && places.lost > lost) this.#hasLost = true
    for (const [place, member] of places.elsewhere)
      if (!this.#shared.has(place) && !this.#hidden.has(place))
        if (!this.#lookAt(place, member.pid, members)) places.doubt(member)
    if (this.#hadAll !== false && !this.isEmpty) this.#hadAll = places.areAllIn(this.#isFound)
  }

  readonly #isFound = (place: string): boolean => this.#found.has(place)

  /** False where the process is not there any more. */
  #lookAt(place: string, pid: number, members: ReadonlyMap<number, Member>): boolean {
    const descriptor = this.#files.open(`/proc/${pid}/net/dev`)
    if (descriptor < 0) return false
    // A process may move without using a tick: what was opened is to be counted only if it is still there.
    const isThere = readNetworkNamespace(this.#files, pid) === place
    if (isThere && (this.#found.has(place) || this.#isOwn(place, descriptor, members))) {
      this.#readNumbers(place, pid)
      this.#read(place, descriptor)
    }
    this.#files.close(descriptor)
    return isThere
  }

  /** Of one that is met for the first time: that of a container whose network the job joins, or of a pod, is not its own. */
  #isOwn(place: string, descriptor: number, members: ReadonlyMap<number, Member>): boolean {
    const haveStrangers = this.#strangers.areIn(place, descriptor, members)
    if (haveStrangers === true) this.#shared.add(place)
    else if (haveStrangers === null) this.#hidden.add(place)
    return haveStrangers === false
  }

  /** Without them, interfaces are told apart by their names alone. */
  #readNumbers(place: string, pid: number): void {
    const length = this.#buffer.readPath(this.#files, `/proc/${pid}/net/igmp`)
    parseIgmp(this.#buffer.bytes, length, this.#numbers)
    if (readNetworkNamespace(this.#files, pid) !== place) this.#numbers.clear()
  }

  #read(place: string, descriptor: number): void {
    const length = this.#buffer.read(this.#files, descriptor)
    if (length <= 0) return
    const interfaces = this.#found.get(place) ?? new CountedInterfaces()
    const areAll = parseNetDev(this.#buffer.bytes, length, this.#parsed, (name, received, sent) =>
      interfaces.take(name, received, sent, this.#numbers.get(name)),
    )
    if (!areAll) return
    interfaces.endLook()
    this.#found.set(place, interfaces)
  }
}

function sum(
  found: ReadonlyMap<string, CountedInterfaces>,
  of: (one: CountedInterfaces) => number,
): number {
  let total = 0
  for (const namespace of found.values()) total += of(namespace)
  return total
}
