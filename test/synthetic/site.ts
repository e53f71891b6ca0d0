import type { NodeDevice, NodeJob, Reservation } from '../../src/model/node-round.ts'
import { openNodeStore } from '../../src/store/node/open-node.ts'
import { nodeJob, nodeRound } from './node-rounds.ts'

const gib = 2 ** 30
const cores = 16

const asked = (cpus: number, gpus: number | null): Reservation => ({
  cpus,
  memoryBytes: 8 * gib,
  gpus,
  runtimeSeconds: 86_400,
  source: 'slurm',
})

export interface Site {
  readonly hosts: number
  readonly hours: number
  /** How much time a round covers. */
  readonly seconds: number
  /** When the last round was taken, in seconds since 1970. */
  readonly until: number
}

/**
 * A small site: ada uses what she asked for, bob leaves most of it unused, and on every fourth node cyd holds two GPUs that do
 * nothing. The second node was not looked at for an hour in the middle; the last one has been silent for the last hour.
 */
export function makeSite(path: string, { hosts, hours, seconds, until }: Site): void {
  const store = openNodeStore(path)
  const begin = until - hours * 3600
  const middle = begin + (hours * 3600) / 2
  for (let number = 1; number <= hosts; number += 1)
    for (let at = begin + seconds; at <= until; at += seconds) {
      if (number === 2 && at > middle && at <= middle + 3600) continue
      if (number === hosts && at > until - 3600) break
      store.addRound(roundOf(number, at, seconds))
    }
  store.close()
}

function roundOf(number: number, at: number, seconds: number) {
  const isGpu = number % 4 === 1
  const jobs = jobsOf(number, seconds, isGpu)
  const busy = jobs.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0)
  return nodeRound(
    at,
    jobs,
    {
      cores,
      load: busy / seconds + 0.5,
      ioWaitSeconds: 0.02 * seconds,
      gpus: isGpu ? 2 : 0,
      gpuMemoryTotalBytes: isGpu ? 160 * gib : null,
      gpuSeconds: isGpu ? 0 : null,
      memoryBytes: (8 + number) * gib,
      coreSeconds: Array.from({ length: cores }, (_, core) => (core < 8 ? seconds : 0)),
    },
    { host: `node${String(number).padStart(3, '0')}`, seconds, devices: devicesOf(isGpu, seconds) },
  )
}

const jobsOf = (number: number, seconds: number, isGpu: boolean): NodeJob[] => [
  slurmJob(`${number}1`, 'ada', 7.5 * seconds, { reservation: asked(8, null), account: 'bio' }),
  slurmJob(`${number}2`, 'bob', 0.4 * seconds, { reservation: asked(4, null), account: 'ml' }),
  ...(isGpu
    ? [
        slurmJob(`${number}3`, 'cyd', 0.1 * seconds, {
          reservation: asked(1, 2),
          account: 'ml',
          gpus: 2,
          gpuSeconds: 0,
          gpuMemoryBytes: gib,
        }),
      ]
    : []),
]

const slurmJob = (id: string, user: string, cpuSeconds: number, more: Partial<NodeJob>): NodeJob =>
  nodeJob(id, user, { kind: 'slurm', command: 'python3 train.py', cpuSeconds, ...more })

const nothing = { busySeconds: null, joules: null, memoryBytes: null }

const devicesOf = (isGpu: boolean, seconds: number): NodeDevice[] => [
  { ...nothing, kind: 'disk', name: 'nvme0n1', inBytes: 2e6 * seconds, outBytes: 1e6 * seconds },
  { ...nothing, kind: 'interface', name: 'eth0', inBytes: 3e6 * seconds, outBytes: 1e6 * seconds },
  ...(isGpu
    ? [0, 1].map((card): NodeDevice => ({
        kind: 'gpu',
        name: `${card} A100`,
        inBytes: null,
        outBytes: null,
        busySeconds: 0,
        joules: 60 * seconds,
        memoryBytes: gib,
      }))
    : []),
]
