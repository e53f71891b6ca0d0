import { countIn, idIn, limitIn, listIn, momentIn, objectIn, textIn } from './json-values.ts'

/** What a container may use; null where nothing is set. */
export interface ContainerLimits {
  readonly cpus: number | null
  readonly memoryBytes: number | null
  readonly memoryReservationBytes: number | null
  readonly pids: number | null
}

/** A container as the daemon describes it at one moment. */
export interface Inspected {
  readonly id: string
  readonly name: string
  readonly image: string
  /** What runs in it, word by word. */
  readonly command: readonly string[]
  /** The main process as the daemon sees it; null while there is none. */
  readonly pid: number | null
  /** Or about to be started again by its restart policy. */
  readonly isRunning: boolean
  /** In seconds since 1970. */
  readonly startedAt: number | null
  readonly finishedAt: number | null
  readonly isOomKilled: boolean
  readonly exitCode: number | null
  readonly limits: ContainerLimits
  /** It has the network of the machine, or of another container: what is sent there is not its own. */
  readonly sharesNetwork: boolean
  readonly hasNetwork: boolean
}

/** Why there are no figures of such a network. */
export const sharedNetworkWords = 'it uses the network of the machine or of another container'

/** The answer of `/containers/ID/json`; undefined if it does not describe a container. */
export function parseInspected(answer: unknown): Inspected | undefined {
  const whole = objectIn(answer)
  const id = idIn(whole['Id'])
  if (id === null) return undefined
  const state = objectIn(whole['State'])
  const host = objectIn(whole['HostConfig'])
  const pid = countIn(state['Pid'])
  const isRunning = state['Running'] === true || state['Restarting'] === true
  const exitCode = countIn(state['ExitCode'])
  const network = textIn(host['NetworkMode']) ?? ''
  return {
    id,
    name: (textIn(whole['Name']) ?? id.slice(0, 12)).replace(/^\//, ''),
    image: textIn(objectIn(whole['Config'])['Image']) ?? '',
    command: [whole['Path'], ...listIn(whole['Args'])].flatMap((word) => textIn(word) ?? []),
    pid: Number.isInteger(pid) && pid > 0 ? pid : null,
    isRunning,
    startedAt: momentIn(state['StartedAt']),
    finishedAt: momentIn(state['FinishedAt']),
    isOomKilled: state['OOMKilled'] === true,
    exitCode: isRunning || Number.isNaN(exitCode) ? null : exitCode,
    limits: {
      cpus: cpuLimit(host),
      memoryBytes: limitIn(host['Memory']),
      memoryReservationBytes: limitIn(host['MemoryReservation']),
      pids: limitIn(host['PidsLimit']),
    },
    hasNetwork: network !== 'none',
    sharesNetwork: network === 'host' || network.startsWith('container:'),
  }
}

/** `--cpus`, or a quota in each period. */
function cpuLimit(host: Readonly<Record<string, unknown>>): number | null {
  const nano = limitIn(host['NanoCpus'])
  if (nano !== null) return nano / 1e9
  const quota = limitIn(host['CpuQuota'])
  return quota === null ? null : quota / (limitIn(host['CpuPeriod']) ?? 100_000)
}
