import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { installDebian } from '../debian.ts'
import { databaseOptions, keepAccounting, takeAccounting } from './accounting.ts'
import { clusterName, configure, type SlurmSettings } from './configuration.ts'

/** A Slurm of the tests' own, with accounting, and a node of many CPUs and 2 GPUs that has the name of this host. Only the tests of Slurm start it. */
export interface Slurm {
  readonly conf: string
  /** Runs one of its commands; answers its output, and throws if it fails. */
  call(command: string, ...words: readonly string[]): string
  /** Submits a job as an ordinary user, and answers its id. */
  submit(...words: readonly string[]): string
  /**
   * Whether a requeued job runs. One that waits is told to start now, or it would wait for two minutes; and is told each
   * time, because Slurm sets that wait only once the first run's end is reported, which may be after it is told.
   */
  startsAgain(id: string): boolean
  /** A node dies, and the controller is told so: by itself it would find out after five minutes. */
  loseNode(name: string): Promise<void>
  /** Waits until this holds, for 90 s at most. */
  until(what: string, holds: () => boolean): Promise<void>
  stop(): Promise<void>
}

const account = 'physics'
const user = 'nobody'

/** Why there can be none on this machine; undefined where there can. On CI that is a failure. */
export function whyNoSlurm(): string | undefined {
  const has = (program: string) => () => spawnSync('which', [program]).status === 0
  const missing =
    (process.getuid?.() === 0 ? undefined : 'only root can start slurmd') ??
    installDebian('slurmctld', has('slurmctld'), 'slurm-wlm', 'munge') ??
    installDebian('slurmdbd', has('slurmdbd'), 'slurmdbd') ??
    installDebian('mariadbd', has('mariadbd'), 'mariadb-server')
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing)
  return missing
}

export async function startSlurm(
  tracking: 'cgroup' | 'linuxproc',
  settings: SlurmSettings = {},
): Promise<Slurm> {
  // Short: the path of a socket has room for 107 bytes.
  const directory = mkdtempSync(join(tmpdir(), 'jm-slurm-'))
  chmodSync(directory, 0o755)
  const conf = join(directory, 'slurm.conf')
  const env = { ...process.env, SLURM_CONF: conf, MYSQL_UNIX_PORT: `${directory}/db.sock` }
  const call = (command: string, ...words: readonly string[]): string => {
    const done = spawnSync(command, words, { env, timeout: 60_000, cwd: '/' })
    if (done.status !== 0) throw new Error(`${command} ${words.join(' ')}: ${String(done.stderr)}`)
    return String(done.stdout).trim()
  }
  const answers = (command: string, ...words: readonly string[]) => {
    const done = spawnSync(command, words, { env, timeout: 20_000, cwd: '/' })
    return done.status === 0 ? String(done.stdout) : undefined
  }
  const nodes = [hostname(), ...Object.values(settings.partitions ?? {}).flat()]
  const daemons = new Map<string, ChildProcess>()
  const start = (name: string, ...command: readonly [string, ...string[]]): void => {
    const [program, ...words] = command
    daemons.set(name, spawn(program, words, { env, stdio: 'ignore', cwd: '/' }))
  }
  const end = async (name: string, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> => {
    const daemon = daemons.get(name)
    daemons.delete(name)
    if (daemon !== undefined) await endProcess(daemon, signal)
  }
  const stop = async (): Promise<void> => {
    // What they would write down is thrown away with the folder; slurmd still has to end its jobs.
    await Promise.all(nodes.map((name) => end(name)))
    await Promise.all([...daemons.keys()].map((name) => end(name, 'SIGKILL')))
    await until('the jobs to end', () => endLeft(directory) === 0)
    rmSync(directory, { recursive: true, force: true })
  }
  const startAccounting = async (): Promise<void> => {
    start('mariadbd', 'mariadbd', '--no-defaults', ...databaseOptions(directory))
    await until('the database', () => existsSync(`${directory}/db.sock`))
    start('slurmdbd', 'slurmdbd', '-D')
    await until('slurmdbd', () => answers('sacctmgr', '-n', 'show', 'cluster') !== undefined)
  }
  const makeAccounting = async (): Promise<void> => {
    call('mariadb-install-db', '--no-defaults', `--datadir=${directory}/db`, '--user=root')
    await startAccounting()
    call('sacctmgr', '-i', 'add', 'cluster', clusterName)
    call('sacctmgr', '-i', 'add', 'account', account, 'Description=x', 'Organization=x')
    call('sacctmgr', '-i', 'add', 'user', user, `Account=${account}`)
    await end('slurmdbd')
    await end('mariadbd')
    keepAccounting(`${directory}/db`)
  }
  try {
    await configure(directory, tracking, settings)
    start('munged', 'munged', '--foreground', '--force', ...mungeOptions(directory))
    if (!takeAccounting(`${directory}/db`)) await makeAccounting()
    await startAccounting()
    start('slurmctld', 'slurmctld', '-D', '-i')
    for (const name of nodes) start(name, 'slurmd', '-D', '-N', name)
    await until('slurmd', () => /^(idle\n)+$/.test(answers('sinfo', '-hN', '-o', '%T') ?? ''))
  } catch (error) {
    await stop()
    throw error
  }
  return {
    conf,
    call,
    submit: (...words) =>
      call(
        'sbatch',
        '--parsable',
        `--uid=${user}`,
        '-A',
        account,
        '-D',
        '/',
        '-o',
        '/dev/null',
        ...words,
      ),
    startsAgain: (id) => {
      const state = call('squeue', '-h', '-t', 'all', '-j', id, '-o', '%T %r')
      // Asked for only where it helps: the controller puts scheduling off while it has requests to answer.
      if (state === 'PENDING BeginTime')
        answers('scontrol', 'update', `JobId=${id}`, 'StartTime=now')
      return state.startsWith('RUNNING')
    },
    loseNode: async (name) => {
      await end(name, 'SIGKILL')
      call('scontrol', 'update', `NodeName=${name}`, 'State=DOWN', 'Reason=lost')
    },
    until,
    stop,
  }
}

const mungeOptions = (directory: string): string[] => [
  `--key-file=${directory}/munge.key`,
  `--socket=${directory}/m.sock`,
  `--pid-file=${directory}/munge.pid`,
  `--log-file=${directory}/munge.log`,
  `--seed-file=${directory}/munge.seed`,
]

async function until(what: string, holds: () => boolean): Promise<void> {
  const last = Date.now() + 90_000
  while (!holds()) {
    if (Date.now() > last) throw new Error(`${what}: waited for 90 s`)
    await sleep(50)
  }
}

async function endProcess(daemon: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return
  const ended = new Promise((resolve) => daemon.on('exit', resolve))
  daemon.kill(signal)
  const given = setTimeout(() => daemon.kill('SIGKILL'), 5_000)
  await ended
  clearTimeout(given)
}

/**
 * Ends what slurmd leaves behind: its slurmstepd, and processes of jobs, of which those that lead groups of their own
 * outlive it. All of them have the configuration in their environment. Answers how many there were.
 */
function endLeft(directory: string): number {
  const left = leftOf(directory)
  for (const pid of left) kill(pid)
  return left.length
}

function leftOf(directory: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const command = readFileSync(`/proc/${name}/comm`, 'utf8').trim()
      const environment = `\0${readFileSync(`/proc/${name}/environ`, 'latin1')}`
      const isOurs = environment.includes(`${directory}/`)
      const isOfJob = command === 'slurmstepd' || environment.includes('\0SLURM_JOB_ID=')
      return isOurs && isOfJob ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended by itself.
  }
}
