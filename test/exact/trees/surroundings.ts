import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { workload } from '../../program.ts'

export interface Surroundings extends Disposable {
  running(): boolean
}

/** Processes that have nothing to do with any job, until disposed of. */
export async function idleStrangers(count: number): Promise<Surroundings> {
  const strangers = spawn(workload('idle-children'), [String(count), '600000', '/dev/null'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await new Promise((resolve) => strangers.stdout.once('data', resolve))
  // Its children end with the pipe that it holds.
  return {
    running: () => strangers.exitCode === null,
    [Symbol.dispose]: () => strangers.kill('SIGKILL'),
  }
}

/** More to do than there are cores, until disposed of. */
export function keepBusy(): Surroundings {
  const busy = Array.from({ length: availableParallelism() + 1 }, () =>
    spawn(workload('burn'), ['600000', '/dev/null'], { stdio: 'ignore' }),
  )
  return {
    running: () => busy.every(({ exitCode }) => exitCode === null),
    [Symbol.dispose]() {
      for (const process of busy) process.kill('SIGKILL')
    },
  }
}
