import { spawnSync } from 'node:child_process'
import { accessSync, constants, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { compile, programs, repository } from '../test/workloads/compile.ts'

/** What a command cost, seen from outside: CPU of it and of all that it waited for. */
export interface Cost {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  readonly maxRssBytes: number
}

export const entry = join(repository, 'bin/jobmeter.cjs')
export const program = (name: string): string => join(programs, name)

/** Compiles the C programs that benchmarks race against; without a compiler there is nothing to say. */
export function prepare(): void {
  const missing =
    compile(join(repository, 'test/workloads')) ?? compile(join(repository, 'bench/c'))
  if (missing === undefined) return
  console.error(missing)
  process.exit(1)
}

/** Runs a command to its end, its output thrown away. */
export function cost(
  command: readonly string[],
  report: string,
  env: Readonly<Record<string, string>>,
): Cost {
  const ended = spawnSync(program('measure'), [report, ...command], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // The path stays ours: peers may be anywhere on it.
    env: { ...env, PATH: process.env['PATH'] },
    encoding: 'utf8',
  })
  if (ended.status !== 0) throw new Error(`${command.join(' ')}: ${ended.status} ${ended.stderr}`)
  return JSON.parse(readFileSync(report, 'utf8')) as Cost
}

/** CPU time that C takes to read these files of all children of a process, whose descriptors it keeps. */
export function floorMicroseconds(
  { parentPid, children }: { readonly parentPid: number; readonly children: number },
  files: readonly string[],
  looks: number,
): number {
  const pids = readFileSync(`/proc/${parentPid}/task/${parentPid}/children`, 'utf8')
  const args = [String(looks), ...files]
  const ended = spawnSync(program('keep-fds'), args, { input: pids, encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(`keep-fds ended with ${ended.status}`)
  const answer = JSON.parse(ended.stdout) as { processes: number; microseconds: number }
  if (answer.processes !== children) throw new Error(`the floor saw ${answer.processes} processes`)
  return answer.microseconds
}

/** Where a command is on the path, if it is. */
export function findOnPath(name: string): string | undefined {
  const folders = (process.env['PATH'] ?? '').split(':')
  return folders.map((folder) => join(folder, name)).find(executable)
}

function executable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
