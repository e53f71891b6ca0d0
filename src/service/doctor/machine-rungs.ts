import { JobCgroups } from '../../launch/job-cgroups.ts'
import type { Rung } from '../../model/doctor.ts'
import { openLedgerToWrite } from '../../record/open-ledger.ts'
import { CgroupSensor } from '../../sensors/cgroup/cgroup-sensor.ts'
import { StoreError } from '../../store/errors.ts'
import { isOnNetwork } from '../../store/network-disk.ts'
import type { System } from '../../system/system.ts'
import type { Environment } from '../config-path.ts'
import { gpuRungs } from './gpu-rungs.ts'
import { optionalRungs } from './optional-rungs.ts'

/** What can be measured of jobs on this machine, and by which means. */
export async function machineRungs(system: System, environment: Environment): Promise<Rung[]> {
  return [
    ...cgroupRungs(system),
    accountRung(system),
    orphanRung(system),
    fileRung(system, {
      name: 'process counters',
      path: '/proc/self/stat',
      good: 'CPU, memory, threads and page faults of every process, in steps of 10 ms',
      remedy: 'mount /proc',
    }),
    fileRung(system, {
      name: 'shared memory counted once',
      path: '/proc/self/smaps_rollup',
      good: 'proportional sizes, read when a job reaches a new high',
      remedy: 'needs Linux 4.14 or newer',
    }),
    fileRung(system, {
      name: 'I/O of processes',
      path: '/proc/self/io',
      good: 'bytes and calls of each of your processes',
      remedy: 'needs a kernel with task I/O accounting',
    }),
    delayRung(system),
    fileRung(system, {
      name: 'pressure of the machine',
      path: '/proc/pressure/cpu',
      good: 'how long tasks waited for CPU, memory and I/O',
      remedy: 'boot with psi=1',
    }),
    ...(await gpuRungs(system)),
    ...(await containerRungs(system, environment)),
    ...(await optionalRungs(system)),
  ]
}

function cgroupRungs(system: System): Rung[] {
  const made = new JobCgroups(system).make()
  if (made.kind !== 'ok')
    return [
      {
        name: 'a cgroup for each job',
        state: 'no',
        finding: made.kind === 'unavailable' ? made.why : made.error,
        remedy:
          'run as root, or in a delegated cgroup: systemd-run --user --scope -p Delegate=yes jobmeter run …',
      },
    ]
  const sensor = new CgroupSensor(system, made.value)
  const later = made.value.prepareLater()
  if (later !== null) sensor.join(later)
  const { basis } = sensor
  sensor.close()
  made.value.remove()
  return [
    rung(
      'a cgroup for each job: CPU',
      basis.cpu,
      'exact to the microsecond, no process can escape; in workflows only for jobs that ask for 30 s or more or have an enforced memory limit',
      null,
    ),
    rung(
      'a cgroup for each job: memory',
      basis.memory,
      'the kernel enforces --memory-limit',
      'enable the memory controller for this cgroup (cgroup.subtree_control); until then jobmeter enforces limits by watching',
    ),
    rung(
      'a cgroup for each job: pressure',
      basis.pressure,
      'what each job waited for',
      'boot with psi=1 on a machine with cgroup v2',
    ),
  ]
}

function rung(name: string, basis: string | null, gain: string, remedy: string | null): Rung {
  return basis === null
    ? { name, state: 'no', finding: 'this kernel or cgroup does not offer it', remedy }
    : { name, state: 'yes', finding: `${basis}: ${gain}`, remedy: null }
}

function accountRung(system: System): Rung {
  const { launcher, launcherLoss } = system.processes
  const name = "the kernel's accounting at exit"
  return launcher === 'posix_spawn'
    ? {
        name,
        state: 'yes',
        finding: 'posix_spawn and wait4: exact CPU of short jobs',
        remedy: null,
      }
    : {
        name,
        state: 'no',
        finding: launcherLoss ?? 'libc cannot be called',
        remedy: 'npm install koffi; until then short-lived processes may be missed',
      }
}

function orphanRung(system: System): Rung {
  const name = 'daemons and orphans'
  return system.processes.adoptsOrphans
    ? { name, state: 'yes', finding: 'come back to jobmeter when their parents end', remedy: null }
    : {
        name,
        state: 'partly',
        finding: 'followed only if they were seen before their parents ended',
        remedy: 'npm install koffi',
      }
}

interface FileCheck {
  readonly name: string
  readonly path: string
  readonly good: string
  readonly remedy: string
}

function fileRung(system: System, { name, path, good, remedy }: FileCheck): Rung {
  const read = system.files.readText(path)
  if (read.kind === 'ok') return { name, state: 'yes', finding: good, remedy: null }
  return { name, state: 'no', finding: read.kind === 'failed' ? read.error : read.why, remedy }
}

function delayRung(system: System): Rung {
  const name = 'time waited for storage'
  const setting = system.files.readText('/proc/sys/kernel/task_delayacct')
  return setting.kind === 'ok' && setting.value.trim() === '0'
    ? {
        name,
        state: 'no',
        finding: 'delay accounting is off',
        remedy: 'sysctl kernel.task_delayacct=1 (as root), before the job starts',
      }
    : { name, state: 'yes', finding: 'delay accounting of the kernel', remedy: null }
}

/** Each engine that jobs may use; what is not installed is no fault. */
async function containerRungs(system: System, environment: Environment): Promise<Rung[]> {
  const { engineFindings } = await import('../../launch/container/engine-findings.ts')
  const findings = await engineFindings(system.files, environment)
  return findings.map(({ what, finding, remedy }) => ({
    name: `containers: ${what}`,
    state: remedy === null ? 'yes' : 'no',
    finding,
    remedy,
  }))
}

/** Whether records can be written there. */
export function ledgerRung(system: System, path: string): Rung {
  try {
    openLedgerToWrite(system, path).close()
    const shared = isOnNetwork(path)
      ? ', on a disk shared with other machines: runs write to its spool, and commands that read the ledger import it'
      : ''
    return { name: 'ledger', state: 'yes', finding: `${path}${shared}`, remedy: null }
  } catch (error) {
    if (!(error instanceof StoreError)) throw error
    return {
      name: 'ledger',
      state: 'no',
      finding: error.message,
      remedy: 'name another file with --db or JOBMETER_DB',
    }
  }
}
