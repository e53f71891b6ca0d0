import { readAllowance } from '../launch/allowance.ts'
import type { VisibleGpus } from '../launch/visible-gpus.ts'
import type { Meter } from '../meter/meter.ts'
import { count } from '../model/count.ts'
import type { GivenCapacity } from '../model/kept-settings.ts'
import type { Machine } from '../model/machine.ts'
import type { System } from '../system/system.ts'
import type { Capacity } from '../workflow/run/capacity.ts'
import { UserError } from './user-error.ts'

/** What jobs may use: all that this process may, or what is said. `kept`: what of that was said of an earlier run. */
export function capacityOf(
  system: System,
  meter: Meter,
  given: GivenCapacity,
  kept: GivenCapacity = {},
): Capacity {
  const allowed = readAllowance(system, meter.machineMemoryBytes())
  const node = {
    machine: machineOf(system, meter),
    cpus: given.cpus ?? allowed.cpus,
    memoryBytes: given.memoryBytes ?? allowed.memoryBytes,
    gpus: chosenGpus(allowed.gpus, given.gpus, kept.gpus !== undefined),
    jobs: jobsByDescriptors(system),
  }
  return { nodes: [node], maxParallelJobs: given.maxParallelJobs ?? Infinity }
}

/** Open files of a run besides those of its jobs, where nothing was open before jobmeter: what Node needs, the ledger. */
const usualDescriptors = 37
/** Of these, what a run opens once its capacity is known: the log of its ledger, its sign of life, the series. */
const descriptorsToCome = 5
/** Of a job: its two logs, and what its start needs for a moment. */
const jobDescriptors = 3
/** Kept open to watch the processes of a single job. */
const leastKeptDescriptors = 3

/** Shells, batch systems and other programs may have left files open for us. */
function ownDescriptors({ files }: System): number {
  const open = files.list('/proc/self/fd')
  // The list itself was open too.
  return open.kind === 'ok'
    ? Math.max(usualDescriptors, open.value.length - 1 + descriptorsToCome)
    : usualDescriptors
}

/** With fewer, the ledger cannot be kept open beside a single job. */
export const leastDescriptors = (system: System): number =>
  ownDescriptors(system) + jobDescriptors + leastKeptDescriptors

/** A job that would find no descriptor for its logs waits until one of the others has ended. */
function jobsByDescriptors(system: System): number {
  const { mostDescriptors, keptDescriptors } = system.host
  const free = mostDescriptors - keptDescriptors - ownDescriptors(system)
  return Math.max(1, Math.floor(free / jobDescriptors))
}

/** This one. */
export function machineOf({ host }: System, meter: Meter): Machine {
  return { host: host.name, cores: host.cores, memoryBytes: meter.machineMemoryBytes() }
}

/** More than were found may be asked for, for there is not always a way to find them; but not more than we are told of. */
function chosenGpus(
  { names, toldBy }: VisibleGpus,
  wanted: number | undefined,
  isKept: boolean,
): readonly string[] {
  if (wanted === undefined) return names
  if (toldBy !== null && wanted > names.length) {
    const left = `${toldBy} leaves ${count(names.length, 'GPU')}`
    throw isKept
      ? new UserError(`--gpus ${wanted}, as before: ${left}. Give another --gpus`)
      : new UserError(`--gpus ${wanted}: ${left}`, 'usage')
  }
  return Array.from({ length: wanted }, (_, index) => names[index] ?? String(index))
}
