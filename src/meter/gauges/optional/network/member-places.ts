import { readNetworkNamespace } from '../../../../sensors/procfs/network-namespace.ts'
import type { Files } from '../../../../system/system.ts'
import type { Member } from '../../../member.ts'

/** A look asks no more of the busiest processes than this, at some 7 µs each. */
const mostBusiest = 64
/** And no more of those who wait: because they were never asked, or may have moved without using a tick of CPU time. */
const mostWaiting = 64

interface Resident {
  readonly member: Member
  /** What the kernel calls its network namespace, such as net:[4026532281]; undefined where it did not say when asked last. */
  place: string | undefined
  /** How often it had stirred when it was asked; -1 where it was not yet. One that has not stirred since is still there. */
  stirs: number
  /**
   * null where its place is known as of the last look. Where there was no time to ask it, or it did not say: how often it had
   * stirred by then. If that is still so when it does say, it was there then, too.
   */
  unknownAt: number | null
}

/** In which network namespaces the processes of a job are. */
export class MemberPlaces {
  readonly #files: Files
  readonly #ours: string
  /** Who was asked longest ago is first. */
  readonly #residents = new Map<Member, Resident>()
  readonly #elsewhere = new Map<string, Member>()
  /** Where a process was at a look, nobody knows and nobody will: it has ended, or has run since. */
  lost = 0

  constructor(files: Files, ours: string) {
    this.#files = files
    this.#ours = ours
  }

  /** The namespaces that are not ours, each with a process that has not stirred since it was found there. */
  get elsewhere(): ReadonlyMap<string, Member> {
    return this.#elsewhere
  }

  isElsewhere(member: Member): boolean {
    const place = this.#residents.get(member)?.place
    return place !== undefined && place !== this.#ours
  }

  /**
   * Whether all processes are in places of which this holds: false as soon as one is known not to be, null where that is not
   * known of one.
   */
  areAllIn(isMeant: (place: string) => boolean): boolean | null {
    let answer: true | null = true
    for (const { member, place, stirs } of this.#residents.values()) {
      if (place === undefined || stirs !== member.stirs) answer = null
      else if (!isMeant(place)) return false
    }
    return answer
  }

  /** `active`: those that did something since the last look, the busiest first. */
  look(members: ReadonlyMap<number, Member>, active: readonly Member[]): void {
    // One that is in ours may still leave it, as programs that start containers do, and come back.
    let left = mostBusiest
    for (const member of active) {
      const resident = this.#residentOf(member)
      if (left > 0) this.#ask(resident)
      left -= 1
    }
    this.#elsewhere.clear()
    left = mostWaiting
    for (const resident of this.#residents.values()) {
      const { member } = resident
      if (member.zombie || members.get(member.pid) !== member) this.#forget(resident)
      else if (left > 0 && resident.stirs !== member.stirs) {
        left -= 1
        // It is met again, as the last one.
        this.#ask(resident)
      } else this.#note(resident)
    }
  }

  /** It was found not to be where it was: it is asked again. */
  doubt(member: Member): void {
    const resident = this.#residents.get(member)
    if (resident === undefined) return
    resident.place = undefined
    resident.stirs = -1
    resident.unknownAt = -1
  }

  #residentOf(member: Member): Resident {
    const known = this.#residents.get(member)
    if (known !== undefined) return known
    const resident = { member, place: undefined, stirs: -1, unknownAt: null }
    this.#residents.set(member, resident)
    return resident
  }

  #ask(resident: Resident): void {
    const { member } = resident
    this.#noteIfLost(resident)
    resident.stirs = member.stirs
    resident.unknownAt = null
    // It may refuse to say from now on, as with a program of another user, and be anywhere.
    resident.place = readNetworkNamespace(this.#files, member.pid)
    this.#residents.delete(member)
    this.#residents.set(member, resident)
  }

  #note(resident: Resident): void {
    const { member, place, stirs } = resident
    this.#noteIfLost(resident)
    const isKnown = stirs === member.stirs && place !== undefined
    resident.unknownAt = isKnown ? null : member.stirs
    if (!isKnown || place === this.#ours) return
    if (!this.#elsewhere.has(place)) this.#elsewhere.set(place, member)
  }

  /** What it says from now on tells nothing of the look before, if it has run since. */
  #noteIfLost({ member, unknownAt }: Resident): void {
    if (unknownAt !== null && unknownAt !== member.stirs) this.lost += 1
  }

  #forget({ member, place, unknownAt }: Resident): void {
    if (place === undefined || unknownAt !== null) this.lost += 1
    this.#residents.delete(member)
  }
}
