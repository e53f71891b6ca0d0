import type { NodeJob, NodeRound } from '../../src/model/node-round.ts'

/** A job of a made-up round. */
export const nodeJob = (
  id: string,
  user: string,
  cpuSeconds: number,
  more: Partial<NodeJob> = {},
): NodeJob => ({
  kind: 'session',
  id,
  user,
  account: null,
  command: 'python3',
  startedAt: null,
  reservation: null,
  gpus: null,
  pid: 7,
  cpuSeconds,
  readBytes: 10,
  writeBytes: null,
  gpuSeconds: null,
  joules: null,
  memoryBytes: 2 ** 20,
  gpuMemoryBytes: null,
  processes: 1,
  threads: 1,
  zombies: 0,
  ...more,
})

/** A round of a minute on a node of four cores that did nothing but these jobs. */
export function nodeRound(
  at: number,
  jobs: readonly NodeJob[],
  more: Partial<NodeRound> = {},
): NodeRound {
  const cpuSeconds = jobs.reduce((sum, one) => sum + one.cpuSeconds, 0)
  return {
    host: 'node01',
    epoch: 'first boot',
    at,
    seconds: 60,
    lostRecords: 0,
    jobs,
    node: {
      ...nodeJob('', '', 0),
      cores: 4,
      memoryTotalBytes: 2 ** 30,
      swapUsedBytes: 0,
      gpus: 0,
      cpuSeconds,
      gpuMemoryTotalBytes: null,
      load: 1,
      ioWaitSeconds: 0,
      netReceivedBytes: 0,
      netSentBytes: 0,
      coreSeconds: [],
    },
    ...more,
  }
}
