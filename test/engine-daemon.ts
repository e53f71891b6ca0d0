import { execFile, spawn, spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, openSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

/** Less than a hook may take. On a busy machine, several daemons that start at once take half a minute each. */
const daemonSeconds = 100
/** A daemon takes a client's connection long before it can answer. */
const questionMs = 20_000
/** How long it may take to end what it runs. */
const endSeconds = 30

interface DaemonStart {
  /** All that it keeps is below it, and goes with it. Its processes are known by it. */
  readonly directory: string
  readonly daemon: readonly [program: string, ...args: string[]]
  readonly environment: NodeJS.ProcessEnv
  /** A command that succeeds once the daemon answers. */
  readonly question: readonly [program: string, ...args: string[]]
  readonly questionEnvironment: NodeJS.ProcessEnv
}

export interface Daemon {
  /** Ends it with all that it has started, and removes what it kept. */
  end(): Promise<void>
}

/** Returns when it answers. Where it never does, nothing of it is left, and the error has the end of its log. */
export async function startDaemon(start: DaemonStart): Promise<Daemon> {
  const { directory } = start
  const [program, ...args] = start.daemon
  mkdirSync(directory, { recursive: true })
  const logPath = `${directory}/log`
  // A file: nobody reads a pipe while a test waits for a client, and a daemon that cannot write its log stands still.
  const log = openSync(logPath, 'a')
  const started = spawn(program, args, { stdio: ['ignore', log, log], env: start.environment })
  closeSync(log)
  const state = { hasEnded: false }
  const ended = new Promise<void>((resolve) => {
    const end = () => {
      state.hasEnded = true
      resolve()
    }
    started.on('exit', end)
    started.on('error', end)
  })
  const end = async (): Promise<void> => {
    started.kill('SIGTERM')
    await Promise.race([ended, pause(endSeconds * 1000, undefined, { ref: false })])
    started.kill('SIGKILL')
    for (const pid of processesOf(directory)) process.kill(pid, 'SIGKILL')
    await ended
    removeWithMounts(directory)
  }
  const why = await whySilent(start, ended, state)
  if (why === undefined) return { end }
  const told = readFileSync(logPath, 'utf8').slice(-5000)
  await end()
  throw new Error(`${program} did not start (${why}): ${told}`)
}

/** Asks until it answers, it has ended or the time is over; undefined where it answers. */
async function whySilent(
  { question, questionEnvironment: env }: DaemonStart,
  ended: Promise<void>,
  state: { readonly hasEnded: boolean },
): Promise<string | undefined> {
  const until = Date.now() + daemonSeconds * 1000
  const [client, ...words] = question
  const stopped = new AbortController()
  void ended.then(() => stopped.abort())
  const options = { env, timeout: questionMs, signal: stopped.signal }
  for (;;) {
    // Not spawnSync: meanwhile nobody would see that the daemon has ended.
    const why = await new Promise<string | undefined>((resolve) =>
      execFile(client, words, options, (error, _, text) =>
        resolve(error === null ? undefined : `${error.message} ${text}`.trim()),
      ),
    )
    if (why === undefined) return undefined
    if (state.hasEnded) return 'it has ended'
    if (Date.now() > until) return `after ${daemonSeconds} s: ${why}`
    await pause(100)
  }
}

/** Those that have the directory among their words: what a killed daemon would leave. */
function processesOf(directory: string): readonly number[] {
  return readdirSync('/proc')
    .map(Number)
    .filter((pid) => pid > 0 && pid !== process.pid && wordsOf(pid).includes(`${directory}/`))
}

function wordsOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return ''
  }
}

/** What a daemon mounted for itself goes with it, but for what a killed one would leave. */
function removeWithMounts(directory: string): void {
  const mounts = readFileSync('/proc/mounts', 'utf8').split('\n')
  for (const mount of mounts.map((line) => line.split(' ')[1] ?? ''))
    if (mount.startsWith(`${directory}/`)) spawnSync('umount', ['-l', mount])
  rmSync(directory, { recursive: true, force: true })
}
