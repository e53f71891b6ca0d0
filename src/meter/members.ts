import type { KernelAccount, System } from '../system/system.ts'
import type { Counters } from './counters.ts'
import { Heirs } from './heirs.ts'
import { JobTotals } from './job-totals.ts'
import type { Member } from './member.ts'
import type { Plausible } from './plausible.ts'
import type { ProcessReader } from './process-reader.ts'
import { UnseenChildren } from './unseen-children.ts'
import { UnseenTime } from './unseen-time.ts'

/** Of a family of more, the I/O counters are opened when they are first read. */
const mostOpenedAtOnce = 64

/**
 * The living processes of one job and what its dead ones left behind.
 *
 * A process's counters include every descendant that was waited for, so the sum over the living is the
 * job's total: a child that dies leaves the sum and enters its parent's counters in the same moment.
 * What nobody waited for would be lost; the totals keep it.
 */
export class Members {
  readonly byPid = new Map<number, Member>()
  /** Processes ever seen: a lower bound of those started. */
  seen = 0
  liveProcesses = 0
  liveThreads = 0
  residentPages = 0
  largestResidentPages = 0
  /** Processes that nobody waited for: of their last moments, after the last look, nothing is known. */
  unaccounted = 0
  /** How long nobody had looked before the looks that found these gone, or that others may have begun unseen. */
  readonly unseen: UnseenTime
  /** None of them had run when they were last looked at, since the look before: none can have started another. */
  areAsleep = false
  /** Whether any process let its children go unaccounted by ignoring SIGCHLD. */
  ignoresChildren = false
  /** False once some process's I/O counters could not be read, and where nobody wants them. */
  ioReadable: boolean

  readonly #system: Pick<System, 'clock' | 'host'>
  readonly #reader: ProcessReader
  readonly #plausible: Plausible
  readonly #totals: JobTotals
  readonly #heirs = new Heirs(this.byPid)
  readonly #gone: Member[] = []
  readonly #unseenChildren = new UnseenChildren()
  readonly #keepsOrphans: boolean
  /** Sessions and process groups that any of them was seen in. */
  readonly #families = new Set<number>()
  #hadReaped = false
  /** One that we reaped ourselves was dead before its I/O was read: nobody else has it. */
  #lacksIo = false
  /** One was reaped since the last look: its children have another parent now, however still they keep. */
  #hasForgotten = false

  constructor(
    system: Pick<System, 'clock' | 'host'>,
    reader: ProcessReader,
    plausible: Plausible,
    { readsIo, keepsOrphans }: { readonly readsIo: boolean; readonly keepsOrphans: boolean },
  ) {
    this.#system = system
    this.ioReadable = readsIo
    this.#keepsOrphans = keepsOrphans
    this.#reader = reader
    this.#plausible = plausible
    this.#totals = new JobTotals(system.host.ticksPerSecond)
    this.unseen = new UnseenTime(system.clock.monotonicSeconds())
  }

  add(pid: number): Member | undefined {
    const known = this.byPid.get(pid)
    if (known !== undefined) return known
    const member = this.#reader.adopt(pid, this.#plausible)
    if (member === undefined) return undefined
    this.#totals.changed()
    this.areAsleep = false
    if (member.zombie) this.#unseenChildren.foundDead()
    this.byPid.set(pid, member)
    this.seen += 1
    if (this.ioReadable && this.byPid.size <= mostOpenedAtOnce) this.#reader.openIo(member)
    this.#noteFamily(member)
    return member
  }

  /** Whether any of them is, or was seen, in the session or process group of that id. */
  hasFamily(id: number): boolean {
    return this.#families.has(id) || this.byPid.has(id)
  }

  /**
   * Looks at every member. Parents come before their children, so a child is missed for a look rather than counted twice.
   * `goesOn`: this is the last look once more, for those who have been found since.
   */
  look(withIo: boolean, goesOn = false): void {
    if (!goesOn) this.unseen.look(this.#system.clock.monotonicSeconds())
    this.#totals.changed()
    this.#gone.length = 0
    this.liveProcesses = 0
    this.liveThreads = 0
    this.residentPages = 0
    this.largestResidentPages = 0
    this.areAsleep = this.byPid.size > 0
    const asked = this.#heirs.asked()
    let dead = 0
    for (const member of this.byPid.values()) {
      if (!asked.has(member) && !member.isAccounted)
        member.reapedFaultsExplained = member.reapedFaults
      const { reapedFaults } = member
      if (!this.#lookAt(member, withIo)) {
        member.goneIn = this.unseen.lastSpan
        this.#gone.push(member)
        dead += 1
        continue
      }
      if (member.reapedFaults > 0) this.#hadReaped = true
      this.#unseenChildren.lookedAt(member, reapedFaults)
      if (member.zombie) {
        dead += 1
        continue
      }
      if (member.ignoresChildren) this.ignoresChildren = true
      this.liveProcesses += 1
      this.liveThreads = Math.min(this.liveThreads + member.threads, this.#plausible.mostThreads)
      this.residentPages += member.residentPages
      if (member.residentPages > this.largestResidentPages)
        this.largestResidentPages = member.residentPages
    }
    this.#hasForgotten = false
    if (dead > 0) this.#lookAtBereaved()
    if (this.#gone.length > 0 || this.#heirs.areAwaited) this.#settleGone()
    const mayHaveLeftOthers = this.#unseenChildren.cameAndWent()
    if (mayHaveLeftOthers && !this.#keepsOrphans) this.unseen.count(this.unseen.lastSpan)
  }

  /** Looks at one that has just ended; false if it waited for children since the last look, which are to be settled first. */
  lookAtOne(pid: number): boolean {
    const member = this.byPid.get(pid)
    // Asked without noting it down: a look settles what it finds new.
    if (
      member === undefined ||
      this.#reader.glance(member)?.childMinorFaults !== member.reapedFaults
    )
      return false
    this.#totals.changed()
    return this.#lookAt(member, true)
  }

  /** The job's counters so far. The answer is reused by the next call. */
  totals(): Counters {
    return this.#totals.of(this.byPid)
  }

  /** Lets nothing wait for the next look: this was the last one. */
  settle(): void {
    if (this.#heirs.areAwaited) this.look(true)
  }

  /** A process that is gone already, with the account that it left: it stands there as a zombie would. */
  close(pid: number, account: KernelAccount): void {
    this.#totals.changed()
    this.byPid.get(pid)?.end(account, this.#system.host.ticksPerSecond)
  }

  /** Leaves out all that happened before: for processes that were running when we came. */
  countFromHere(): void {
    this.#totals.countFromHere(this.byPid)
    for (const member of this.byPid.values()) {
      member.hasOldMark = true
      member.ownFaultsNoted = member.minorFaults - member.reapedFaults
    }
  }

  /** Whether any process had children: those that were seen, and those that came and went between looks. */
  get hadChildren(): boolean {
    return this.seen > 1 || this.#hadReaped
  }

  /** Whether any of them ended, or may have, without anybody being told what it had used. */
  get mayHaveEndedUntold(): boolean {
    return this.ignoresChildren || (this.hadChildren && this.unaccounted > 0)
  }

  /** Whether the I/O of every process is in the totals: not that of those whom nobody waited for. */
  get ioIsWhole(): boolean {
    return this.ioReadable && !this.#lacksIo && this.unaccounted === 0 && !this.ignoresChildren
  }

  /** A process that we reaped ourselves. */
  retireReaped(pid: number, account: KernelAccount | null): void {
    this.#totals.changed()
    const member = this.byPid.get(pid)
    if (account !== null) this.#totals.keepAccount(account, member)
    if (member === undefined) return
    if (member.ioIsLost) this.#lacksIo = true
    this.#totals.keep(member)
    this.#forget(member)
  }

  release(): void {
    for (const member of this.byPid.values()) this.#reader.release(member)
    this.byPid.clear()
  }

  /**
   * False when it is gone. I/O is read first: of a child that is waited for between the two reads it is
   * then missed for a look rather than counted twice.
   */
  #lookAt(member: Member, withIo: boolean): boolean {
    if (member.isAccounted) {
      this.areAsleep = false
      return true
    }
    const wanted = withIo && this.ioReadable
    const stillness = this.#reader.stillnessOf(member, wanted)
    if (stillness === 'gone' || stillness === 'stirred') this.areAsleep = false
    if (stillness === 'gone') return false
    if (stillness === 'stirred') member.stirs += 1
    if (stillness === 'still' && !this.#hasForgotten) return true
    const io = wanted ? this.#reader.readIo(member) : undefined
    const { groupId, sessionId } = member
    if (this.#reader.look(member, this.#plausible) === 'gone') return false
    if (member.groupId !== groupId || member.sessionId !== sessionId) this.#noteFamily(member)
    if (io !== undefined) member.updateIo(io, this.#plausible)
    // One that is dying has let go of its memory already, and its counters are root's alone from then on.
    else if (wanted && (member.zombie || member.residentPages === 0)) member.ioIsLost = true
    else if (wanted) this.ioReadable = false
    return true
  }

  /**
   * A process gets another parent without doing anything; who waits for it decides where its counters go. Its counters
   * themselves stay as they are: its children have been looked at by now, and one that it has waited for since would count
   * twice.
   */
  #lookAtBereaved(): void {
    const gone = new Set(this.#gone)
    for (const member of this.byPid.values()) {
      const parent = this.byPid.get(member.parentPid)
      if (parent === undefined || gone.has(member)) continue
      if (!parent.zombie && !gone.has(parent)) continue
      member.parentPid = this.#reader.glance(member)?.parentPid ?? member.parentPid
    }
  }

  #settleGone(): void {
    for (const member of this.#gone) this.byPid.delete(member.pid)
    this.#heirs.settle(this.#gone, (member, fate) => {
      if (fate === 'inherited') this.#totals.keepDelay(member)
      if (fate === 'lost') {
        this.#totals.keep(member)
        this.unaccounted += 1
        if (member.goneIn !== undefined) this.unseen.count(member.goneIn)
      }
      this.#reader.release(member)
    })
    this.#gone.length = 0
  }

  #noteFamily({ groupId, sessionId }: Member): void {
    this.#families.add(groupId)
    this.#families.add(sessionId)
  }

  #forget(member: Member): void {
    this.#hasForgotten = true
    this.areAsleep = false
    this.byPid.delete(member.pid)
    this.#reader.release(member)
  }
}
