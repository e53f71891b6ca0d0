import type { Meter } from '../../meter/meter.ts'
import { givenEnvironment } from '../../system/given.ts'
import type { System } from '../../system/system.ts'
import type { AttemptHost } from '../../workflow/executors/remote/attempt-host.ts'
import { Worker } from '../../workflow/executors/slurm/worker.ts'
import { capacityOf } from '../capacity.ts'

interface WorkerMachine {
  readonly system: System
  readonly meter: Meter
  readonly host: AttemptHost
}

interface WorkerRequest {
  readonly scheduler: string | null
  readonly idleSeconds: number | null
  readonly maxParallelJobs: number | undefined
}

/** A worker with what Slurm has given us of this node. */
export function openWorker(
  { system, meter, host }: WorkerMachine,
  directory: string,
  { scheduler, idleSeconds, maxParallelJobs }: WorkerRequest,
): Worker {
  const environment = givenEnvironment()
  const told = (name: string): number | undefined => {
    const value = Number(environment[name])
    return Number.isFinite(value) && value > 0 ? value : undefined
  }
  const cpus = told('SLURM_CPUS_ON_NODE')
  const mebibytes = told('SLURM_MEM_PER_NODE') ?? (told('SLURM_MEM_PER_CPU') ?? NaN) * (cpus ?? NaN)
  const memoryBytes = Number.isNaN(mebibytes) ? undefined : mebibytes * 2 ** 20
  const capacity = capacityOf(system, meter, { cpus, memoryBytes, maxParallelJobs })
  return new Worker(
    { system, host, directory, capacity, environment },
    { scheduler, idleSeconds, endsAt: told('SLURM_JOB_END_TIME') ?? null },
  )
}
