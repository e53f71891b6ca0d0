import type { NodeJob, NodeRound, NodeUse } from '../../src/model/node-round.ts'
import { nodeJob as madeJob } from '../node/made-round.ts'

/** A Monday, at midnight in UTC. */
export const monday = 1_772_409_600

/** A job of a login session that uses one core, unless told otherwise. */
export const nodeJob = (id: string, user: string, more: Partial<NodeJob> = {}): NodeJob =>
  madeJob(id, user, 60, { readBytes: null, memoryBytes: 2 ** 30, ...more })

/** A minute of a node with 16 cores, 64 GiB and no GPUs, unless told otherwise; as busy as its jobs. */
export function nodeRound(
  at: number,
  jobs: readonly NodeJob[],
  node: Partial<NodeUse> = {},
  more: Partial<NodeRound> = {},
): NodeRound {
  const sum = (name: 'cpuSeconds' | 'processes' | 'threads' | 'zombies'): number =>
    jobs.reduce((total, job) => total + job[name], 0)
  return {
    host: 'node01',
    epoch: 'first boot',
    at,
    seconds: 60,
    lostRecords: 0,
    jobs,
    node: {
      cores: 16,
      memoryTotalBytes: 64 * 2 ** 30,
      swapUsedBytes: 0,
      gpus: 0,
      gpuMemoryTotalBytes: null,
      load: null,
      ioWaitSeconds: null,
      netReceivedBytes: null,
      netSentBytes: null,
      coreSeconds: [],
      cpuSeconds: sum('cpuSeconds'),
      readBytes: null,
      writeBytes: null,
      gpuSeconds: null,
      joules: null,
      memoryBytes: 4 * 2 ** 30,
      gpuMemoryBytes: null,
      processes: sum('processes'),
      threads: sum('threads'),
      zombies: sum('zombies'),
      ...node,
    },
    ...more,
  }
}
