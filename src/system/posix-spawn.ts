import { closeSync, constants as files, existsSync, openSync } from 'node:fs'
import { constants } from 'node:os'
import { findCommand, missingFolder, notFound, notFoundOrDenied } from './command-search.ts'
import { errnoName } from './errno-name.ts'
import { textOrBytes } from './exact-text.ts'
import { givenEnvironment } from './given.ts'
import { jointLogs, type JobLog, type JobLogFiles } from './job-logs.ts'
import { cString, type CString, type Libc, type SpawnArguments } from './libc.ts'
import type { NotStarted, SpawnRequest, SpawnResult } from './system.ts'

const POSIX_SPAWN_SETPGROUP = 0x02
const POSIX_SPAWN_SETSIGDEF = 0x04
const POSIX_SPAWN_SETCGROUP = 0x100
/** Larger than glibc's and musl's posix_spawnattr_t (336), file_actions_t (80) and sigset_t. */
const STRUCT_BYTES = 512
/** Node ignores these two, and an ignored signal stays ignored across exec: `yes | head` would never end. */
const ignoredByNode = signalSet([constants.signals.SIGPIPE, constants.signals.SIGXFSZ])
const shell = '/bin/sh'

/** Starts programs by `posix_spawn`, which returns when the program has begun or has turned out not to be one. */
export class PosixSpawn {
  readonly #libc: Libc
  readonly #logs: JobLogFiles
  /** For jobs that share our standard streams: in all things they are as if started without us. */
  readonly #inherited: readonly number[]
  #setCgroup: ReturnType<Libc['bindSetCgroup']> | null

  constructor(libc: Libc, logs: JobLogFiles, inherited: readonly number[]) {
    this.#libc = libc
    this.#logs = logs
    this.#inherited = inherited
  }

  get knowsCgroups(): boolean {
    this.#setCgroup ??= this.#libc.bindSetCgroup() ?? null
    return this.#setCgroup !== null
  }

  now(request: SpawnRequest): SpawnResult {
    return this.#orByShell(request, this.#nowAsGiven(request))
  }

  /** On another thread; `told` is called in a later turn of ours, or at once where it cannot even be tried. */
  aside(request: SpawnRequest, told: (result: SpawnResult) => void): void {
    const start = this.#prepare(request)
    if (start.kind === 'not-started') told(start)
    else
      this.#libc.posix_spawnp_aside(start.call, (errno) =>
        told(this.#orByShell(request, start.end(errno))),
      )
  }

  #nowAsGiven(request: SpawnRequest): SpawnResult {
    const start = this.#prepare(request)
    return start.kind === 'not-started' ? start : start.end(this.#libc.posix_spawnp(...start.call))
  }

  /** A script without a #! line: every shell runs it with sh. */
  #orByShell(request: SpawnRequest, result: SpawnResult): SpawnResult {
    return result.kind === 'not-started' && result.errorCode === 'ENOEXEC'
      ? this.#nowAsGiven({ ...request, command: [shell, ...withPath(request.command)] })
      : result
  }

  #prepare(request: SpawnRequest): PreparedStart | NotStarted {
    const logs: JobLog[] = []
    let cgroup = -1
    try {
      if (request.ownLogs === true)
        for (const path of [request.stdout, request.stderr])
          if (path !== undefined) logs.push(this.#logs.open(path))
      if (request.cgroup !== undefined) cgroup = openSync(request.cgroup, 'r')
    } catch (error) {
      handOver(logs, false)
      const { code = 'EIO', message } = error as NodeJS.ErrnoException
      return missingFolder(request) ?? { kind: 'not-started', errorCode: code, message }
    }
    return this.#prepareCall(request, logs, cgroup)
  }

  /** `logs`: what is open already for standard output and error. */
  #prepareCall(
    request: SpawnRequest,
    logs: readonly JobLog[],
    cgroup: number,
  ): PreparedStart | NotStarted {
    const libc = this.#libc
    const pid = Buffer.alloc(4)
    const actions = Buffer.alloc(STRUCT_BYTES)
    const attributes = Buffer.alloc(STRUCT_BYTES)
    libc.posix_spawn_file_actions_init(actions)
    libc.posix_spawnattr_init(attributes)
    this.#setAttributes(request, attributes, cgroup)
    const wrong = this.#setFiles(request, logs, actions)
    const call: SpawnArguments = [
      pid,
      cString(request.command[0] ?? ''),
      actions,
      attributes,
      [...request.command.map(cString), null],
      environmentStrings(request.environment),
    ]
    const letGo = (isStarted: boolean): void => {
      libc.posix_spawn_file_actions_destroy(actions)
      libc.posix_spawnattr_destroy(attributes)
      if (cgroup >= 0) closeSync(cgroup)
      handOver(logs, isStarted)
    }
    const end = (errno: number): SpawnResult => {
      letGo(errno === 0)
      if (errno !== 0) return whyNotStarted(request, errno)
      const started = { kind: 'started', pid: pid.readInt32LE(0) } as const
      return logs.length === 0 ? started : { ...started, logs: jointLogs(logs) }
    }
    if (wrong === 0) return { kind: 'prepared', call, end }
    letGo(false)
    return whyNotStarted(request, wrong)
  }

  #setAttributes(request: SpawnRequest, attributes: Buffer, cgroup: number): void {
    const libc = this.#libc
    libc.posix_spawnattr_setsigdefault(attributes, ignoredByNode)
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
  }

  /** Answers why that cannot be; 0 where it can. */
  #setFiles(request: SpawnRequest, logs: readonly JobLog[], actions: Buffer): number {
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
}

/** A sigset_t: Linux numbers signals from 1, and has a bit for each. */
function signalSet(signals: readonly number[]): Buffer {
  const set = Buffer.alloc(STRUCT_BYTES)
  for (const signal of signals) {
    const byte = (signal - 1) >> 3
    set.writeUInt8(set.readUInt8(byte) | (1 << ((signal - 1) & 7)), byte)
  }
  return set
}

interface PreparedStart {
  readonly kind: 'prepared'
  readonly call: SpawnArguments
  /** To be called with what came of it. */
  end(errno: number): SpawnResult
}

function handOver(logs: readonly JobLog[], isStarted: boolean): void {
  for (const log of logs) {
    log.handedOver()
    if (!isStarted) log.end()
  }
}

/** sh takes a bare name for a file in the working directory: it must be told where the script is. */
function withPath([file = '', ...rest]: readonly string[]): string[] {
  return [findCommand(file, givenEnvironment()['PATH']) ?? file, ...rest]
}

/** What was last passed on of each variable: of thousands of jobs, nearly all have nearly the same environment. */
const passedOn = new Map<string, { readonly value: string; readonly text: CString }>()

function environmentStrings(environment: SpawnRequest['environment']): (CString | null)[] {
  const strings: (CString | null)[] = []
  for (const name in environment) {
    const value = environment[name]
    if (value === undefined) continue
    let last = passedOn.get(name)
    if (last?.value !== value) {
      last = { value, text: cString(`${name}=${value}`) }
      passedOn.set(name, last)
    }
    strings.push(last.text)
  }
  strings.push(null)
  return strings
}

function whyNotStarted(request: SpawnRequest, errno: number): NotStarted {
  const [file = ''] = request.command
  if (!existsSync(textOrBytes(request.workingDirectory)))
    return {
      kind: 'not-started',
      errorCode: 'ENOENT',
      message: `${request.workingDirectory.toWellFormed()}: the working directory does not exist`,
    }
  const missing = errno === constants.errno.ENOENT ? missingFolder(request) : undefined
  if (missing !== undefined) return missing
  if (errno === constants.errno.EACCES)
    return notFoundOrDenied(file, givenEnvironment()['PATH'], request.workingDirectory)
  const errorCode = errnoName(errno)
  return {
    kind: 'not-started',
    errorCode,
    message:
      errno === constants.errno.ENOENT
        ? notFound(file, request.workingDirectory)
        : `${file.toWellFormed()}: ${reasons[errorCode] ?? errorCode}`,
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOTDIR: 'part of its path is not a directory',
  ENOEXEC: 'not a program this machine can run',
  E2BIG: 'the arguments and environment are too long',
  EAGAIN: 'too many processes',
  ENOMEM: 'not enough memory to start it',
}
