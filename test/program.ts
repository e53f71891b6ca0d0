import { spawn, spawnSync, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { chownSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { staleSource } from './stale-build.ts'
import { programs, repository } from './workloads/compile.ts'

/** The one place that starts the real program. Each sandbox has a ledger and a home of its own. */

export interface User {
  readonly name: string
  readonly uid?: number
  readonly gid?: number
  /** Sees no cgroups of v1, as on most machines of today. */
  readonly v2Alone?: true
}

export const ordinaryUser = { name: 'an ordinary user', uid: 65534, gid: 65534 }

/** Everyone the tests can be: root also becomes somebody without rights. */
export const users: readonly User[] =
  process.getuid?.() === 0 ? [{ name: 'root' }, ordinaryUser] : [{ name: 'an ordinary user' }]

/** In a mount namespace of our own, where only root can make one. */
const hideV1 =
  'umount -l /sys/fs/cgroup/*/ /sys/fs/cgroup; mount -t cgroup2 none /sys/fs/cgroup && exec "$@"'
const canHideV1 = spawnSync('unshare', ['-m', 'sh', '-c', hideV1, 'sh', 'true']).status === 0

/** The same on every kind of cgroups that this machine can show. */
export const usersByCgroups: readonly User[] =
  canHideV1 && existsSync('/sys/fs/cgroup/cpuacct')
    ? [...users, { name: 'root with cgroups of v2 alone', v2Alone: true }]
    : users

/** Set by `setup.ts` where other users cannot reach the checkout. */
const install = process.env['JOBMETER_TEST_INSTALL']
const node = install === undefined ? process.execPath : join(install, 'node')
const entry = join(install ?? repository, 'bin/jobmeter.cjs')

/** The real program, for tests that start it in ways of their own. */
export const programCommand: readonly string[] = [node, entry]

export const workload = (name: string): string =>
  join(install === undefined ? programs : programs.replace(repository, install), name)

export const workloadsMissing = !existsSync(workload('burn'))

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface StartOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  /** All of stdin; without it stdin stays open for `type`. */
  readonly input?: string
  /** After so long it is killed, and `ended` says SIGKILL. */
  readonly timeoutMs?: number
  /** A program that runs it, with its arguments: `unshare` and others. */
  readonly within?: readonly string[]
}

export interface Running {
  readonly pid: number
  readonly ended: Promise<Ended>
  /** Answers the output once it holds the text; rejects if the program ends without. */
  saw(text: string): Promise<string>
  type(text: string): void
  signal(name: NodeJS.Signals): void
}

/** What the tests read of a record of `job-history --format json`. */
export interface HistoryRecord {
  readonly task_id: string
  readonly name: string
  readonly status: string
  readonly returncode: number | null
  readonly signal: string | null
  readonly error: string | null
  readonly duration_seconds: number | null
  readonly requirements: { readonly cpus: number | null }
  readonly resource_usage: {
    readonly cpu_user_seconds: number | null
    readonly cpu_system_seconds: number | null
    readonly cpu_total_seconds: number | null
    readonly memory_peak_mb: number | null
  }
  readonly usage: Readonly<Record<string, number | null>>
  readonly basis: Readonly<Record<string, string>>
  readonly stragglers: readonly { readonly pid: number; readonly command: string }[]
}

export interface Sandbox extends Disposable {
  readonly directory: string
  readonly db: string
  /** What programs started here have for an environment. */
  readonly env: Readonly<Record<string, string>>
  path(name: string): string
  start(args: readonly string[], options?: StartOptions): Running
  jobmeter(args: readonly string[], options?: StartOptions): Promise<Ended>
  /** Runs a job and answers its record with how jobmeter ended. */
  run(
    args: readonly string[],
    options?: StartOptions,
  ): Promise<{ ended: Ended; record: HistoryRecord }>
  history(): Promise<HistoryRecord[]>
  /** When each sample of a job, or of the newest, was taken, in seconds since its start. */
  sampleTimes(job?: string): Promise<number[]>
  /** A command line of bash, with jobmeter in it as `$JOBMETER`. */
  shell(commandLine: string, options?: StartOptions): Promise<Ended>
  /** The same on a terminal of its own. */
  terminal(commandLine: string): Running
}

let isCurrent = false

/** A test of what was built before the last change would prove nothing. */
function requireCurrentBuild(): void {
  const stale = isCurrent ? undefined : staleSource(repository)
  if (stale !== undefined)
    throw new Error(
      `${stale} was changed since the program was built: run \`npm run build\` first (\`npm test\` does)`,
    )
  isCurrent = true
}

export function sandbox(user: User = { name: 'whoever runs the tests' }): Sandbox {
  requireCurrentBuild()
  const directory = mkdtempSync(join(tmpdir(), 'jobmeter-test-'))
  if (user.uid !== undefined) chownSync(directory, user.uid, user.gid ?? user.uid)
  const path = (name: string) => join(directory, name)
  const db = path('ledger.db')
  const env = environment(directory, db)
  const children: ChildProcessWithoutNullStreams[] = []
  const begin = (file: string, args: readonly string[], options: StartOptions = {}): Running => {
    const { uid, gid } = user
    const [program = file, ...words] = [
      ...(user.v2Alone ? ['unshare', '-m', 'sh', '-c', hideV1, 'sh'] : []),
      ...(options.within ?? []),
      file,
      ...args,
    ]
    // A session of its own: the terminal the tests were started from must not matter.
    const child = spawn(program, words, {
      cwd: options.cwd ?? directory,
      env: { ...env, ...options.env },
      detached: true,
      timeout: options.timeoutMs ?? 150_000,
      killSignal: 'SIGKILL',
      ...(uid === undefined ? {} : { uid, gid: gid ?? uid }),
    })
    children.push(child)
    if (options.input !== undefined) child.stdin.end(options.input)
    return follow(child)
  }
  const start: Sandbox['start'] = (args, options) => begin(node, [entry, ...args], options)
  const jobmeter: Sandbox['jobmeter'] = (args, options) =>
    start(args, { input: '', ...options }).ended
  const history = async (): Promise<HistoryRecord[]> => {
    const listed = await jobmeter(['job-history', '--all', '--limit', '100000', '--format', 'json'])
    if (listed.code !== 0) throw new Error(`job-history: ${describeEnd(listed)}`)
    return JSON.parse(listed.stdout) as HistoryRecord[]
  }
  const sampleTimes = async (job = 'last'): Promise<number[]> => {
    const exported = await jobmeter(['series', job, '--format', 'json'])
    if (exported.code !== 0) throw new Error(`series: ${describeEnd(exported)}`)
    const { samples } = JSON.parse(exported.stdout) as { samples: { elapsed_seconds: number }[] }
    return samples.map((sample) => sample.elapsed_seconds)
  }
  return {
    directory,
    db,
    env,
    path,
    start,
    jobmeter,
    history,
    sampleTimes,
    async run(args, options) {
      const ended = await jobmeter(['run', '--quiet', ...args], options)
      const record = (await history())[0]
      if (record === undefined) throw new Error(`no record was left: ${describeEnd(ended)}`)
      return { ended, record }
    },
    shell: (commandLine, options) =>
      begin('/bin/bash', ['-c', commandLine], {
        input: '',
        ...options,
        env: { JOBMETER: `${node} ${entry}`, ...options?.env },
      }).ended,
    terminal(commandLine) {
      const shell = { SHELL: '/bin/bash', JOBMETER: `${node} ${entry}`, PS1: '$ ', TERM: 'dumb' }
      return begin('script', ['-qefc', commandLine, '/dev/null'], { env: shell })
    },
    [Symbol.dispose]: () => {
      // One that a failed test left would go on for as long as it likes.
      for (const child of children)
        if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL')
      // A deliverer of alerts goes on in the background and may make a file while the others are being removed.
      rmSync(directory, { recursive: true, force: true, maxRetries: 20 })
    },
  }
}

function environment(directory: string, db: string): Record<string, string> {
  return {
    // Not the tests' own: folders on it may be private to whoever runs them.
    PATH: `${dirname(node)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: directory,
    XDG_STATE_HOME: join(directory, 'state'),
    XDG_CONFIG_HOME: join(directory, 'config'),
    XDG_CACHE_HOME: join(directory, 'cache'),
    XDG_RUNTIME_DIR: join(directory, 'runtime'),
    JOBMETER_DB: db,
    // Not the node's: agents of other tests would answer there.
    JOBMETER_AGENT_SOCKET: join(directory, 'agent.sock'),
    LANG: 'C.UTF-8',
  }
}

const heldPipesMs = 2000

function follow(child: ChildProcessWithoutNullStreams): Running {
  let stdout = ''
  let stderr = ''
  let over: Ended | undefined
  const waiting = new Set<() => void>()
  const look = () => {
    for (const check of waiting) check()
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    look()
  })
  // The job may end before it has read all of its input; that is its right.
  child.stdin.on('error', () => undefined)
  const ended = new Promise<Ended>((resolve, reject) => {
    const finish = (code: number | null, signal: NodeJS.Signals | null) => {
      over ??= { code, signal, stdout, stderr }
      resolve(over)
      look()
    }
    child.once('error', reject)
    child.once('close', finish)
    // A process that was left behind holds the pipes open; its output is not worth waiting for.
    child.once('exit', (code, signal) => {
      const giveUp = setTimeout(finish, heldPipesMs, code, signal)
      child.once('close', () => clearTimeout(giveUp))
    })
  })
  const saw: Running['saw'] = (text) =>
    new Promise((resolve, reject) => {
      const check = () => {
        const output = stdout + stderr
        if (output.includes(text)) resolve(output)
        else if (over !== undefined) reject(new Error(`no "${text}" from it: ${describeEnd(over)}`))
        else return
        waiting.delete(check)
      }
      waiting.add(check)
      check()
    })
  return {
    pid: child.pid ?? 0,
    ended,
    saw,
    type: (text) => child.stdin.write(text),
    signal: (name) => child.kill(name),
  }
}

const describeEnd = (end: Ended): string =>
  `code ${end.code}, signal ${end.signal}\nstdout: ${end.stdout}\nstderr: ${end.stderr}`

/** What a workload said of itself. */
export interface Truth {
  readonly cpuSeconds: number
  readonly memoryBytes: number
}

export const truth = (path: string): Truth => JSON.parse(readFileSync(path, 'utf8')) as Truth
