import type { NodeWall, WalledHost } from '../../model/node-curve.ts'
import { utcTime } from '../units/iso-time.ts'

/** Many nodes over time; curves are in percent of what a node has, so that all are drawn to one scale. */
export const wallJson = ({ from, stepSeconds, hosts }: NodeWall): object => ({
  from,
  step_seconds: stepSeconds,
  nodes: hosts.map(hostJson),
})

const hostJson = (host: WalledHost): object => ({
  host: host.host,
  at: utcTime(host.at),
  seconds: host.seconds,
  cores: host.cores,
  memory_total_bytes: host.memoryTotalBytes,
  gpus: host.gpus,
  latest: {
    busy_cores: host.latest.busyCores,
    memory_bytes: host.latest.memoryBytes,
    busy_gpus: host.latest.busyGpus,
    load: host.latest.load,
  },
  cpu_percent: host.busyCores.map((value) => percentOf(value, host.cores)),
  memory_percent: host.memoryBytes.map((value) => percentOf(value, host.memoryTotalBytes)),
  gpu_percent: host.busyGpus.map((value) => percentOf(value, host.gpus)),
  load_percent: host.load.map((value) => percentOf(value, host.cores)),
})

/** To a tenth: a small chart has some thirty pixels. */
const percentOf = (value: number | null, whole: number | null): number | null =>
  value === null || !whole ? null : Math.round((1000 * value) / whole) / 10
