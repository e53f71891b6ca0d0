import { DescriptorBudget } from '../../meter/descriptor-budget.ts'
import { parseIo, ProcessIo } from '../../sensors/procfs/io.ts'
import { statName } from '../../sensors/procfs/stat-name.ts'
import { isZombie, parseStat, ProcessStat } from '../../sensors/procfs/stat.ts'
import { parseIgnoresChildren } from '../../sensors/procfs/status-signals.ts'
import { parseStatusUser } from '../../sensors/procfs/status-user.ts'
import type { System } from '../../system/system.ts'
import { marksIn } from './process-marks.ts'
import { SeenProcess } from './seen-process.ts'

/** PF_KTHREAD: a thread of the kernel's own. */
const kernelThread = 0x200000
/** A process that has just begun may still change user, cgroup and program. */
const youngLooks = 3
/** After that it is looked into again so often, for it may be moved. */
const looksBetween = 30

/** A program gets no more than this of arguments and variables from most systems. */
const longestEnvironment = 2 ** 21

/** What Node calls its first thread, and so the kernel its process. */
const mainThread = 'MainThread'

/** All processes of the node. One that cannot be read is passed over: it never stops a round. */
export class ProcessTable {
  readonly living = new Map<number, SeenProcess>()
  /** Those that were there at the look before and are not any more. */
  readonly ended: SeenProcess[] = []
  readonly #system: System
  readonly #budget: DescriptorBudget
  readonly #buffer = new Uint8Array(16_384)
  readonly #stat = new ProcessStat()
  readonly #io = new ProcessIo()
  #round = 0

  constructor(system: System) {
    this.#system = system
    this.#budget = new DescriptorBudget(system.host.keptDescriptors)
  }

  /** Looks at every process. At the first look nothing is known of what they did before: that does not count. */
  look(): void {
    const isFirst = this.#round === 0
    this.#round += 1
    this.ended.length = 0
    const names = this.#system.files.list('/proc')
    if (names.kind !== 'ok') return
    for (const name of names.value) {
      const first = name.charCodeAt(0)
      if (first >= 48 && first <= 57) this.#lookAt(Number(name), isFirst)
    }
    for (const [pid, process] of this.living)
      if (process.seenIn !== this.#round) {
        this.living.delete(pid)
        this.#end(process)
      }
  }

  close(): void {
    for (const process of this.living.values()) this.#release(process)
  }

  #end(process: SeenProcess): void {
    this.#release(process)
    this.ended.push(process)
  }

  #release(process: SeenProcess): void {
    if (process.statDescriptor < 0) return
    this.#system.files.close(process.statDescriptor)
    process.statDescriptor = -1
    this.#budget.giveBack()
  }

  #lookAt(pid: number, isFirst: boolean): void {
    let process = this.living.get(pid)
    let length = process === undefined ? -1 : this.#readStat(process)
    // A kept descriptor tells nothing any more once its process has ended, even if another has its pid.
    if (length <= 0) length = this.#read(pid, 'stat')
    const stat = this.#stat
    if (length <= 0 || !parseStat(this.#buffer, length, stat)) return
    if (process?.startTicks !== stat.startTicks) {
      if (process !== undefined) this.#end(process)
      process = new SeenProcess(pid, stat.startTicks)
      this.living.set(pid, process)
    } else {
      process.before.copyFrom(process.now)
      this.#keep(process)
    }
    process.seenIn = this.#round
    const hash = this.#nameHash(length)
    const isRenamed = hash !== process.nameHash
    process.nameHash = hash
    if (isRenamed) {
      const name = statName(this.#buffer, length)
      process.command = name === mainThread ? (this.#program(pid) ?? name) : name
    }
    this.#take(process)
    if (isRenamed || process.looks < youngLooks || process.looks % looksBetween === 0)
      this.#lookInto(process)
    process.looks += 1
    if (process.hasStirred || process.looks % looksBetween === 1) this.#readIo(process)
    if (isFirst) process.before.copyFrom(process.now)
  }

  #take(process: SeenProcess): void {
    const stat = this.#stat
    const { ticksPerSecond, pageBytes } = this.#system.host
    if (process.looks > 0 && process.parentPid !== stat.parentPid) {
      const adopter = this.living.get(stat.parentPid)
      if (adopter !== undefined) adopter.adopts = true
    }
    process.parentPid = stat.parentPid
    process.groupId = stat.groupId
    process.isKernelThread = (stat.flags & kernelThread) !== 0
    process.staysZombie = process.isZombie
    process.isZombie = isZombie(stat)
    process.threads = stat.threads
    process.userTicks = stat.userTicks
    process.systemTicks = stat.systemTicks
    process.minorFaults = stat.minorFaults
    process.residentBytes = stat.residentPages * pageBytes
    const faults = stat.minorFaults + stat.childMinorFaults + stat.majorFaults
    const ticks = stat.userTicks + stat.systemTicks + stat.childUserTicks + stat.childSystemTicks
    const sign = ticks + faults
    // A process that neither ran for a tick nor touched a new page has hardly read or written: that comes later.
    process.hasStirred = process.looks < youngLooks || sign !== process.sign
    process.sign = sign
    process.now.ownSeconds = (stat.userTicks + stat.systemTicks) / ticksPerSecond
    process.now.childSeconds = (stat.childUserTicks + stat.childSystemTicks) / ticksPerSecond
  }

  /** What seldom changes: its user, its cgroup and what its environment says. */
  #lookInto(process: SeenProcess): void {
    const { pid } = process
    const status = this.#read(pid, 'status')
    if (status > 0) {
      process.uid = parseStatusUser(this.#buffer, status)
      process.ignoresChildren = parseIgnoresChildren(this.#buffer, status)
    }
    if (process.isKernelThread || process.isZombie) return
    const cgroup = this.#read(pid, 'cgroup')
    if (cgroup > 0) process.cgroup = this.#text(cgroup)
    const environment = this.#environment(pid)
    if (environment !== undefined) process.marks = marksIn(environment)
  }

  #readIo(process: SeenProcess): void {
    if (process.isKernelThread) return
    const length = this.#read(process.pid, 'io')
    if (length <= 0 || !parseIo(this.#buffer, length, this.#io)) return
    const { before, now } = process
    now.readBytes = this.#io.readBytes
    // What was cancelled of rounds before is taken from what is written next: a round never has less than nothing.
    const written = this.#io.writeBytes - this.#io.cancelledWriteBytes
    now.writeBytes = Math.max(now.writeBytes || 0, written)
    // If the process is new, everything counts; if it could not be read before, nothing does.
    if (Number.isNaN(before.readBytes)) {
      const isNew = process.looks === 1
      before.readBytes = isNew ? 0 : now.readBytes
      before.writeBytes = isNew ? 0 : now.writeBytes
    }
  }

  #readStat({ statDescriptor }: SeenProcess): number {
    return statDescriptor < 0 ? -1 : this.#system.files.read(statDescriptor, this.#buffer)
  }

  /** The stat file of a process seen before is kept open: reading it again costs a third. */
  #keep(process: SeenProcess): void {
    if (process.statDescriptor >= 0 || !this.#budget.take()) return
    process.statDescriptor = this.#system.files.open(`/proc/${process.pid}/stat`)
    if (process.statDescriptor < 0) this.#budget.giveBack()
  }

  #read(pid: number, name: string): number {
    const { files } = this.#system
    const descriptor = files.open(`/proc/${pid}/${name}`)
    if (descriptor < 0) return -1
    const length = files.read(descriptor, this.#buffer)
    files.close(descriptor)
    return length
  }

  /** The name of the program as it was called. */
  #program(pid: number): string | undefined {
    const length = this.#read(pid, 'cmdline')
    const [, name] = /^(?:[^\0]*\/)?([^\0/]{1,64})/.exec(this.#text(Math.max(0, length))) ?? []
    return name
  }

  /** Where many modules are loaded it is long, and what schedulers add to it is at its end. */
  #environment(pid: number): string | undefined {
    const length = this.#read(pid, 'environ')
    if (length <= 0) return undefined
    if (length < this.#buffer.length) return this.#text(length)
    const whole = this.#system.files.readText(`/proc/${pid}/environ`)
    return whole.kind === 'ok' ? whole.value.slice(0, longestEnvironment) : undefined
  }

  #text = (length: number): string => Buffer.from(this.#buffer.buffer, 0, length).toString('latin1')

  /** A hash of the program's name, which stands in parentheses near the start of the line. */
  #nameHash(length: number): number {
    const bytes = this.#buffer
    let hash = 17
    let at = bytes.indexOf(40) + 1
    const end = Math.min(length, at + 64)
    for (; at < end && bytes[at] !== 41; at += 1) hash = (hash * 31 + (bytes[at] ?? 0)) | 0
    return hash
  }
}
