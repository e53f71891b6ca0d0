import type { Reservation } from '../../model/node-round.ts'
import { cpusIn, gpusIn, memoryIn, slurmResources } from '../../slurm/resources.ts'

/** What Slurm allotted, as in `cpu=8,mem=16G,node=1,billing=8,gres/gpu=2`, and for how long. */
export function slurmReservation(told: string, runtimeSeconds: number | null): Reservation {
  const resources = slurmResources(told) ?? new Map<string, string>()
  return {
    cpus: cpusIn(resources) ?? null,
    memoryBytes: memoryIn(resources) ?? null,
    gpus: gpusIn(resources) ?? null,
    runtimeSeconds,
    source: 'slurm',
  }
}
