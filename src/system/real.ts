import { kernelBootSeconds } from './boot-clock.ts'
import { expectManyJobs, expectToWait } from './engine.ts'
import { fileLock } from './file-lock.ts'
import { libcFiles } from './libc-files.ts'
import { loadLibc } from './libc.ts'
import { nvmlDoor } from './nvml-door.ts'
import { NodeProcesses } from './node-processes.ts'
import { PosixProcesses } from './posix-processes.ts'
import { randomId } from './random-id.ts'
import { realClock } from './real-clock.ts'
import { realFiles } from './real-files.ts'
import { realHost } from './real-host.ts'
import { realOutput } from './real-output.ts'
import type { System } from './system.ts'

interface Situation {
  /**
   * Nothing else in this process starts children, which allows jobmeter to adopt and reap every descendant; the command
   * line can say so, a library's host may not.
   */
  readonly ownsProcess: boolean
  /** All that this process does is to wait, and to look at one job now and then. */
  readonly mostlyWaits?: boolean
}

/** This machine. */
export function realSystem({ ownsProcess, mostlyWaits = false }: Situation): System {
  const libc = loadLibc()
  if (mostlyWaits && libc.kind === 'ok') expectToWait(libc.value)
  const processes =
    libc.kind === 'ok'
      ? new PosixProcesses(libc.value, ownsProcess)
      : new NodeProcesses(libc.kind === 'unavailable' ? libc.why : libc.error)
  return {
    clock:
      libc.kind === 'ok' ? { ...realClock, bootSeconds: kernelBootSeconds(libc.value) } : realClock,
    files:
      libc.kind === 'ok'
        ? { ...realFiles, ...libcFiles(libc.value), tryLock: fileLock(libc.value) }
        : realFiles,
    output: realOutput,
    nvml: nvmlDoor,
    randomId,
    expectManyJobs() {
      if (ownsProcess && libc.kind === 'ok') expectManyJobs(libc.value)
    },
    host: realHost(libc.kind === 'ok' ? libc.value : undefined),
    processes,
    async startHelper(program) {
      const { startHelper } = await import('./helper-line.ts')
      return startHelper(processes, program)
    },
    async toolOutput(command, place) {
      const { toolOutput } = await import('./tool-output.ts')
      return toolOutput(processes, command, place)
    },
  }
}
