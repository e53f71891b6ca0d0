import { Loadavg, parseLoadavg } from '../sensors/procfs/loadavg.ts'
import type { System } from '../system/system.ts'
import { ChildrenReader } from './children-reader.ts'
import type { Member } from './member.ts'
import { isKnown, Orphans, type Seeker } from './orphans.ts'
import { ProcScan } from './proc-scan.ts'
import type { ProcessReader } from './process-reader.ts'
import { Ration } from './ration.ts'

/** Going down from the known processes is dearer for each than reading all names in /proc. */
const descentPrice = 4
/** Rounds of looking while a family grows and dies under our eyes. */
const mostRounds = 3

/**
 * Finds the new processes of all jobs. The kernel tells the newest pid in /proc/loadavg: while that stands still,
 * nothing was started anywhere, and nobody is looked for. Nor is anybody while all known processes sleep: whatever was
 * started then was started by others.
 *
 * There are two ways. From the known processes down, by the kernel's lists of their children, and our own children for
 * the orphans among them: that costs what the jobs are large. Or through all of /proc, which costs what the
 * machine is large, and finds what no list leads to: orphans that went to somebody else.
 */
export class Discovery {
  readonly orphans: Orphans
  readonly #system: System
  readonly #reader: ProcessReader
  readonly #children: ChildrenReader
  readonly #descents: Ration
  readonly #scan: ProcScan
  readonly #loadavg = new Loadavg()
  readonly #buffer = new Uint8Array(256)
  #loadavgDescriptor: number
  readonly #found: number[] = []
  /** Taken in just now: their own children are still to be asked for. */
  readonly #fresh: Member[] = []
  #newestPid = -1
  /** A process gets its pid a while before it can be seen: whoever is looked for is looked for once more. */
  #mayBeBorn = false
  /** Something was started while all of them slept. */
  #isPutOff = false
  #searchesAsleep = 0
  #descentDue = false
  /** Somebody ended while we looked: whose children are whose is asked once more. */
  #vanished = false

  constructor(system: System, reader: ProcessReader) {
    this.#system = system
    this.#reader = reader
    this.orphans = new Orphans(system, reader)
    this.#children = new ChildrenReader(system)
    this.#descents = new Ration(system)
    this.#scan = new ProcScan(system, reader, this.orphans)
    this.#loadavgDescriptor = system.files.open('/proc/loadavg')
  }

  /** Gives every seeker the processes that are its own. */
  find(seekers: readonly Seeker[]): void {
    this.#searchesAsleep = 0
    this.#findSome(seekers)
  }

  /**
   * The same where no process of theirs had run when it was last looked at. What an earlier search left open is done; all that
   * is new can wait until one of them has run. Strangers end all the time, and look like theirs until they are looked into:
   * that somebody ended is no reason to go on for ever.
   */
  findWhileAsleep(seekers: readonly Seeker[]): void {
    const isOpen = this.#vanished && this.#searchesAsleep < mostRounds
    if (isOpen || this.#descentDue || this.#scan.isDue) {
      this.#searchesAsleep += 1
      this.#findSome(seekers)
    } else if (this.#somethingStarted()) this.#isPutOff = true
  }

  #findSome(seekers: readonly Seeker[]): void {
    if (seekers.length === 0) return
    const started = this.#somethingStarted() || this.#isPutOff
    this.#isPutOff = false
    if (started || this.#mayBeBorn || this.#vanished || this.#descentDue) this.#search(seekers)
    else if (this.#scan.isDue) this.#scanAll(seekers)
    this.#mayBeBorn = started
  }

  /** Finds them all now, whatever it costs: who is not found is never ended or named. */
  findNow(seekers: readonly Seeker[]): void {
    this.#descents.hurry()
    this.#scan.hurry()
    this.find(seekers)
    for (let round = 1; this.#vanished && round < mostRounds; round++) {
      this.#descents.hurry()
      this.find(seekers)
    }
  }

  /** Our children that belong to no job we know, zombies included; undefined where that cannot be told. */
  unknownChildren(seekers: readonly Seeker[]): readonly number[] | undefined {
    if (!this.#system.processes.adoptsOrphans) return undefined
    this.#found.length = 0
    if (!this.#children.readOwn(this.#found)) return undefined
    return this.#found.filter((pid) => !isKnown(pid, seekers) && this.orphans.isOrphan(pid))
  }

  /** It has been reaped: its pid may name another process from now on. */
  forget(pid: number): void {
    this.orphans.forget(pid)
    this.#scan.forget(pid)
  }

  /** Looks at every process once more, and at once. */
  beginAnew(): void {
    this.#newestPid = -1
    this.#descents.hurry()
    this.#scan.forgetAll()
    this.#scan.hurry()
  }

  close(): void {
    this.#children.close()
    if (this.#loadavgDescriptor >= 0) this.#system.files.close(this.#loadavgDescriptor)
    // The number may be another file's by now.
    this.#loadavgDescriptor = -1
  }

  #somethingStarted(): boolean {
    const length = this.#system.files.read(this.#loadavgDescriptor, this.#buffer)
    if (length <= 0 || !parseLoadavg(this.#buffer, length, this.#loadavg)) return true
    const newest = this.#loadavg.lastPid
    if (newest === this.#newestPid) return false
    // Pids began anew from the bottom: any number may be another process now.
    if (newest < this.#newestPid) this.#scan.forgetAll()
    this.#newestPid = newest
    return true
  }

  #search(seekers: readonly Seeker[]): void {
    const now = this.#system.clock.monotonicSeconds()
    this.#vanished = false
    // One list for a thousand, where each of them would be asked for its children.
    for (const seeker of seekers) seeker.takeListed()
    if (!this.#children.available || this.#isLarge(seekers)) {
      this.#scanAll(seekers)
      if (this.#scan.isDue) for (const { blind } of seekers) blind.begin(now)
      return
    }
    this.#descentDue = !this.#descents.spend(() => this.#descend(seekers))
    for (const { blind } of seekers)
      if (this.#descentDue) blind.begin(now)
      else blind.end(now)
    if (!this.#system.processes.adoptsOrphans && seekers.some(({ mark }) => mark !== null))
      this.#scanAll(seekers)
  }

  #isLarge(seekers: readonly Seeker[]): boolean {
    let threads = 0
    for (const seeker of seekers) threads += seeker.knownThreads
    return threads * descentPrice > this.#loadavg.existing
  }

  #descend(seekers: readonly Seeker[]): void {
    for (const seeker of seekers)
      for (const member of seeker.living()) this.#takeChildren(seeker, member)
    this.#fresh.length = 0
    if (!this.#system.processes.adoptsOrphans) return
    // Last of all, and again while there are any: who loses its parent while we go through the families is here now.
    for (let round = 0; this.#takeOrphans(seekers); round++)
      if (round === mostRounds) {
        this.#vanished = true
        return
      }
  }

  /** Whether there were any. */
  #takeOrphans(seekers: readonly Seeker[]): boolean {
    this.#found.length = 0
    if (!this.#children.readOwn(this.#found)) return false
    const unknown = this.#found.filter((pid) => !isKnown(pid, seekers))
    let found = false
    for (const pid of unknown) if (this.#takeOrphan(pid, seekers)) found = true
    return found
  }

  #takeOrphan(pid: number, seekers: readonly Seeker[]): boolean {
    if (!this.orphans.isOrphan(pid)) return false
    const owner = this.orphans.ownerOf(pid, seekers)
    const orphan = owner?.take(pid)
    if (owner === undefined || orphan === undefined) return false
    for (let member: Member | undefined = orphan; member; member = this.#fresh.pop())
      this.#takeChildren(owner, member)
    return true
  }

  #takeChildren(owner: Seeker, member: Member): void {
    if (member.zombie) return
    const children = this.#found
    children.length = 0
    // Not by the last look: a thread that was started since may have children too.
    const threads = this.#reader.glance(member)?.threads ?? 0
    // Its pid may name another process by now.
    if (threads === 0) return
    this.#children.read(member.pid, threads, children)
    for (const pid of children) {
      // We are no part of what we watch, though it may have started us.
      if (owner.has(pid) || pid === this.#system.processes.self) continue
      const child = owner.take(pid)
      if (child === undefined) this.#vanished = true
      else this.#fresh.push(child)
    }
  }

  #scanAll(seekers: readonly Seeker[]): void {
    const now = this.#system.clock.monotonicSeconds()
    if (this.#scan.run(seekers) === 'somebody vanished') this.#vanished = true
    if (this.#scan.isDue) return
    // It finds all that going down from the known ones would have found.
    this.#descentDue = false
    for (const { blind } of seekers) blind.end(now)
  }
}
