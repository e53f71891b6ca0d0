import { parseIo, ProcessIo } from '../sensors/procfs/io.ts'
import { parseSchedstat, Schedstat } from '../sensors/procfs/schedstat.ts'
import { parseSmapsRollup, SmapsRollup } from '../sensors/procfs/smaps-rollup.ts'
import { isRunning, parseStat, ProcessStat } from '../sensors/procfs/stat.ts'
import { parseStatus, ProcessStatus } from '../sensors/procfs/status.ts'
import type { System } from '../system/system.ts'
import { DescriptorBudget } from './descriptor-budget.ts'
import { Member } from './member.ts'
import type { Plausible } from './plausible.ts'

export type Look = 'seen' | 'gone' | 'garbled'
export type Stillness = 'still' | 'due' | 'stirred' | 'gone'

/**
 * Reads the files of single processes, for all jobs, into one buffer and one set of reused objects.
 * A kept descriptor names the process itself: after its end it answers "gone", even if the pid is reused.
 */
export class ProcessReader {
  readonly #system: System
  readonly #budget: DescriptorBudget
  readonly #buffer = new Uint8Array(4096)
  readonly #schedstat = new Schedstat()
  readonly #stat = new ProcessStat()
  readonly #io = new ProcessIo()
  readonly #status = new ProcessStatus()
  readonly #rollup = new SmapsRollup()

  constructor(system: System) {
    this.#system = system
    this.#budget = new DescriptorBudget(system.host.keptDescriptors)
  }

  /** Begins to watch a process, if it is there. */
  adopt(pid: number, plausible: Plausible): Member | undefined {
    const { files } = this.#system
    const descriptor = files.open(`/proc/${pid}/stat`)
    if (descriptor < 0) return undefined
    if (!this.#readStat(descriptor) || this.#stat.pid !== pid) {
      files.close(descriptor)
      return undefined
    }
    const member = new Member(pid, this.#stat.startTicks, -1)
    const sound = member.update(this.#stat, plausible)
    if (sound && this.#budget.take()) member.statDescriptor = descriptor
    else files.close(descriptor)
    return sound ? member : undefined
  }

  /** Opens the I/O counters of one that lives: once it is dead, the kernel opens them for root alone. */
  openIo(member: Member): void {
    if (!member.zombie) member.ioDescriptor = this.#keep(member.pid, 'io')
  }

  release(member: Member): void {
    this.#giveBack(member.statDescriptor)
    this.#giveBack(member.ioDescriptor)
    this.#giveBack(member.rest.descriptor)
    member.statDescriptor = -1
    member.ioDescriptor = -1
    member.rest.descriptor = -1
  }

  /** Whether it has done nothing since it was last looked at, so that nothing of it can be new. */
  stillnessOf(member: Member, withIo: boolean): Stillness {
    const { rest } = member
    if (rest.descriptor < 0 && !(rest.isWorthAsking(withIo) && this.#keepSchedstat(member)))
      return 'stirred'
    const length = this.#system.files.read(rest.descriptor, this.#buffer)
    if (length <= 0) return 'gone'
    if (!parseSchedstat(this.#buffer, length, this.#schedstat)) return 'stirred'
    return rest.stillness(this.#schedstat, withIo)
  }

  look(member: Member, plausible: Plausible): Look {
    const length = this.#read(member.statDescriptor, member.pid, 'stat')
    if (length <= 0) return 'gone'
    const stat = this.#stat
    const isWhole = parseStat(this.#buffer, length, stat)
    if (isWhole && stat.startTicks !== member.startTicks) return 'gone'
    const { userTicks, systemTicks, minorFaults } = member
    const seen = isWhole && member.update(stat, plausible)
    const ticks = member.userTicks + member.systemTicks
    const isQuiet = ticks === userTicks + systemTicks && member.minorFaults === minorFaults
    // Of other threads than the first, nothing tells whether they run.
    const isAlone = seen && stat.threads <= 1
    member.rest.lookedAt(isAlone && isQuiet, isAlone && !isRunning(stat))
    return seen ? 'seen' : 'garbled'
  }

  /**
   * What its file says now, while nothing that is known of it changes: that is for looks. Undefined when it is gone. The
   * answer is overwritten by the next one.
   */
  glance(member: Member): ProcessStat | undefined {
    const length = this.#read(member.statDescriptor, member.pid, 'stat')
    if (length <= 0 || !parseStat(this.#buffer, length, this.#stat)) return undefined
    return this.#stat.startTicks === member.startTicks ? this.#stat : undefined
  }

  /**
   * I/O counters, in an object that the next call reuses; undefined where they are not ours to read. They are the member's own
   * only if it is found alive afterwards: the file is opened when it is first read, and its pid may name another process by
   * then.
   */
  readIo(member: Member): ProcessIo | undefined {
    if (member.ioDescriptor < 0) this.openIo(member)
    const length = this.#read(member.ioDescriptor, member.pid, 'io')
    if (length <= 0 || !parseIo(this.#buffer, length, this.#io)) return undefined
    member.rest.ioRead()
    return this.#io
  }

  /** The high-water mark and swap. Answers the resident size at the same moment, or NaN. */
  lookAtHighWater(member: Member, plausible: Plausible): number {
    const length = this.#read(-1, member.pid, 'status')
    if (length <= 0 || !parseStatus(this.#buffer, length, this.#status)) return NaN
    member.faultsAtHighWater = member.minorFaults + member.majorFaults
    const { highWaterBytes, swapBytes } = this.#status
    if (highWaterBytes > member.highWaterBytes && highWaterBytes <= plausible.mostMemoryBytes)
      member.highWaterBytes = highWaterBytes
    if (swapBytes <= plausible.mostSwapBytes) member.swapBytes = swapBytes
    return this.#status.residentBytes
  }

  /**
   * The proportional share of its pages; undefined where that is not told. Slow for large processes, and it holds their
   * locks. The answer is overwritten by the next one.
   */
  proportional(member: Member): SmapsRollup | undefined {
    const length = this.#read(-1, member.pid, 'smaps_rollup')
    return length > 0 && parseSmapsRollup(this.#buffer, length, this.#rollup)
      ? this.#rollup
      : undefined
  }

  /** Parent, group, session and start of a process that is not watched (yet). */
  identify(pid: number): ProcessStat | undefined {
    const length = this.#read(-1, pid, 'stat')
    if (length <= 0 || !parseStat(this.#buffer, length, this.#stat)) return undefined
    return this.#stat
  }

  /** For how long its main thread ran and waited, in an object that the next call reuses; also of one that is dead. */
  readSchedstat(pid: number): Schedstat | undefined {
    const length = this.#read(-1, pid, 'schedstat')
    return length > 0 && parseSchedstat(this.#buffer, length, this.#schedstat)
      ? this.#schedstat
      : undefined
  }

  #keepSchedstat({ pid, rest }: Member): boolean {
    rest.descriptor = this.#keep(pid, 'schedstat')
    rest.isRefused = rest.descriptor < 0
    return !rest.isRefused
  }

  /** A descriptor to keep; -1 where the file cannot be had or no more may be kept. */
  #keep(pid: number, name: string): number {
    if (!this.#budget.take()) return -1
    const descriptor = this.#system.files.open(`/proc/${pid}/${name}`)
    if (descriptor < 0) this.#budget.giveBack()
    return descriptor
  }

  #giveBack(descriptor: number): void {
    if (descriptor < 0) return
    this.#system.files.close(descriptor)
    this.#budget.giveBack()
  }

  #readStat(descriptor: number): boolean {
    const length = this.#system.files.read(descriptor, this.#buffer)
    return length > 0 && parseStat(this.#buffer, length, this.#stat)
  }

  #read(kept: number, pid: number, name: string): number {
    const { files } = this.#system
    if (kept >= 0) return files.read(kept, this.#buffer)
    const descriptor = files.open(`/proc/${pid}/${name}`)
    if (descriptor < 0) return -1
    const length = files.read(descriptor, this.#buffer)
    files.close(descriptor)
    return length
  }
}
