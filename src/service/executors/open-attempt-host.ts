import type { JobCgroups } from '../../launch/job-cgroups.ts'
import type { Meter } from '../../meter/meter.ts'
import { ourselves } from '../../record/owner.ts'
import { readHierarchy } from '../../sensors/cgroup/hierarchy.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import { LocalExecutor } from '../../workflow/executors/local-executor.ts'
import { AttemptHost } from '../../workflow/executors/remote/attempt-host.ts'
import { machineOf } from '../capacity.ts'

interface HostMachine {
  readonly system: System
  readonly meter: Meter
  readonly cgroups: JobCgroups
}

/** Runs attempts that were ordered elsewhere on this machine, in our name. Their jobs write marks into this directory. */
export function openAttemptHost(machine: HostMachine, marksDirectory: string): AttemptHost {
  const { system, meter } = machine
  const environment = givenEnvironment()
  const us = ourselves(system)
  return new AttemptHost({
    system,
    meter,
    executor: new LocalExecutor(machine, { us, marksDirectory, onLeftoversKilled: () => {} }),
    us,
    machine: machineOf(system, meter),
    environment,
    memoryKills: () => memoryKills(system),
    site: slurmNames(environment),
  })
}

/** As the cgroup that we are in counts them, which Slurm has made for the job. */
function memoryKills({ files }: System): number {
  const found = readHierarchy(files)
  if (found.kind !== 'ok') return NaN
  const v1 = found.value.v1.get('memory')?.directory
  const v2 = found.value.v2?.directory
  const path = v1 === undefined ? `${v2}/memory.events` : `${v1}/memory.oom_control`
  const text = files.readText(path)
  return text.kind === 'ok' ? Number(/^oom_kill (\d+)$/m.exec(text.value)?.[1]) : NaN
}

/** What Slurm calls the job that we run in, where we do. */
function slurmNames(environment: Readonly<Record<string, string | undefined>>) {
  const names = ['SLURM_JOB_ID', 'SLURM_RESTART_COUNT', 'SLURMD_NODENAME']
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
}
