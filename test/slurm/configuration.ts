import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { randomBytes } from 'node:crypto'
import { freePort } from '../free-port.ts'

export interface SlurmSettings {
  /** Holds jobs to the memory that they asked for, and counts what they use itself. */
  readonly enforces?: true
  /** Besides the node that has the name of this host: partitions with others on it, by name. */
  readonly partitions?: Readonly<Record<string, readonly string[]>>
}

const mostJobs = 100
/** Others on the machine may have jobs with small numbers, of another Slurm or of none; each Slurm of tests has its own. */
const firstJobId = 1_000_000 + (process.pid % 100_000) * mostJobs

/** Whether a number of a job is one of those that this Slurm gives. */
export const isOwnJob = (id: string): boolean =>
  Number(id) >= firstJobId && Number(id) < firstJobId + mostJobs

export const clusterName = 'jobmeter'

/** How many CPUs the nodes say that they have. */
const nodeCpus = { here: 16, elsewhere: 4 } as const

/** Jobs of the partition `urgent` push out those of the other; a job of a minute may be ended after one. */
const enforcing = `JobAcctGatherType=jobacct_gather/cgroup
JobAcctGatherFrequency=task=1
PreemptType=preempt/partition_prio
PreemptMode=CANCEL
OverTimeLimit=0`

/** Writes all that the daemons read, into a folder of their own. */
export async function configure(
  directory: string,
  tracking: 'cgroup' | 'linuxproc',
  { enforces, partitions = {} }: SlurmSettings,
): Promise<void> {
  const others = Object.values(partitions).flat()
  for (const name of ['state', 'spool']) mkdirSync(join(directory, name))
  const write = (name: string, text: string): void =>
    writeFileSync(join(directory, name), text, { mode: 0o600 })
  writeFileSync(join(directory, 'munge.key'), randomBytes(1024), { mode: 0o600 })
  const [controller, accounting] = [await freePort(), await freePort()]
  const ports = await Promise.all(['', ...others].map(() => freePort()))
  const nodes = [hostname(), ...others].map((name, index) => {
    const cpus = index === 0 ? nodeCpus.here : nodeCpus.elsewhere
    const address = `NodeHostname=${hostname()} NodeAddr=127.0.0.1 Port=${ports[index]}`
    return `NodeName=${name} ${address} CPUs=${cpus} RealMemory=64000 TmpDisk=1000 Gres=gpu:2 Features=skylake State=UNKNOWN`
  })
  const partition = (name: string, members: readonly string[], more: string): string =>
    `PartitionName=${name} Nodes=${members.join(',')} MaxTime=INFINITE State=UP ${more}`
  write('slurmdbd.conf', accountingConf(directory, accounting))
  write(
    'slurm.conf',
    `ClusterName=${clusterName}
FirstJobId=${firstJobId}
SlurmctldHost=${hostname()}(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
AuthInfo=socket=${directory}/m.sock
CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
SlurmctldPort=${controller}
StateSaveLocation=${directory}/state
SlurmdSpoolDir=${directory}/spool/%n
SlurmctldPidFile=${directory}/ctld.pid
SlurmdPidFile=${directory}/%n.pid
SlurmctldLogFile=${directory}/ctld.log
SlurmdLogFile=${directory}/%n.log
ProctrackType=proctrack/${tracking}
TaskPlugin=task/${enforces ? 'cgroup' : 'none'}
SwitchType=switch/none
${enforces ? enforcing : 'JobAcctGatherType=jobacct_gather/none'}
MpiDefault=none
MailProg=/bin/true
ReturnToService=2
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU_Memory
DefMemPerCPU=100
SlurmdParameters=config_overrides
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
KillWait=1
GresTypes=gpu
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=127.0.0.1
AccountingStoragePort=${accounting}
AccountingStoragePass=${directory}/m.sock
AccountingStorageTRES=gres/gpu
${nodes.join('\n')}
${partition('main', [hostname()], `Default=YES${enforces ? ' PriorityTier=1' : ''}`)}
${enforces ? partition('urgent', [hostname()], 'PriorityTier=2') : ''}
${Object.entries(partitions)
  .map(([name, members]) => partition(name, members, ''))
  .join('\n')}
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

const accountingConf = (directory: string, port: number | undefined): string =>
  `AuthType=auth/munge
AuthInfo=socket=${directory}/m.sock
DbdHost=localhost
DbdAddr=127.0.0.1
DbdPort=${port}
SlurmUser=root
PidFile=${directory}/dbd.pid
LogFile=${directory}/dbd.log
StorageType=accounting_storage/mysql
StorageHost=localhost
StorageUser=root
`
