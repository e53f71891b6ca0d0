import { readAllowance } from '../launch/allowance.ts'
import type { VisibleGpus } from '../launch/visible-gpus.ts'
import type { Meter } from '../meter/meter.ts'
import { count } from '../model/count.ts'
import type { GivenCapacity } from '../model/kept-settings.ts'
import type { Machine } from '../model/machine.ts'
import type { System } from '../system/system.ts'
import type { Capacity } from '../workflow/run/capacity.ts'
import { UserError } from './user-error.ts'

/** What jobs may use: all that this process may, or what is said. */
export function capacityOf(system: System, meter: Meter, given: GivenCapacity): Capacity {
  const allowed = readAllowance(system, meter.machineMemoryBytes())
  const node = {
    machine: machineOf(system, meter),
    cpus: given.cpus ?? allowed.cpus,
    memoryBytes: given.memoryBytes ?? allowed.memoryBytes,
    gpus: chosenGpus(allowed.gpus, given.gpus),
    jobs: jobsByDescriptors(system),
  }
  return { nodes: [node], maxParallelJobs: given.maxParallelJobs ?? Infinity }
}

/** Open files of our own: the ledger, the series, what Node needs. */
const ownDescriptors = 36
/** Of a job: its two logs, and what its start needs for a moment. */
const jobDescriptors = 3

/** With `ulimit -n 64` a seventh job would find no descriptor for its logs: it waits until one of the others has ended. */
function jobsByDescriptors({ host }: System): number {
  const free = host.mostDescriptors - host.keptDescriptors - ownDescriptors
  return Math.max(1, Math.floor(free / jobDescriptors))
}

/** This one. */
export function machineOf({ host }: System, meter: Meter): Machine {
  return { host: host.name, cores: host.cores, memoryBytes: meter.machineMemoryBytes() }
}

/** More than were found may be asked for, for there is not always a way to find them; but not more than we are told of. */
function chosenGpus({ names, toldBy }: VisibleGpus, wanted: number | undefined): readonly string[] {
  if (wanted === undefined) return names
  if (toldBy !== null && wanted > names.length)
    throw new UserError(`--gpus ${wanted}: ${toldBy} leaves ${count(names.length, 'GPU')}`, 'usage')
  return Array.from({ length: wanted }, (_, index) => names[index] ?? String(index))
}
