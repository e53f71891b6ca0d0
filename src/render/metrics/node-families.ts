import { gpuPolicy } from '../../analysis/policy.ts'
import type { DeviceMetrics, GpuMetrics, NodeMetrics } from '../../model/metric-facts.ts'
import type { FamilyOf } from './family.ts'
import { counter, gauge } from './family-kinds.ts'

type Nodes = readonly NodeMetrics[]

const ofNode = (
  name: string,
  help: string,
  valueOf: (node: NodeMetrics) => number | null,
): FamilyOf<Nodes> =>
  gauge(`jobmeter_node_${name}`, ['host'], help, (nodes) =>
    nodes.map((node) => ({ labels: { host: node.host }, value: valueOf(node) })),
  )

type Devices = 'disks' | 'interfaces'

const ofDevices =
  (make: typeof gauge, devices: Devices) =>
  (
    name: string,
    help: string,
    valueOf: (device: DeviceMetrics) => number | null,
  ): FamilyOf<Nodes> =>
    make(`jobmeter_node_${name}`, ['host', 'device'], help, (nodes) =>
      nodes.flatMap((node) =>
        node[devices].map((device) => ({
          labels: { host: node.host, device: device.device },
          value: valueOf(device),
        })),
      ),
    )

const diskRate = ofDevices(gauge, 'disks')
const diskTotal = ofDevices(counter, 'disks')
const networkRate = ofDevices(gauge, 'interfaces')
const networkTotal = ofDevices(counter, 'interfaces')

const ofGpu = (
  name: string,
  help: string,
  valueOf: (card: GpuMetrics) => number | null,
): FamilyOf<Nodes> =>
  gauge(`jobmeter_gpu_${name}`, ['host', 'gpu'], help, (nodes) =>
    nodes.flatMap((node) =>
      node.gpus.map((card) => ({
        labels: { host: node.host, gpu: card.gpu },
        value: valueOf(card),
      })),
    ),
  )

const isIdle = ({ busyShare }: GpuMetrics): boolean =>
  busyShare !== null && busyShare < gpuPolicy.leastBusy

const sinceStart = 'since the machine was started, if jobmeter reads the machine itself'
const rate = 'at the last round of its agent, or since the machine was last looked at'

export const nodeFamilies: readonly FamilyOf<Nodes>[] = [
  ofNode('cores', 'CPUs of the node.', ({ cores }) => cores),
  ofNode('busy_cores', `CPUs that were busy, ${rate}.`, ({ busyCores }) => busyCores),
  ofNode(
    'io_wait_cores',
    `CPUs that were idle while a process waited for a disk, ${rate}.`,
    ({ ioWaitCores }) => ioWaitCores,
  ),
  counter(
    'jobmeter_node_cpu_seconds',
    ['host', 'mode'],
    `CPU time by mode (busy, io_wait, idle) ${sinceStart}.`,
    (nodes) =>
      nodes.flatMap(({ host, cpuSeconds }) => [
        { labels: { host, mode: 'busy' }, value: cpuSeconds?.busy ?? null },
        { labels: { host, mode: 'io_wait' }, value: cpuSeconds?.ioWait ?? null },
        { labels: { host, mode: 'idle' }, value: cpuSeconds?.idle ?? null },
      ]),
  ),
  ofNode('load', 'Load average of one minute.', ({ load }) => load),
  ofNode('memory_bytes', 'Memory in use.', ({ memoryBytes }) => memoryBytes),
  ofNode('memory_size_bytes', 'Memory of the node.', ({ memorySizeBytes }) => memorySizeBytes),
  ofNode('swap_bytes', 'Swap in use.', ({ swapBytes }) => swapBytes),
  ofNode('processes', 'Processes at the last round of its agent.', ({ processes }) => processes),
  ofNode('threads', 'Threads at the last round of its agent.', ({ threads }) => threads),
  ofNode(
    'round_age_seconds',
    'Time since the last round of its agent.',
    ({ roundAgeSeconds }) => roundAgeSeconds,
  ),
  diskRate(
    'disk_read_bytes_per_second',
    `Bytes read from a disk, ${rate}.`,
    ({ inBytesPerSecond }) => inBytesPerSecond,
  ),
  diskRate(
    'disk_written_bytes_per_second',
    `Bytes written to a disk, ${rate}.`,
    ({ outBytesPerSecond }) => outBytesPerSecond,
  ),
  diskTotal(
    'disk_read_bytes',
    `Bytes read from all disks ${sinceStart}.`,
    ({ inBytes }) => inBytes,
  ),
  diskTotal(
    'disk_written_bytes',
    `Bytes written to all disks ${sinceStart}.`,
    ({ outBytes }) => outBytes,
  ),
  networkRate(
    'network_received_bytes_per_second',
    `Bytes received by a network interface, ${rate}.`,
    ({ inBytesPerSecond }) => inBytesPerSecond,
  ),
  networkRate(
    'network_sent_bytes_per_second',
    `Bytes sent by a network interface, ${rate}.`,
    ({ outBytesPerSecond }) => outBytesPerSecond,
  ),
  networkTotal(
    'network_received_bytes',
    `Bytes received by all network interfaces ${sinceStart}.`,
    ({ inBytes }) => inBytes,
  ),
  networkTotal(
    'network_sent_bytes',
    `Bytes sent by all network interfaces ${sinceStart}.`,
    ({ outBytes }) => outBytes,
  ),
  ofNode('gpus', 'GPUs of the node.', ({ gpuCount }) => gpuCount),
  ofNode(
    'gpus_idle',
    `GPUs that were busy for less than ${100 * gpuPolicy.leastBusy} % of the time, ${rate}.`,
    ({ gpus }) => (gpus.length === 0 ? null : gpus.filter(isIdle).length),
  ),
  ofGpu(
    'utilization_ratio',
    'How much of the time the GPU was busy, from 0 to 1.',
    ({ busyShare }) => busyShare,
  ),
  ofGpu('memory_bytes', 'GPU memory in use.', ({ memoryBytes }) => memoryBytes),
  ofGpu(
    'memory_size_bytes',
    'Memory of the GPU, if jobmeter reads the machine itself.',
    ({ memorySizeBytes }) => memorySizeBytes,
  ),
  ofGpu('power_watts', 'Power that the GPU draws.', ({ watts }) => watts),
]
