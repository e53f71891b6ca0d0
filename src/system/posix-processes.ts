import { constants } from 'node:os'
import { Brands } from './brands.ts'
import { inheritedDescriptors } from './inherited.ts'
import { JobLogFiles } from './job-logs.ts'
import type { Libc } from './libc.ts'
import {
  onSignal,
  ownChildren,
  ownCpuSeconds,
  ownThreadCpuSeconds,
  processExists,
  sendSignal,
} from './own-process.ts'
import { PosixSpawn } from './posix-spawn.ts'
import type {
  ChildEnd,
  ChildWatcher,
  KernelAccount,
  OrphanWatcher,
  Processes,
  SpawnRequest,
  SpawnResult,
} from './system.ts'

const PR_SET_CHILD_SUBREAPER = 36
const RUSAGE_SELF = 0
const P_ALL = 0
const P_PID = 1
const WNOHANG = 1
const WEXITED = 4
const WNOWAIT = 0x01000000
const SI_PID_OFFSET = 16
/** Larger than glibc's and musl's siginfo_t and rusage. */
const STRUCT_BYTES = 512
/** More would wait for one another, and for a processor: what a job takes would then count from too early. */
const mostAside = 2

/** Processes by libc: `posix_spawn` to start, `wait4` for the kernel's account of what each one used. */
export class PosixProcesses implements Processes {
  readonly self = process.pid
  readonly launcher = 'posix_spawn'
  readonly launcherLoss = null
  readonly adoptsOrphans: boolean
  startedEver = 0
  readonly ownCpuSeconds = ownCpuSeconds
  readonly ownThreadCpuSeconds = ownThreadCpuSeconds
  readonly signal = sendSignal
  readonly exists = processExists
  readonly onSignal = onSignal

  readonly #libc: Libc
  readonly #spawn: PosixSpawn
  readonly #brands: Brands
  readonly #children = new Map<number, ChildWatcher>()
  #orphans: OrphanWatcher | undefined
  #starting = 0
  #listens = false
  #listsChildren: boolean | undefined
  #stayAlive: NodeJS.Timeout | undefined
  readonly #info = Buffer.alloc(STRUCT_BYTES)
  readonly #status = Buffer.alloc(8)
  readonly #usage = Buffer.alloc(STRUCT_BYTES)
  readonly #signalNames = new Map<number, NodeJS.Signals>()

  /**
   * `ownsProcess`: no other code of this process starts children, so any child that ends is ours to
   * reap and orphans may be adopted. A library inside somebody's program must not take that liberty.
   */
  constructor(libc: Libc, ownsProcess: boolean, logs = new JobLogFiles(libc)) {
    this.#libc = libc
    this.#brands = new Brands(libc)
    this.adoptsOrphans = ownsProcess && libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0
    // Some numbers have two names (SIGABRT is SIGIOT too): the first is the one people know.
    for (const [name, number] of Object.entries(constants.signals))
      if (!this.#signalNames.has(number)) this.#signalNames.set(number, name as NodeJS.Signals)
    if (this.adoptsOrphans) this.#listen()
    const inherited = ownsProcess
      ? inheritedDescriptors((descriptor) => this.#linkOf(descriptor), process.env['MAKEFLAGS'])
      : []
    this.#spawn = new PosixSpawn(libc, logs, inherited)
  }

  /** Not by Node's `resourceUsage`: V8 compiles that when it is first called, for more than the rest of this costs. */
  ownPeakBytes(): number {
    this.#libc.getrusage(RUSAGE_SELF, this.#usage)
    return readAccount(this.#usage).largestProcessBytes
  }

  get spawnsIntoCgroups(): boolean {
    return this.#spawn.knowsCgroups
  }

  hasStarted(pid: number): boolean {
    return this.#children.has(pid) || this.#isBeingStarted(pid)
  }

  brandOf(pid: number): number | null {
    return this.#brands.of(pid)
  }

  exit(code: number): never {
    process.emit('exit', code) // as Node would, for those who have something to save
    this.#libc._exit(code)
    return process.exit(code)
  }

  onOrphan(watcher: OrphanWatcher): void {
    this.#orphans = watcher
  }

  spawn(request: SpawnRequest, watcher: ChildWatcher): SpawnResult {
    this.#listen()
    const brand = this.#brandFor(request)
    const start = (): SpawnResult => this.#spawn.now(request)
    // Whoever another thread starts meanwhile would be born with it too.
    const isBornWith = brand !== undefined && this.#starting === 0
    const result = this.#branded(brand, isBornWith ? this.#brands.during(brand, start) : start())
    if (result.kind === 'started' && request.isCompanion !== true) this.startedEver += 1
    this.#keep(result, watcher)
    return result
  }

  spawnAside(
    request: SpawnRequest,
    watcher: ChildWatcher,
    told: (result: SpawnResult) => void,
  ): void {
    if (this.#starting >= mostAside || !this.#knowsWhoIsAdopted) {
      told(this.spawn(request, watcher))
      return
    }
    this.#listen()
    this.#starting += 1
    this.startedEver += 1
    const brand = this.#brandFor(request)
    this.#spawn.aside(request, (begun) => {
      const result = this.#branded(brand, begun)
      this.#starting -= 1
      this.#keep(result, watcher)
      told(result)
      // It may have ended before we knew that it had begun.
      this.#reap()
    })
  }

  /** Most commands start nothing: a program that opens this machine again and again would collect listeners. */
  #listen(): void {
    if (this.#listens) return
    this.#listens = true
    process.on('SIGCHLD', () => this.#reap())
  }

  #brandFor({ isBranded }: SpawnRequest): number | undefined {
    return isBranded === true && this.adoptsOrphans ? this.#brands.next() : undefined
  }

  #branded(brand: number | undefined, result: SpawnResult): SpawnResult {
    const isGiven =
      brand !== undefined && result.kind === 'started' && this.#brands.give(result.pid, brand)
    return isGiven ? { ...result, brand } : result
  }

  #keep(result: SpawnResult, watcher: ChildWatcher): void {
    if (result.kind !== 'started') return
    this.#children.set(result.pid, watcher)
    // Signal listeners do not keep the event loop alive; a job being waited for must.
    if (watcher.isHelper !== true) this.#stayAlive ??= setInterval(() => this.#reap(), 60_000)
  }

  get #isAwaiting(): boolean {
    for (const { isHelper } of this.#children.values()) if (isHelper !== true) return true
    return false
  }

  /** Orphans come to our first thread; who is started by another is its child. */
  get #knowsWhoIsAdopted(): boolean {
    this.#listsChildren ??= ownChildren() !== undefined
    return !this.adoptsOrphans || this.#listsChildren
  }

  #isBeingStarted(pid: number): boolean {
    return this.#starting > 0 && ownChildren()?.includes(pid) === false
  }

  #linkOf(descriptor: number): string | undefined {
    const length = this.#libc.readlink(`/proc/self/fd/${descriptor}`, this.#info, STRUCT_BYTES)
    return length < 0 ? undefined : this.#info.toString('latin1', 0, length)
  }

  /** Children end together more often than signals are delivered: look until there is none left. */
  #reap(): void {
    if (this.adoptsOrphans) {
      for (;;) {
        const pid = this.#endedChild(P_ALL, 0)
        if (pid <= 0) break
        const isJob = this.#children.has(pid)
        const adopted = isJob || this.#starting > 0 ? ownChildren() : undefined
        const isBeingStarted = !isJob && adopted?.includes(pid) === false
        // First the orphans: what is told of them after their job's end comes too late for its account.
        if (isJob || isBeingStarted) this.#reapOrphans(adopted)
        if (isBeingStarted) {
          this.#reapStarted()
          break
        }
        this.#reapOne(pid)
      }
    } else this.#reapStarted()
    if (!this.#isAwaiting) {
      clearInterval(this.#stayAlive)
      this.#stayAlive = undefined
    }
  }

  #reapStarted(): void {
    for (const pid of this.#children.keys())
      if (this.#endedChild(P_PID, pid) === pid) this.#reapOne(pid)
  }

  #reapOrphans(adopted: readonly number[] = []): void {
    for (const pid of adopted)
      if (!this.#children.has(pid) && this.#endedChild(P_PID, pid) === pid) this.#reapOne(pid)
  }

  #endedChild(idType: number, id: number): number {
    this.#info.fill(0)
    const failed = this.#libc.waitid(idType, id, this.#info, WEXITED | WNOHANG | WNOWAIT) !== 0
    return failed ? -1 : this.#info.readInt32LE(SI_PID_OFFSET)
  }

  #reapOne(pid: number): void {
    const watcher = this.#children.get(pid)
    if (watcher === undefined) this.#orphans?.ended(pid)
    else watcher.ended?.(pid)
    if (this.#libc.wait4(pid, this.#status, WNOHANG, this.#usage) !== pid) return
    const account = readAccount(this.#usage)
    if (watcher === undefined) {
      this.#orphans?.reaped(pid, account)
      return
    }
    this.#children.delete(pid)
    watcher.reaped(this.#readEnd(this.#status.readInt32LE(0), account))
  }

  #readEnd(status: number, account: KernelAccount): ChildEnd {
    const signalNumber = status & 0x7f
    return signalNumber === 0
      ? { exitCode: (status >> 8) & 0xff, signal: null, account }
      : { exitCode: null, signal: this.#signalNames.get(signalNumber) ?? 'SIGKILL', account }
  }
}

/** struct rusage: two timevals, then longs: maxrss (KB), three unused, minflt, majflt, nswap, … nvcsw, nivcsw. */
function readAccount(usage: Buffer): KernelAccount {
  const long = (index: number): number => Number(usage.readBigInt64LE(index * 8))
  return {
    source: 'wait4',
    userSeconds: long(0) + long(1) / 1e6,
    systemSeconds: long(2) + long(3) / 1e6,
    largestProcessBytes: long(4) * 1024,
    minorFaults: long(8),
    majorFaults: long(9),
    voluntarySwitches: long(16),
    involuntarySwitches: long(17),
  }
}
