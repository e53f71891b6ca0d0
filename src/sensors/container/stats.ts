import { countIn, listIn, objectIn, textIn } from './json-values.ts'

/** What a daemon tells of a container at one moment, for where its cgroup cannot be read. NaN where it does not. */
export interface ContainerStats {
  readonly cpuSeconds: number
  readonly userSeconds: number
  readonly systemSeconds: number
  /** Without page cache that could be dropped. */
  readonly memoryBytes: number
  readonly pids: number
  readonly throttledSeconds: number
  readonly throttledPeriods: number
  readonly periods: number
  readonly netReceivedBytes: number
  readonly netSentBytes: number
  readonly blockReadBytes: number
  readonly blockWriteBytes: number
}

/** The answer of `/containers/ID/stats`; undefined for a container that is not running. */
export function parseStats(answer: unknown): ContainerStats | undefined {
  const whole = objectIn(answer)
  const cpu = objectIn(whole['cpu_stats'])
  const usage = objectIn(cpu['cpu_usage'])
  const memory = objectIn(whole['memory_stats'])
  const cpuSeconds = countIn(usage['total_usage']) / 1e9
  // Of a container that has ended, Docker tells zeros.
  if (!(cpuSeconds > 0) || Number.isNaN(countIn(memory['usage']))) return undefined
  const throttling = objectIn(cpu['throttling_data'])
  return {
    cpuSeconds,
    userSeconds: countIn(usage['usage_in_usermode']) / 1e9,
    systemSeconds: countIn(usage['usage_in_kernelmode']) / 1e9,
    memoryBytes: withoutCache(memory),
    pids: countIn(objectIn(whole['pids_stats'])['current']),
    throttledSeconds: countIn(throttling['throttled_time']) / 1e9,
    throttledPeriods: countIn(throttling['throttled_periods']),
    periods: countIn(throttling['periods']),
    ...networks(whole['networks']),
    ...blocks(objectIn(whole['blkio_stats'])['io_service_bytes_recursive']),
  }
}

/** As `docker stats` does it: of v1 the inactive files of the whole tree, of v2 those of the cgroup. */
function withoutCache(memory: Readonly<Record<string, unknown>>): number {
  const parts = objectIn(memory['stats'])
  const droppable = countIn(parts['total_inactive_file'] ?? parts['inactive_file'])
  return Math.max(0, countIn(memory['usage']) - (droppable || 0))
}

function networks(answer: unknown): Pick<ContainerStats, 'netReceivedBytes' | 'netSentBytes'> {
  // Left out where it has none of its own: whether it has another's, or none at all, only its description says.
  if (answer === undefined || answer === null) return { netReceivedBytes: NaN, netSentBytes: NaN }
  const each = Object.values(objectIn(answer)).map(objectIn)
  const sum = (key: string): number =>
    each.reduce((total, network) => total + countIn(network[key]), 0)
  return { netReceivedBytes: sum('rx_bytes'), netSentBytes: sum('tx_bytes') }
}

function blocks(answer: unknown): Pick<ContainerStats, 'blockReadBytes' | 'blockWriteBytes'> {
  if (answer === undefined || answer === null) return { blockReadBytes: NaN, blockWriteBytes: NaN }
  const entries = listIn(answer).map(objectIn)
  const sum = (kind: string): number =>
    entries
      .filter(({ op }) => textIn(op)?.toLowerCase() === kind)
      .reduce((total, { value }) => total + countIn(value), 0)
  return { blockReadBytes: sum('read'), blockWriteBytes: sum('write') }
}
