import { readHierarchy } from '../sensors/cgroup/hierarchy.ts'
import { parseNumberFile } from '../sensors/cgroup/number-file.ts'
import type { System } from '../system/system.ts'
import { parentOf } from './made-cgroup.ts'
import { readVisibleGpus, type VisibleGpus } from './visible-gpus.ts'

/** What this process, and so the jobs it starts, may use of the machine. */
export interface Allowance {
  readonly cpus: number
  readonly memoryBytes: number
  readonly gpus: VisibleGpus
}

/** By the machine, our affinity and our cgroup; GPUs by what we are told to see, else by the driver's devices. */
export function readAllowance(system: System, machineMemoryBytes: number | null): Allowance {
  return {
    cpus: system.host.cores,
    memoryBytes: Math.min(machineMemoryBytes ?? Infinity, memoryLimit(system)),
    gpus: readVisibleGpus(system, process.env),
  }
}

/** The least limit on the way up: a cgroup is held to those of its parents too. */
function memoryLimit(system: System): number {
  const hierarchy = readHierarchy(system.files)
  if (hierarchy.kind !== 'ok') return Infinity
  const { v2, v1 } = hierarchy.value
  const trees = [
    { place: v2, file: 'memory.max' },
    { place: v1.get('memory') ?? null, file: 'memory.limit_in_bytes' },
  ]
  let least = Infinity
  for (const { place, file } of trees) {
    if (place === null) continue
    for (let at = place.directory; at.length >= place.mountPoint.length; at = parentOf(at))
      least = Math.min(least, readLimit(system, `${at}/${file}`))
  }
  return least
}

function readLimit(system: System, path: string): number {
  const text = system.files.readText(path)
  if (text.kind !== 'ok') return Infinity
  const bytes = new TextEncoder().encode(text.value)
  const limit = parseNumberFile(bytes, bytes.length)
  return limit > 0 ? limit : Infinity
}
