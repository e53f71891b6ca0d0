import {
  countIn,
  exitCodeIn,
  idIn,
  limitIn,
  listIn,
  momentIn,
  objectIn,
  textIn,
} from './json-values.ts'

/** What a container may use; null where nothing is set. */
export interface ContainerLimits {
  readonly cpus: number | null
  readonly memoryBytes: number | null
  readonly memoryReservationBytes: number | null
  readonly pids: number | null
  /** Those of which the daemon said what cannot be. */
  readonly odd: readonly LimitName[]
}

const limitNames = ['cpus', 'memoryBytes', 'memoryReservationBytes', 'pids'] as const
type LimitName = (typeof limitNames)[number]

/** The kernel has no higher process ids, and no limit of processes above it. */
const mostPids = 2 ** 22
/** As many as Linux can be built for. */
const mostCpus = 8192
/** What a number holds exactly; no machine has so many bytes. */
const mostBytes = Number.MAX_SAFE_INTEGER
/** In microseconds, as the kernel takes it. */
const periods = { least: 1000, usual: 100_000, most: 1_000_000 } as const

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
  const network = textIn(host['NetworkMode']) ?? ''
  return {
    id,
    name: (textIn(whole['Name']) ?? id.slice(0, 12)).replace(/^\//, ''),
    image: textIn(objectIn(whole['Config'])['Image']) ?? '',
    command: [whole['Path'], ...listIn(whole['Args'])].flatMap((word) => textIn(word) ?? []),
    pid: Number.isInteger(pid) && pid > 0 && pid <= mostPids ? pid : null,
    isRunning,
    startedAt: momentIn(state['StartedAt']),
    finishedAt: momentIn(state['FinishedAt']),
    isOomKilled: state['OOMKilled'] === true,
    exitCode: isRunning ? null : exitCodeIn(state['ExitCode']),
    limits: limitsOf(host),
    hasNetwork: network !== 'none',
    sharesNetwork: network === 'host' || network.startsWith('container:'),
  }
}

function limitsOf(host: Readonly<Record<string, unknown>>): ContainerLimits {
  const told: Readonly<Record<LimitName, number | null | undefined>> = {
    cpus: cpuLimit(host),
    memoryBytes: limitIn(host['Memory'], mostBytes),
    memoryReservationBytes: limitIn(host['MemoryReservation'], mostBytes),
    pids: limitIn(host['PidsLimit'], mostPids),
  }
  const { cpus = null, memoryBytes = null, memoryReservationBytes = null, pids = null } = told
  const odd = limitNames.filter((name) => told[name] === undefined)
  return { cpus, memoryBytes, memoryReservationBytes, pids, odd }
}

/** `--cpus`, or a quota in each period. */
function cpuLimit(host: Readonly<Record<string, unknown>>): number | null | undefined {
  const nano = limitIn(host['NanoCpus'], mostCpus * 1e9)
  if (nano !== null) return nano === undefined ? undefined : nano / 1e9
  const quota = limitIn(host['CpuQuota'], mostCpus * periods.most)
  if (quota === null || quota === undefined) return quota
  const period = limitIn(host['CpuPeriod'], periods.most)
  if (period === undefined || (period !== null && period < periods.least)) return undefined
  const cpus = quota / (period ?? periods.usual)
  return cpus <= mostCpus ? cpus : undefined
}
