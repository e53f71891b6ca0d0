import type { ProcessIo } from '../sensors/procfs/io.ts'
import { isZombie, type ProcessStat } from '../sensors/procfs/stat.ts'
import type { KernelAccount } from '../system/system.ts'
import type { Plausible } from './plausible.ts'
import { Rest } from './rest.ts'
import type { Span } from './unseen-time.ts'

/** One process of a job. Made once when it is found; looking at it again only changes numbers. */
export class Member {
  readonly pid: number
  readonly startTicks: number
  /** Kept open; -1 where the limit of kept descriptors was reached, and then opened for each look. */
  statDescriptor: number
  ioDescriptor = -1
  /** It was dead before its counters could be read; who waits for it has them. */
  ioIsLost = false
  readonly rest = new Rest()

  parentPid = 0
  groupId = 0
  sessionId = 0
  zombie = false
  /** Looks at which it may have run since the one before. */
  stirs = 0
  /** Gone, with its account known. */
  isAccounted = false
  /** Gone since the look before the one that found that out. */
  goneIn: Span | undefined
  threads = 0
  residentPages = 0
  /** We started it ourselves: until its program is loaded it has our own memory. */
  isOurChild = false
  isUnborn = false

  // Counters of the process and of every descendant that it or its children waited for.
  userTicks = 0
  systemTicks = 0
  minorFaults = 0
  majorFaults = 0
  readChars = 0
  writeChars = 0
  readCalls = 0
  writeCalls = 0
  readBytes = 0
  writeBytes = 0
  /** Of the process alone: the kernel hands this one to nobody. */
  ioDelayTicks = 0

  /** The waited-for part of `minorFaults`, and how much of it is explained: how a parent shows that it reaped. */
  reapedFaults = 0
  reapedFaultsExplained = 0
  /** Those of the last look at which there were any, and how much was explained before. */
  newReapedFaults = 0
  explainedBefore = 0

  highWaterBytes = 0
  /** It was running before it was followed: the mark that it has at first is not of the time since. */
  hasOldMark = false
  swapBytes = 0
  residentAtHighWater = 0
  /** The kernel reaps the children of such a process itself, and tells nobody what they used. */
  ignoresChildren = false
  /** Faults when its high-water mark was last read; without a new fault it cannot have risen. */
  faultsAtHighWater = -1
  /** Its own faults and its size at the last look, to tell what came since. */
  ownFaultsNoted = 0
  residentPagesNoted = 0

  constructor(pid: number, startTicks: number, statDescriptor: number) {
    this.pid = pid
    this.startTicks = startTicks
    this.statDescriptor = statDescriptor
  }

  /** False, and nothing changed, for figures that no process can have reached. */
  update(stat: ProcessStat, plausible: Plausible): boolean {
    const ticks = stat.userTicks + stat.childUserTicks + stat.systemTicks + stat.childSystemTicks
    const faults =
      stat.minorFaults + stat.childMinorFaults + stat.majorFaults + stat.childMajorFaults
    if (
      ticks > plausible.mostTicks ||
      faults > plausible.mostFaults ||
      stat.residentPages > plausible.mostPages ||
      stat.threads > plausible.mostThreads
    )
      return false
    this.parentPid = stat.parentPid
    this.groupId = stat.groupId
    this.sessionId = stat.sessionId
    this.zombie = isZombie(stat)
    this.threads = stat.threads
    this.ignoresChildren = (stat.ignoredSignals & SIGCHLD_BIT) !== 0
    this.isUnborn = this.isOurChild && (stat.flags & PF_FORKNOEXEC) !== 0
    this.residentPages = this.isUnborn ? 0 : stat.residentPages
    this.userTicks = Math.max(this.userTicks, stat.userTicks + stat.childUserTicks)
    this.systemTicks = Math.max(this.systemTicks, stat.systemTicks + stat.childSystemTicks)
    this.minorFaults = Math.max(this.minorFaults, stat.minorFaults + stat.childMinorFaults)
    this.majorFaults = Math.max(this.majorFaults, stat.majorFaults + stat.childMajorFaults)
    this.reapedFaults = Math.max(this.reapedFaults, stat.childMinorFaults)
    if (stat.ioDelayTicks > this.ioDelayTicks && stat.ioDelayTicks <= plausible.mostTicks)
      this.ioDelayTicks = stat.ioDelayTicks
    return true
  }

  /** Takes the kernel's account in place of all further looks. All that it says more may be of children it waited for. */
  end(account: KernelAccount, ticksPerSecond: number): void {
    this.isAccounted = true
    this.zombie = true
    this.userTicks = Math.max(this.userTicks, account.userSeconds * ticksPerSecond)
    this.systemTicks = Math.max(this.systemTicks, account.systemSeconds * ticksPerSecond)
    this.reapedFaults += Math.max(0, account.minorFaults - this.minorFaults)
    this.minorFaults = Math.max(this.minorFaults, account.minorFaults)
    this.majorFaults = Math.max(this.majorFaults, account.majorFaults)
  }

  updateIo(io: ProcessIo, plausible: Plausible): void {
    const mostBytes = Math.max(io.readChars, io.writeChars, io.readBytes, io.writeBytes)
    // Calls are fewer than bytes, but for those that move none.
    const most = Math.max(mostBytes, io.readCalls, io.writeCalls)
    if (!(most <= plausible.mostIoBytes)) return
    this.readChars = Math.max(this.readChars, io.readChars)
    this.writeChars = Math.max(this.writeChars, io.writeChars)
    this.readCalls = Math.max(this.readCalls, io.readCalls)
    this.writeCalls = Math.max(this.writeCalls, io.writeCalls)
    this.readBytes = Math.max(this.readBytes, io.readBytes)
    this.writeBytes = Math.max(this.writeBytes, io.writeBytes)
  }
}

/** It has not replaced its program since it was forked. */
const PF_FORKNOEXEC = 0x40
const SIGCHLD_BIT = 1 << 16
