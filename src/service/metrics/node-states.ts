import type { DeviceMetrics, NodeMetrics, ViolationCount } from '../../model/metric-facts.ts'
import type { DeviceState, NodeState } from '../../model/node-state.ts'
import { daySeconds } from '../../model/time-parts.ts'
import { violationState } from '../../model/violation.ts'
import type { NodeQuestions } from '../../store/node/node-questions.ts'

/** A round that is older than this, and than ten rounds, does not say how the node is now. */
const freshSeconds = 900
const freshRounds = 10
/** A node of which nothing was heard for so long is gone. */
const goneSeconds = 7 * daySeconds

/** Nodes as they were at the last round of their agents; of those that have been silent, only for how long. */
export async function nodesByRounds(node: NodeQuestions, now: number): Promise<NodeMetrics[]> {
  // No peaks are wanted.
  const states = await node.states({ from: now, to: now })
  return states
    .filter(({ at }) => now - at <= goneSeconds)
    .map((state) => {
      const known = nodeMetrics(state, now)
      const isFresh = now - state.at <= Math.max(freshSeconds, freshRounds * state.seconds)
      return isFresh
        ? known
        : { ...silent, host: known.host, roundAgeSeconds: known.roundAgeSeconds }
    })
}

const silent: Omit<NodeMetrics, 'host' | 'roundAgeSeconds'> = {
  cores: null,
  busyCores: null,
  ioWaitCores: null,
  cpuSeconds: null,
  load: null,
  memoryBytes: null,
  memorySizeBytes: null,
  swapBytes: null,
  processes: null,
  threads: null,
  disks: [],
  interfaces: [],
  gpuCount: null,
  gpus: [],
}

function nodeMetrics(state: NodeState, now: number): NodeMetrics {
  const { latest } = state
  const present = state.devices.filter(({ isThere }) => isThere)
  const of = (kind: DeviceState['kind']): DeviceState[] =>
    present.filter((device) => device.kind === kind)
  return {
    host: state.host,
    roundAgeSeconds: Math.max(0, now - state.at),
    cores: state.cores,
    busyCores: latest.busyCores,
    ioWaitCores: latest.ioWaitCores,
    cpuSeconds: null,
    load: latest.load,
    memoryBytes: latest.memoryBytes,
    memorySizeBytes: state.memoryTotalBytes,
    swapBytes: latest.swapBytes,
    processes: latest.processes,
    threads: latest.threads,
    disks: of('disk').map(deviceMetrics),
    interfaces: of('interface').map(deviceMetrics),
    gpuCount: state.gpus,
    gpus: of('gpu').map(({ name, latest: { busyShare, memoryBytes, watts } }) => ({
      gpu: name,
      busyShare,
      memoryBytes,
      memorySizeBytes: null,
      watts,
    })),
  }
}

const deviceMetrics = ({ name, latest }: DeviceState): DeviceMetrics => ({
  device: name,
  inBytesPerSecond: latest.inBytesPerSecond,
  outBytesPerSecond: latest.outBytesPerSecond,
  inBytes: null,
  outBytes: null,
})

/** What was not seen for so long is over, whether or not anybody said so. */
const seenSeconds = 3_600

/** How often each policy is violated now on each host. */
export async function openViolations(node: NodeQuestions, now: number): Promise<ViolationCount[]> {
  const recent = await node.violations({ from: now - seenSeconds })
  const open = recent.filter((violation) => violationState(violation) === 'open')
  const alike = Map.groupBy(open, ({ policy, severity, subject }) =>
    JSON.stringify([subject.host, policy, severity]),
  )
  return [...alike.values()].flatMap((some) => {
    const [first] = some
    if (first === undefined) return []
    const { policy, severity, subject } = first
    return [{ host: subject.host, policy, severity, violations: some.length }]
  })
}
