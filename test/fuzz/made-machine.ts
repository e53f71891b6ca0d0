import { fakeSystem, type FakeSystem } from '../../src/system/fake.ts'
import type { Files, KernelAccount } from '../../src/system/system.ts'

/** The counters that a process hands to the parent that waits for it. */
interface Tally {
  userTicks: number
  systemTicks: number
  minorFaults: number
  majorFaults: number
  ioBytes: number
}

const nothing = (): Tally => ({
  userTicks: 0,
  systemTicks: 0,
  minorFaults: 0,
  majorFaults: 0,
  ioBytes: 0,
})

function add(to: Tally, from: Tally): void {
  to.userTicks += from.userTicks
  to.systemTicks += from.systemTicks
  to.minorFaults += from.minorFaults
  to.majorFaults += from.majorFaults
  to.ioBytes += from.ioBytes
}

const SIGPIPE = 1 << 12
const SIGCHLD = 1 << 16

/** A made-up process. Change its fields, and its files change. */
export class MadeProcess {
  readonly pid: number
  readonly startTicks: number
  parentPid: number
  groupId: number
  sessionId = 7
  state: 'S' | 'Z' | 'gone' = 'S'
  threads = 1
  residentBytes = 4 * 2 ** 20
  /** Its share of the pages it maps; without one, the process maps nothing that others do. */
  proportionalBytes: number | undefined
  highWaterBytes = 0
  swapBytes = 0
  environment = ''
  uid = 1000
  /** It said that it will not wait for its children: the kernel then tells nobody what they used. */
  ignoresChildren = false
  /** /proc/PID/io and smaps_rollup belong to somebody else. */
  isPrivate = false
  /** The kernel was built to count how often a thread gets a CPU. */
  isScheduleKept = true
  /** Processes that it started, for which it needs a CPU. */
  started = 0
  #slices = 1
  #story = ''
  readonly own = nothing()
  readonly waitedFor = nothing()

  constructor(pid: number, parentPid: number, startTicks: number) {
    this.pid = pid
    this.parentPid = parentPid
    this.groupId = pid
    this.startTicks = startTicks
    this.own.minorFaults = 80
  }

  /** Uses CPU, faults and I/O; a fault for each tick, for no process gets by without. */
  work(userTicks: number, systemTicks = 0, ioBytes = 0): void {
    this.own.userTicks += userTicks
    this.own.systemTicks += systemTicks
    this.own.minorFaults += userTicks + systemTicks
    this.own.ioBytes += ioBytes
  }

  total(): Tally {
    const total = nothing()
    add(total, this.own)
    add(total, this.waitedFor)
    return total
  }

  stat(): string {
    const { own, waitedFor: other } = this
    const resident = this.state === 'Z' ? 0 : this.residentBytes / 4096
    const ignoredSignals = this.ignoresChildren ? SIGPIPE | SIGCHLD : SIGPIPE
    const caughtSignals = this.ignoresChildren ? 0 : SIGCHLD
    return (
      `${this.pid} (job (x) ${this.pid}) ${this.state} ${this.parentPid} ${this.groupId} ${this.sessionId} 0 -1 4194560 ` +
      `${own.minorFaults} ${other.minorFaults} ${own.majorFaults} ${other.majorFaults} ` +
      `${own.userTicks} ${own.systemTicks} ${other.userTicks} ${other.systemTicks} ` +
      `20 0 ${this.threads} 0 ${this.startTicks} 99999744 ${resident} 18446744073709551615 ` +
      `1 1 0 0 0 0 0 ${ignoredSignals} ${caughtSignals} 1 0 0 17 1 0 0 0 0 0 0 0 0 0 0 0 0 0\n`
    )
  }

  io(): string {
    // The kernel adds a waited-for child's I/O to its parent's in one number.
    const bytes = this.own.ioBytes + this.waitedFor.ioBytes
    return (
      `rchar: ${bytes}\nwchar: ${bytes}\nsyscr: ${bytes}\nsyscw: ${bytes}\n` +
      `read_bytes: ${bytes}\nwrite_bytes: ${bytes}\ncancelled_write_bytes: 0\n`
    )
  }

  status(): string {
    const head = `Name:\tjob\nState:\t${this.state}\nPid:\t${this.pid}\nPPid:\t${this.parentPid}\n`
    if (this.state === 'Z') return `${head}Threads:\t1\n`
    const highWater = Math.max(this.highWaterBytes, this.residentBytes)
    return (
      `${head}Uid:${`\t${this.uid}`.repeat(4)}\nVmHWM:\t${highWater / 1024} kB\n` +
      `VmRSS:\t${this.residentBytes / 1024} kB\nVmSwap:\t${this.swapBytes / 1024} kB\n` +
      `Threads:\t${this.threads}\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t5\n`
    )
  }

  /** Whatever it does, it needs a CPU for; to be given another parent it needs none. */
  schedstat(): string {
    const files = this.stat().replace(/\) (.) \d+/, ') $1') + this.io() + this.status()
    const story = `${files}${this.started}`
    if (story.replace(/PPid:.*/, '') !== this.#story) this.#slices += 1
    this.#story = story.replace(/PPid:.*/, '')
    return `${this.#slices * 1000} 0 ${this.#slices}\n`
  }

  rollup(): string {
    const share = this.proportionalBytes ?? this.residentBytes
    return (
      '55d0-7ffe ---p 00000000 00:00 0                          [rollup]\n' +
      `Rss:            ${this.residentBytes / 1024} kB\nPss:            ${share / 1024} kB\n` +
      'Swap:                  0 kB\nSwapPss:               0 kB\n'
    )
  }
}

/** The machine's own totals. */
export const machineMemoryBytes = 16 * 2 ** 30
export const machineSwapBytes = 2 ** 30

/**
 * A machine on which processes start, work, end, wait for each other, lose their parents and ignore
 * their children as the kernel has it. jobmeter itself is pid 1 on it and adopts orphans.
 */
export class MadeMachine {
  readonly system: FakeSystem
  readonly processes = new Map<number, MadeProcess>()
  /** How often each file was read, by its path. */
  readonly reads = new Map<string, number>()
  diskBytes = 1_000_000
  /** CPU time that jobmeter itself has used on it. */
  ownCpuSeconds = 0
  /** Whether the kernel was built to list children. */
  listsChildren = true
  /** The newest pid, as the kernel tells it. */
  lastPid = 1000
  #started = 0
  readonly #garbled = new Map<string, (honest: string) => string>()
  readonly #afterReading = new Map<string, () => void>()
  #onRead: (path: string) => void = () => {}

  constructor(host: Parameters<typeof fakeSystem>[0] = {}) {
    const fake = fakeSystem(host)
    const garble = (path: string, honest: string) => {
      const change = this.#garbled.get(path)
      this.#garbled.delete(path)
      return change?.(honest)
    }
    const files = tellReads(fake.files, (path) => this.#wasRead(path), garble)
    const ownCpuSeconds = () => this.ownCpuSeconds
    const processes = { ...fake.processes, ownCpuSeconds, ownThreadCpuSeconds: ownCpuSeconds }
    this.system = { ...fake, files, processes }
    const contents: Record<string, () => string> = {
      '/proc/loadavg': () => `0.42 0.31 0.15 1/200 ${this.lastPid}\n`,
      '/proc/stat': () => this.#machineStat(),
      '/proc/meminfo': () =>
        `MemTotal: ${machineMemoryBytes / 1024} kB\nMemFree: 1000000 kB\nMemAvailable: 8388608 kB\n` +
        `SwapTotal: ${machineSwapBytes / 1024} kB\nSwapFree: ${machineSwapBytes / 1024} kB\n`,
      '/proc/diskstats': () =>
        ` 254 0 vda 10 0 ${this.diskBytes / 512} 5 10 0 ${this.diskBytes / 512} 5 0 10 10\n`,
      '/proc/net/dev': () =>
        'Inter-|   Receive                            |  Transmit\n' +
        ' face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed\n' +
        '    lo: 900 9 0 0 0 0 0 0 900 9 0 0 0 0 0 0\n  eth0: 5000 50 0 0 0 0 0 0 7000 70 0 0 0 0 0 0\n',
    }
    for (const [path, content] of Object.entries(contents)) this.system.tree.set(path, content)
    this.system.tree.set('/proc/1/task/1/children', () => this.#childrenOf(1))
    this.system.tree.set('/proc/1/stat', new MadeProcess(1, 0, 1).stat())
  }

  /** Starts a process; with a pid of its own choice it takes the place of one that is gone. */
  start(parentPid = 1, pid = this.lastPid + 1): MadeProcess {
    if (pid > this.lastPid) this.lastPid = pid
    // No two have the same start time here: between two of one pid, all other pids are used.
    this.#started += 1
    const ticks = Math.round(this.system.clock.monotonicSeconds() * 100)
    const made = new MadeProcess(pid, parentPid, 5000 + ticks + this.#started)
    this.processes.set(pid, made)
    const parent = this.processes.get(parentPid)
    if (parent !== undefined) parent.started += 1
    const file = (name: string, content: () => string | undefined) =>
      this.system.tree.set(`/proc/${pid}/${name}`, () =>
        made.state === 'gone' ? undefined : content(),
      )
    file('stat', () => made.stat())
    file('io', () => (made.isPrivate ? undefined : made.io()))
    file('status', () => made.status())
    file('smaps_rollup', () => (made.isPrivate || made.state === 'Z' ? undefined : made.rollup()))
    file('schedstat', () => (made.isScheduleKept ? made.schedstat() : undefined))
    file('environ', () => made.environment)
    file(`task/${pid}/children`, () => this.#childrenOf(pid))
    return made
  }

  /** Ends a process. It stays as a zombie until its parent waits, unless nobody will. */
  exit(process: MadeProcess): void {
    process.state = 'Z'
    for (const child of this.processes.values()) {
      if (child.parentPid !== process.pid || child.state === 'gone') continue
      child.parentPid = 1
    }
    if (this.processes.get(process.parentPid)?.ignoresChildren === true) process.state = 'gone'
  }

  /** The parent waits for a dead child, whose counters become its own. */
  wait(process: MadeProcess): void {
    const parent = this.processes.get(process.parentPid)
    if (parent !== undefined) add(parent.waitedFor, process.total())
    process.state = 'gone'
  }

  /** We wait for an adopted process that has ended. */
  reapOrphan(process: MadeProcess): void {
    process.state = 'Z'
    this.system.endOrphan(process.pid, accountOf(process))
    process.state = 'gone'
  }

  /** Has something happen just after a file was read for the next time. */
  onceAfterReading(path: string, callback: () => void): void {
    this.#afterReading.set(path, callback)
  }

  /** Has every read of the files of that name keep us busy for so long. */
  slowDown(name: string, seconds: number): { spentSeconds(): number } {
    let spentSeconds = 0
    this.#onRead = (path) => {
      if (!path.endsWith(`/${name}`)) return
      spentSeconds += seconds
      this.ownCpuSeconds += seconds
      this.system.advance(seconds)
    }
    return { spentSeconds: () => spentSeconds }
  }

  /** Has the next read of a kept descriptor, or of the file, find something else. */
  garbleOnce(path: string, garble: (honest: string) => string): void {
    this.#garbled.set(path, garble)
  }

  /** Nothing more happens by itself. */
  calmDown(): void {
    this.#afterReading.clear()
  }

  readsOf(name: string): number {
    let count = 0
    for (const [path, times] of this.reads) if (path.endsWith(`/${name}`)) count += times
    return count
  }

  #wasRead(path: string): void {
    this.reads.set(path, (this.reads.get(path) ?? 0) + 1)
    this.#onRead(path)
    const callback = this.#afterReading.get(path)
    this.#afterReading.delete(path)
    callback?.()
  }

  #childrenOf(pid: number): string | undefined {
    if (!this.listsChildren) return undefined
    const children = [...this.processes.values()].filter(
      ({ parentPid, state }) => parentPid === pid && state !== 'gone',
    )
    return children.map((child) => `${child.pid} `).join('')
  }

  #machineStat(): string {
    let busy = 100_000
    for (const { own } of this.processes.values()) busy += own.userTicks + own.systemTicks
    const all = Math.round(this.system.clock.monotonicSeconds() * 800) + 900_000
    return `cpu  ${busy} 0 0 ${Math.max(0, all - busy)} 1000 0 0 0 0 0\nprocesses 5000\nbtime 1700000000\n`
  }
}

/** What `wait4` would tell of it. */
export function accountOf(process: MadeProcess): KernelAccount {
  const total = process.total()
  return {
    source: 'wait4',
    userSeconds: total.userTicks / 100,
    systemSeconds: total.systemTicks / 100,
    largestProcessBytes: 0,
    minorFaults: total.minorFaults,
    majorFaults: total.majorFaults,
    voluntarySwitches: 3,
    involuntarySwitches: 2,
  }
}

/** Files that tell the path of each one just after it was read, and that may be garbled. */
function tellReads(
  files: Files,
  wasRead: (path: string) => void,
  garble: (path: string, honest: string) => string | undefined,
): Files {
  const paths = new Map<number, string>()
  return {
    ...files,
    open(path) {
      const descriptor = files.open(path)
      if (descriptor >= 0) paths.set(descriptor, path)
      return descriptor
    },
    read(descriptor, into) {
      const length = files.read(descriptor, into)
      const path = paths.get(descriptor)
      if (length < 0 || path === undefined) return length
      const garbled = garble(path, new TextDecoder().decode(into.subarray(0, length)))
      wasRead(path)
      return garbled === undefined ? length : new TextEncoder().encodeInto(garbled, into).written
    },
  }
}
