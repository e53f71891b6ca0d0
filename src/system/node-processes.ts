import type { ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { ChildrenAccount } from './children-account.ts'
import { missingFolder, notFoundOrDenied } from './command-search.ts'
import { textOrBytes } from './exact-text.ts'
import {
  onSignal,
  ownCpuSeconds,
  ownPeakBytes,
  ownThreadCpuSeconds,
  processExists,
  sendSignal,
} from './own-process.ts'
import { openOwnLog } from './own-log.ts'
import type { ChildWatcher, Processes, SpawnRequest, SpawnResult } from './system.ts'

/** Processes by Node alone, where libc cannot be called: a coarse kernel accounting at exit, no adopted orphans. */
export class NodeProcesses implements Processes {
  readonly self = process.pid
  readonly launcher = 'child_process'
  readonly adoptsOrphans = false
  readonly spawnsIntoCgroups = false
  readonly ownCpuSeconds = ownCpuSeconds
  readonly ownThreadCpuSeconds = ownThreadCpuSeconds
  readonly ownPeakBytes = ownPeakBytes
  readonly signal = sendSignal
  readonly exists = processExists
  readonly onSignal = onSignal
  readonly launcherLoss: string
  startedEver = 0
  readonly #children = new Set<number>()
  readonly #account = new ChildrenAccount()

  constructor(launcherLoss: string) {
    this.launcherLoss = launcherLoss
  }

  hasStarted(pid: number): boolean {
    return this.#children.has(pid)
  }

  /** Nobody comes to us who would have to be told from others. */
  brandOf(): null {
    return null
  }

  exit(code: number): never {
    return process.exit(code)
  }

  /** Orphans go to init: nobody will ever call. */
  onOrphan(): void {}

  spawnAside(
    request: SpawnRequest,
    watcher: ChildWatcher,
    told: (result: SpawnResult) => void,
  ): void {
    told(this.spawn(request, watcher))
  }

  spawn(request: SpawnRequest, watcher: ChildWatcher): SpawnResult {
    const missing = missingFolder(request)
    if (missing !== undefined) return missing
    const [file = '', ...args] = request.command
    const lost = firstLost(request)
    if (lost !== undefined)
      return {
        kind: 'not-started',
        errorCode: 'EILSEQ',
        message: `${lost.toWellFormed()} is not UTF-8, and cannot be passed on without FFI: ${this.launcherLoss}`,
      }
    const opened: number[] = []
    const open = (path: string | undefined, by: (path: string) => number): number | 'inherit' => {
      if (path === undefined) return 'inherit'
      const descriptor = by(path)
      opened.push(descriptor)
      return descriptor
    }
    const toRead = (path: string): number => openSync(textOrBytes(path), 'r')
    const toAppend = (path: string): number => openSync(textOrBytes(path), 'a', 0o600)
    const toLog = request.ownLogs === true ? openOwnLog : toAppend
    this.#account.starting()
    let child: ChildProcess
    try {
      // Loaded here and not at the top: it costs 1.3 ms, which only this fallback needs.
      const { spawn } = process.getBuiltinModule('node:child_process')
      child = spawn(file, args, {
        cwd: request.workingDirectory,
        env: { ...request.environment },
        stdio: [
          open(request.stdin, toRead),
          open(request.stdout, toLog),
          open(request.stderr, toLog),
        ],
        detached: request.group === 'own',
      })
    } catch (error) {
      this.#account.notStarted()
      const { code, message } = error as NodeJS.ErrnoException
      return { kind: 'not-started', errorCode: code ?? 'EINVAL', message }
    } finally {
      for (const descriptor of opened) closeSync(descriptor)
    }
    if (child.pid === undefined) {
      this.#account.notStarted()
      child.once('error', () => {}) // an 'error' without a listener would end the program
      // Node tells why by a later event; the caller is to know now.
      return notFoundOrDenied(file, request.environment['PATH'], request.workingDirectory)
    }
    const { pid } = child
    this.#children.add(pid)
    if (request.isCompanion !== true) this.startedEver += 1
    child.once('exit', (exitCode, signal) => {
      this.#children.delete(pid)
      watcher.reaped({ exitCode, signal, account: this.#account.ended() })
    })
    return { kind: 'started', pid }
  }
}

/** Node passes on nothing but UTF-8, and would put U+FFFD for the rest: the job would open another file. */
function firstLost({ command, environment, workingDirectory }: SpawnRequest): string | undefined {
  const word = [...command, workingDirectory].find((text) => !text.isWellFormed())
  if (word !== undefined) return word
  const variable = Object.entries(environment).find(
    ([name, value]) => !`${name}=${value ?? ''}`.isWellFormed(),
  )
  return variable && `the variable ${variable[0]}`
}
