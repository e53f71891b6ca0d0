import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { installDebian } from './debian.ts'
import { freePort } from './free-port.ts'

/** A Slurm of the tests' own, with one node of 8 CPUs and 2 GPUs, and accounting. Only the tests of Slurm start it. */
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
  /** Waits until this holds, for 90 s at most. */
  until(what: string, holds: () => boolean): Promise<void>
  stop(): Promise<void>
}

const mostJobs = 100
/** Others on the machine may have jobs with small numbers, of another Slurm or of none; each Slurm of tests has its own. */
const firstJobId = 1_000_000 + (process.pid % 100_000) * mostJobs

/** Whether a number of a job is one of those that this Slurm gives. */
export const isOwnJob = (id: string): boolean =>
  Number(id) >= firstJobId && Number(id) < firstJobId + mostJobs

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

export interface SlurmSettings {
  /** Holds jobs to the memory that they asked for, and counts what they use itself. */
  readonly enforces?: true
}

export async function startSlurm(
  tracking: 'cgroup' | 'linuxproc',
  settings: SlurmSettings = {},
): Promise<Slurm> {
  // Short: the path of a socket has room for 107 bytes.
  const directory = mkdtempSync(join(tmpdir(), 'jm-slurm-'))
  chmodSync(directory, 0o755)
  const daemons: ChildProcess[] = []
  const conf = join(directory, 'slurm.conf')
  const env = { ...process.env, SLURM_CONF: conf, MYSQL_UNIX_PORT: `${directory}/db.sock` }
  const call = (command: string, ...words: readonly string[]): string => {
    const done = spawnSync(command, words, { env, timeout: 60_000, cwd: '/' })
    if (done.status !== 0) throw new Error(`${command} ${words.join(' ')}: ${String(done.stderr)}`)
    return String(done.stdout).trim()
  }
  const start = (command: string, ...words: readonly string[]): void => {
    daemons.push(spawn(command, words, { env, stdio: 'ignore', cwd: '/' }))
  }
  const answers = (command: string, ...words: readonly string[]) => {
    const done = spawnSync(command, words, { env, timeout: 20_000, cwd: '/' })
    return done.status === 0 ? String(done.stdout) : undefined
  }
  try {
    await configure(directory, tracking, settings)
    start('munged', '--foreground', '--force', ...mungeOptions(directory))
    call('mariadb-install-db', '--no-defaults', `--datadir=${directory}/db`, '--user=root')
    start('mariadbd', '--no-defaults', ...databaseOptions(directory))
    await until('the database', () => existsSync(`${directory}/db.sock`))
    start('slurmdbd', '-D')
    await until('slurmdbd', () => answers('sacctmgr', '-n', 'show', 'cluster') !== undefined)
    start('slurmctld', '-D', '-i')
    start('slurmd', '-D', '-N', hostname())
    // The controller adds its cluster by itself.
    await until('slurmctld', () => answers('sacctmgr', '-n', 'show', 'cluster') !== '')
    call('sacctmgr', '-i', 'add', 'account', account, 'Description=x', 'Organization=x')
    call('sacctmgr', '-i', 'add', 'user', user, `Account=${account}`)
    await until('slurmd', () => answers('sinfo', '-h', '-o', '%T')?.includes('idle') === true)
  } catch (error) {
    await stop(directory, daemons)
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
      const state = call('squeue', '-h', '-t', 'all', '-j', id, '-o', '%T')
      if (state === 'PENDING') answers('scontrol', 'update', `JobId=${id}`, 'StartTime=now')
      return state === 'RUNNING'
    },
    until,
    stop: () => stop(directory, daemons),
  }
}

/** Jobs of the partition \`urgent\` push out those of the other; a job of a minute may be ended after one. */
const enforcing = `JobAcctGatherType=jobacct_gather/cgroup
JobAcctGatherFrequency=task=1
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
OverTimeLimit=0`

const mungeOptions = (directory: string): string[] => [
  `--key-file=${directory}/munge.key`,
  `--socket=${directory}/m.sock`,
  `--pid-file=${directory}/munge.pid`,
  `--log-file=${directory}/munge.log`,
  `--seed-file=${directory}/munge.seed`,
]

const databaseOptions = (directory: string): string[] => [
  `--datadir=${directory}/db`,
  `--socket=${directory}/db.sock`,
  `--pid-file=${directory}/db.pid`,
  '--skip-networking',
  '--user=root',
  '--innodb-buffer-pool-size=16M',
  '--innodb-flush-log-at-trx-commit=0',
]

async function configure(
  directory: string,
  tracking: 'cgroup' | 'linuxproc',
  { enforces }: SlurmSettings,
): Promise<void> {
  for (const name of ['state', 'spool', 'db']) mkdirSync(join(directory, name))
  const write = (name: string, text: string): void =>
    writeFileSync(join(directory, name), text, { mode: 0o600 })
  writeFileSync(join(directory, 'munge.key'), randomBytes(1024), { mode: 0o600 })
  const [controller, node, accounting] = [await freePort(), await freePort(), await freePort()]
  write(
    'slurmdbd.conf',
    `AuthType=auth/munge
AuthInfo=socket=${directory}/m.sock
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=${accounting}
SlurmUser=root
PidFile=${directory}/dbd.pid
LogFile=${directory}/dbd.log
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
`,
  )
  write(
    'slurm.conf',
    `ClusterName=jobmeter
FirstJobId=${firstJobId}
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=${directory}/m.sock
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=${controller}
SlurmdPort=${node}
StateSaveLocation=${directory}/state
SlurmdSpoolDir=${directory}/spool
SlurmctldPidFile=${directory}/ctld.pid
SlurmdPidFile=${directory}/slurmd.pid
SlurmctldLogFile=${directory}/ctld.log
SlurmdLogFile=${directory}/slurmd.log
ProctrackType=proctrack/${tracking}
TaskPlugin=task/${enforces ? 'cgroup' : 'none'}
SwitchType=switch/none
${enforces ? enforcing : 'JobAcctGatherType=jobacct_gather/none'}
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
KillWait=1
GresTypes=gpu
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=${accounting}
AccountingStoragePass=${directory}/m.sock
AccountingStorageTRES=gres/gpu
NodeName=${hostname()} NodeAddr=127.0.0.1 CPUs=8 RealMemory=4000 Gres=gpu:2 State=UNKNOWN
PartitionName=main Nodes=${hostname()} Default=YES MaxTime=INFINITE State=UP${enforces ? ' PriorityTier=1' : ''}
${enforces ? `PartitionName=urgent Nodes=${hostname()} MaxTime=INFINITE State=UP PriorityTier=2` : ''}
`,
  )
  // Any two devices will do for what is only counted.
  write('gres.conf', 'Name=gpu File=/dev/zero\nName=gpu File=/dev/full\n')
  write(
    'cgroup.conf',
    `CgroupPlugin=cgroup/v1\nCgroupMountpoint=/sys/fs/cgroup\n${enforces ? 'ConstrainRAMSpace=yes\n' : ''}`,
  )
  chmodSync(join(directory, 'slurm.conf'), 0o644)
}

async function until(what: string, holds: () => boolean): Promise<void> {
  const last = Date.now() + 90_000
  while (!holds()) {
    if (Date.now() > last) throw new Error(`${what}: waited for 90 s`)
    await sleep(50)
  }
}

/** The last one that was started goes first. Those that run jobs are ended by their own pids too: slurmd does not take them along. */
async function stop(directory: string, daemons: readonly ChildProcess[]): Promise<void> {
  for (const daemon of daemons.toReversed()) {
    if (daemon.exitCode !== null || daemon.pid === undefined) continue
    const ended = new Promise((resolve) => daemon.on('exit', resolve))
    daemon.kill('SIGTERM')
    const given = setTimeout(() => daemon.kill('SIGKILL'), 5_000)
    await ended
    clearTimeout(given)
  }
  for (const pid of stepsOf(directory)) process.kill(pid, 'SIGKILL')
  rmSync(directory, { recursive: true, force: true })
}

/** slurmstepd has the configuration of its slurmd in its environment or its spool folder open. */
function stepsOf(directory: string): number[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const command = readFileSync(`/proc/${name}/comm`, 'utf8').trim()
      const environment = readFileSync(`/proc/${name}/environ`, 'latin1')
      return command === 'slurmstepd' && environment.includes(directory) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}
