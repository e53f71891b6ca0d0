import { closeSync, openSync } from 'node:fs'
import { missingFolder, notFoundOrDenied } from './command-search.ts'
import {
  onSignal,
  ownCpuSeconds,
  ownPeakBytes,
  ownThreadCpuSeconds,
  processExists,
  sendSignal,
} from './own-process.ts'
import type { ChildWatcher, Processes, SpawnRequest, SpawnResult } from './system.ts'

/** Processes by Node alone, where libc cannot be called: no kernel account at exit, no adopted orphans. */
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

  constructor(launcherLoss: string) {
    this.launcherLoss = launcherLoss
  }

  exit(code: number): never {
    return process.exit(code)
  }

  /** Orphans go to init: nobody will ever call. */
  onOrphan(): void {}

  spawn(request: SpawnRequest, watcher: ChildWatcher): SpawnResult {
    const missing = missingFolder(request)
    if (missing !== undefined) return missing
    const [file = '', ...args] = request.command
    const output = (path: string | undefined): number | 'inherit' =>
      path === undefined ? 'inherit' : openSync(path, 'a', 0o600)
    const stdin: number | 'inherit' =
      request.stdin === undefined ? 'inherit' : openSync(request.stdin, 'r')
    const stdout = output(request.stdout)
    const stderr = output(request.stderr)
    // Loaded here and not at the top: it costs 1.3 ms, which only this fallback needs.
    const { spawn } = process.getBuiltinModule('node:child_process')
    const child = spawn(file, args, {
      cwd: request.workingDirectory,
      env: { ...request.environment },
      stdio: [stdin, stdout, stderr],
      detached: request.group === 'own',
    })
    for (const descriptor of [stdin, stdout, stderr])
      if (descriptor !== 'inherit') closeSync(descriptor)
    if (child.pid === undefined) {
      child.once('error', () => {}) // an 'error' without a listener would end the program
      // Node tells why by a later event; the caller is to know now.
      return notFoundOrDenied(file, request.environment['PATH'])
    }
    child.once('exit', (exitCode, signal) => watcher.reaped({ exitCode, signal, account: null }))
    return { kind: 'started', pid: child.pid }
  }
}
