import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { programCommand } from '../program.ts'

/** A real worker, with a ledger of its own in this directory. */
export function startWorker(
  address: string,
  directory: string,
  ...options: readonly string[]
): ChildProcess & { readonly hasEnded: Promise<number | null> } {
  const [program = '', ...rest] = programCommand
  const ledger = ['--ledger', join(directory, 'ledger.db')]
  const worker = spawn(program, [...rest, 'worker', ...ledger, ...options], {
    env: { ...process.env, JOBMETER_TEAM: address, HOME: directory },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const hasEnded = new Promise<number | null>((resolve) => worker.on('exit', resolve))
  return Object.assign(worker, { hasEnded })
}
