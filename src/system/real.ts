import { fileLock } from './file-lock.ts'
import { loadLibc } from './libc.ts'
import { NodeProcesses } from './node-processes.ts'
import { PosixProcesses } from './posix-processes.ts'
import { randomId } from './random-id.ts'
import { realClock } from './real-clock.ts'
import { realFiles } from './real-files.ts'
import { realHost } from './real-host.ts'
import { realOutput } from './real-output.ts'
import type { System } from './system.ts'

/**
 * This machine. `ownsProcess` says that nothing else in this process starts children, which allows
 * jobmeter to adopt and reap every descendant; the command line does, a library's host may not.
 */
export function realSystem({ ownsProcess }: { ownsProcess: boolean }): System {
  const libc = loadLibc()
  return {
    clock: realClock,
    files: libc.kind === 'ok' ? { ...realFiles, tryLock: fileLock(libc.value) } : realFiles,
    output: realOutput,
    randomId,
    host: realHost(libc.kind === 'ok' ? libc.value : undefined),
    processes:
      libc.kind === 'ok'
        ? new PosixProcesses(libc.value, ownsProcess)
        : new NodeProcesses(libc.kind === 'unavailable' ? libc.why : libc.error),
  }
}
