import { closeSync, constants as files, existsSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { findCommand, missingFolder, notFoundOrDenied } from './command-search.ts'
import { errnoName } from './errno-name.ts'
import { textOrBytes } from './exact-text.ts'
import { givenEnvironment } from './given.ts'
import { inheritedDescriptors } from './inherited.ts'
import { JobLogFiles, jointLogs, type JobLog } from './job-logs.ts'
import { cString, type CString, type Libc } from './libc.ts'
import {
  onSignal,
  ownChildren,
  ownCpuSeconds,
  ownPeakBytes,
  ownThreadCpuSeconds,
  processExists,
  sendSignal,
} from './own-process.ts'
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
const POSIX_SPAWN_SETPGROUP = 0x02
const POSIX_SPAWN_SETSIGDEF = 0x04
const POSIX_SPAWN_SETCGROUP = 0x100
const P_ALL = 0
const P_PID = 1
const WNOHANG = 1
const WEXITED = 4
const WNOWAIT = 0x01000000
const SI_PID_OFFSET = 16
/** Larger than glibc's and musl's posix_spawnattr_t (336), file_actions_t (80), sigset_t, siginfo_t and rusage. */
const STRUCT_BYTES = 512

/** Processes by libc: `posix_spawn` to start, `wait4` for the kernel's account of what each one used. */
export class PosixProcesses implements Processes {
  readonly self = process.pid
  readonly launcher = 'posix_spawn'
  readonly launcherLoss = null
  readonly adoptsOrphans: boolean
  startedEver = 0
  readonly ownCpuSeconds = ownCpuSeconds
  readonly ownThreadCpuSeconds = ownThreadCpuSeconds
  readonly ownPeakBytes = ownPeakBytes
  readonly signal = sendSignal
  readonly exists = processExists
  readonly onSignal = onSignal

  readonly #libc: Libc
  readonly #logs: JobLogFiles
  readonly #children = new Map<number, ChildWatcher>()
  #orphans: OrphanWatcher | undefined
  #setCgroup: ReturnType<Libc['bindSetCgroup']> | null
  #stayAlive: NodeJS.Timeout | undefined
  readonly #info = Buffer.alloc(STRUCT_BYTES)
  readonly #status = Buffer.alloc(8)
  readonly #usage = Buffer.alloc(STRUCT_BYTES)
  readonly #signalNames = new Map<number, NodeJS.Signals>()
  /** For jobs that share our standard streams: in all things they are as if started without us. */
  readonly #inherited: readonly number[]

  /**
   * `ownsProcess`: no other code of this process starts children, so any child that ends is ours to
   * reap and orphans may be adopted. A library inside somebody's program must not take that liberty.
   */
  constructor(libc: Libc, ownsProcess: boolean, logs = new JobLogFiles(libc)) {
    this.#libc = libc
    this.#logs = logs
    this.adoptsOrphans = ownsProcess && libc.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) === 0
    // Some numbers have two names (SIGABRT is SIGIOT too): the first is the one people know.
    for (const [name, number] of Object.entries(constants.signals))
      if (!this.#signalNames.has(number)) this.#signalNames.set(number, name as NodeJS.Signals)
    process.on('SIGCHLD', () => this.#reap())
    this.#inherited = ownsProcess
      ? inheritedDescriptors((descriptor) => this.#linkOf(descriptor), process.env['MAKEFLAGS'])
      : []
  }

  get spawnsIntoCgroups(): boolean {
    this.#setCgroup ??= this.#libc.bindSetCgroup() ?? null
    return this.#setCgroup !== null
  }

  hasStarted(pid: number): boolean {
    return this.#children.has(pid)
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
    const first = this.#posixSpawn(request)
    const result =
      first.kind === 'not-started' && first.errorCode === 'ENOEXEC'
        ? // A script without a #! line: every shell runs it with sh.
          this.#posixSpawn({ ...request, command: ['/bin/sh', ...withPath(request.command)] })
        : first
    if (result.kind === 'started') {
      this.#children.set(result.pid, watcher)
      this.startedEver += 1
      // Signal listeners do not keep the event loop alive; a job being waited for must.
      this.#stayAlive ??= setInterval(() => this.#reap(), 60_000)
    }
    return result
  }

  #posixSpawn(request: SpawnRequest): SpawnResult {
    const logs: JobLog[] = []
    let pid: number | undefined
    try {
      if (request.ownLogs === true)
        for (const path of [request.stdout, request.stderr])
          if (path !== undefined) logs.push(this.#logs.open(path))
      const result = this.#spawnWith(request, logs)
      if (result.kind !== 'started') return result
      pid = result.pid
      return logs.length === 0 ? result : { ...result, logs: jointLogs(logs) }
    } catch (error) {
      const { code = 'EIO', message } = error as NodeJS.ErrnoException
      return (
        missingFolder(request) ?? {
          kind: 'not-started',
          errorCode: code,
          message,
        }
      )
    } finally {
      for (const log of logs) log.handedOver()
      if (pid === undefined) for (const log of logs) log.end()
    }
  }

  /** `logs`: what is open already for standard output and error. */
  #spawnWith(request: SpawnRequest, logs: readonly JobLog[]): SpawnResult {
    const libc = this.#libc
    const [file = ''] = request.command
    const pid = Buffer.alloc(4)
    const actions = Buffer.alloc(STRUCT_BYTES)
    const attributes = Buffer.alloc(STRUCT_BYTES)
    libc.posix_spawn_file_actions_init(actions)
    libc.posix_spawnattr_init(attributes)
    const cgroup = request.cgroup === undefined ? -1 : openSync(request.cgroup, 'r')
    const errno =
      this.#prepare(request, logs, actions, attributes, cgroup) ||
      libc.posix_spawnp(
        pid,
        cString(file),
        actions,
        attributes,
        [...request.command.map(cString), null],
        environmentStrings(request.environment),
      )
    libc.posix_spawn_file_actions_destroy(actions)
    libc.posix_spawnattr_destroy(attributes)
    if (cgroup >= 0) closeSync(cgroup)
    if (errno === 0) return { kind: 'started', pid: pid.readInt32LE(0) }
    if (!existsSync(textOrBytes(request.workingDirectory)))
      return {
        kind: 'not-started',
        errorCode: 'ENOENT',
        message: `${request.workingDirectory.toWellFormed()}: the working directory is not there`,
      }
    const missing = errno === constants.errno.ENOENT ? missingFolder(request) : undefined
    if (missing !== undefined) return missing
    return errno === constants.errno.EACCES
      ? notFoundOrDenied(file, givenEnvironment()['PATH'])
      : notStarted(errno, file)
  }

  #prepare(
    request: SpawnRequest,
    logs: readonly JobLog[],
    actions: Buffer,
    attributes: Buffer,
    cgroup: number,
  ): number {
    const libc = this.#libc
    const signals = Buffer.alloc(STRUCT_BYTES)
    libc.sigemptyset(signals)
    // Node ignores these two, and an ignored signal stays ignored across exec: `yes | head` would never end.
    libc.sigaddset(signals, constants.signals.SIGPIPE)
    libc.sigaddset(signals, constants.signals.SIGXFSZ)
    libc.posix_spawnattr_setsigdefault(attributes, signals)
    let flags = POSIX_SPAWN_SETSIGDEF
    if (request.group === 'own') {
      flags |= POSIX_SPAWN_SETPGROUP
      libc.posix_spawnattr_setpgroup(attributes, 0)
    }
    if (cgroup >= 0) {
      flags |= POSIX_SPAWN_SETCGROUP
      this.#setCgroup?.(attributes, cgroup)
    }
    libc.posix_spawnattr_setflags(attributes, flags)
    return this.#prepareFiles(request, logs, actions)
  }

  #prepareFiles(request: SpawnRequest, logs: readonly JobLog[], actions: Buffer): number {
    const libc = this.#libc
    const { O_APPEND, O_CREAT, O_RDONLY, O_WRONLY } = files
    const paths = [request.stdin, request.stdout, request.stderr]
    for (const [descriptor, path] of paths.entries()) {
      const flags = descriptor === 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_APPEND
      const log = descriptor === 0 ? undefined : logs.find((each) => each.path === path)
      const errno =
        path === undefined || log?.isOpenedAnew === false
          ? // Node marks its own standard streams to be closed on exec; this keeps them open for the child.
            libc.posix_spawn_file_actions_adddup2(
              actions,
              log?.descriptor ?? descriptor,
              descriptor,
            )
          : libc.posix_spawn_file_actions_addopen(
              actions,
              descriptor,
              log === undefined ? cString(path) : `/proc/self/fd/${log.descriptor}`,
              log === undefined ? flags : flags & ~O_CREAT,
              0o600,
            )
      if (errno !== 0) return errno
    }
    if (request.stdout === undefined)
      for (const descriptor of this.#inherited)
        libc.posix_spawn_file_actions_adddup2(actions, descriptor, descriptor)
    return libc.posix_spawn_file_actions_addchdir_np(actions, cString(request.workingDirectory))
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
        // First the orphans: what is told of them after their job's end comes too late for its account.
        if (this.#children.has(pid)) this.#reapOrphans()
        this.#reapOne(pid)
      }
    } else {
      for (const pid of this.#children.keys())
        if (this.#endedChild(P_PID, pid) === pid) this.#reapOne(pid)
    }
    if (this.#children.size === 0) {
      clearInterval(this.#stayAlive)
      this.#stayAlive = undefined
    }
  }

  #reapOrphans(): void {
    for (const pid of ownChildren())
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

/** sh takes a bare name for a file in the working directory: it must be told where the script is. */
function withPath([file = '', ...rest]: readonly string[]): string[] {
  return [findCommand(file, givenEnvironment()['PATH']) ?? file, ...rest]
}

function environmentStrings(environment: SpawnRequest['environment']): (CString | null)[] {
  const strings: (CString | null)[] = []
  for (const [name, value] of Object.entries(environment))
    if (value !== undefined) strings.push(cString(`${name}=${value}`))
  strings.push(null)
  return strings
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

function notStarted(errno: number, file: string): SpawnResult {
  const errorCode = errnoName(errno)
  return {
    kind: 'not-started',
    errorCode,
    message: `${file.toWellFormed()}: ${reasons[errorCode] ?? errorCode}`,
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'command not found',
  ENOTDIR: 'not a directory on the way to it',
  ENOEXEC: 'not a program this machine can run',
  E2BIG: 'the arguments and environment are too long',
  EAGAIN: 'too many processes',
  ENOMEM: 'not enough memory to start it',
}
