import type { ImportedJob } from './imported-round.ts'

type Summed = 'readBytes' | 'writeBytes' | 'gpuSeconds' | 'joules' | 'memoryBytes'
type Sums = { readonly [Name in Summed]: number | null }

/** Nobody's processes are not counted. */
type Unattributed = Omit<ImportedJob, 'epoch' | 'cpuSeconds' | 'processes' | 'threads' | 'zombies'>

/** What the node's counters have and no job had, but for the CPU time, which every agent knows and not every import. */
export function unattributed(node: Sums, jobs: readonly Sums[]): Unattributed {
  const rest = (name: Summed): number | null => {
    const whole = node[name]
    return whole === null ? null : whole - sumOver(jobs, name)
  }
  // Memory that processes share is in the sum more than once.
  const memory = rest('memoryBytes')
  return {
    kind: 'unattributed',
    id: 'unattributed',
    user: 'unattributed',
    account: null,
    command: 'unattributed',
    startedAt: null,
    reservation: null,
    gpus: null,
    pid: null,
    readBytes: rest('readBytes'),
    writeBytes: rest('writeBytes'),
    gpuSeconds: rest('gpuSeconds'),
    joules: rest('joules'),
    memoryBytes: memory === null ? null : Math.max(0, memory),
    gpuMemoryBytes: null,
  }
}

/** Of all jobs together; one that does not tell counts nothing. */
export const sumOver = <Name extends string>(
  jobs: readonly { readonly [Key in Name]?: number | null }[],
  name: Name,
): number => jobs.reduce((sum, job) => sum + (job[name] ?? 0), 0)
