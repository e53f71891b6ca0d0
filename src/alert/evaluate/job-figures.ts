import { megabyte } from '../../model/bytes.ts'
import { sampleIndex, sampleNames } from '../../model/sample.ts'
import { coresPercent, diskWaitPercent, sharePercent } from '../../model/time-shares.ts'
import { CounterRate } from '../expression/counter-rate.ts'

/** What does not change while a job runs; NaN where it is not known. */
export interface JobFacts {
  readonly cores: number
  readonly machineMemoryBytes: number
  readonly memoryLimitBytes: number
  readonly requestedMemoryBytes: number
  readonly requestedCpus: number
  readonly requestedGpus: number
  /** When it will be ended. */
  readonly timeoutSeconds: number
  readonly requestedRuntimeSeconds: number
}

/** Figures of a job and of its machine at a look, by the names that rules use for them. */
const derivedNames = [
  'cpu_percent',
  'cpu_process_percent',
  'memory_system_mb',
  'memory_available_mb',
  'memory_percent',
  'memory_process_mb',
  'disk_read_mb',
  'disk_write_mb',
  'io_read_rate_mbps',
  'io_write_rate_mbps',
  'io_calls_per_second',
  'io_wait_pct',
  'memory_limit_mb',
  'memory_limit_pct',
  'memory_room_mb',
  'memory_request_mb',
  'cpu_request',
  'gpu_request',
  'runtime_request_seconds',
  'timeout_seconds',
  'remaining_seconds',
  'gpu_job_util',
] as const
type DerivedName = (typeof derivedNames)[number]

/** Raw columns of samples have their own names: rules take their rate. */
export const jobFigureNames: readonly string[] = [...sampleNames, ...derivedNames]

const derivedAt = Object.fromEntries(
  derivedNames.map((name, index) => [name, sampleNames.length + index]),
) as Readonly<Record<DerivedName, number>>

/** What a job is given if nobody says how long it will take: what runs out later is no news yet. */
const unknownRemainingSeconds = 3600

/** The figures of one job at its last look. Nothing is allocated per look. */
export class JobFigures {
  /** In the order of `jobFigureNames`, then what others add; NaN where nothing is known. */
  readonly values: Float64Array
  readonly #facts: JobFacts
  readonly #cpu = new CounterRate()
  readonly #machineCpu = new CounterRate()
  readonly #read = new CounterRate()
  readonly #write = new CounterRate()
  readonly #calls = new CounterRate()
  readonly #delay = new CounterRate()
  readonly #pressure = new CounterRate()
  readonly #machineWait = new CounterRate()
  #usualSeconds = Number.NaN

  /** `further`: how many figures of others there is to be room for. */
  constructor(facts: JobFacts, further = 0) {
    this.values = new Float64Array(jobFigureNames.length + further).fill(Number.NaN)
    this.#facts = facts
    this.#set('memory_system_mb', facts.machineMemoryBytes / megabyte)
    this.#set('memory_limit_mb', facts.memoryLimitBytes / megabyte)
    this.#set('memory_request_mb', facts.requestedMemoryBytes / megabyte)
    this.#set('cpu_request', facts.requestedCpus)
    this.#set('gpu_request', facts.requestedGpus)
    this.#set('runtime_request_seconds', facts.requestedRuntimeSeconds)
    this.#set('timeout_seconds', facts.timeoutSeconds)
    // Most jobs have no card.
    this.#set('gpu_job_util', 0)
  }

  /** How busy the busiest of its cards is with the job. */
  takeGpuUse(percent: number): void {
    this.#set('gpu_job_util', percent)
  }

  /** How long past runs took. */
  expectSeconds(seconds: number): void {
    this.#usualSeconds = seconds
  }

  /** Takes the row of a sample that begins there. */
  take(rows: Float64Array, from: number): void {
    for (let at = 0; at < sampleNames.length; at++) this.values[at] = rows[from + at] ?? Number.NaN
    this.#takeRates()
    this.#takeMemory()
    this.#set('remaining_seconds', this.#remainingSeconds())
  }

  #takeRates(): void {
    const at = this.#raw('elapsed_seconds')
    const { cores } = this.#facts
    this.#cpu.take(this.#raw('cpu_user_seconds') + this.#raw('cpu_system_seconds'), at)
    this.#machineCpu.take(this.#raw('machine_cpu_seconds'), at)
    this.#read.take(this.#raw('read_bytes'), at)
    this.#write.take(this.#raw('write_bytes'), at)
    this.#calls.take(this.#raw('read_calls') + this.#raw('write_calls'), at)
    this.#delay.take(this.#raw('io_delay_seconds'), at)
    this.#pressure.take(this.#raw('io_pressure_seconds'), at)
    this.#machineWait.take(this.#raw('machine_io_wait_seconds'), at)
    this.#set('cpu_process_percent', coresPercent(this.#cpu.perSecond, 1, cores))
    this.#set('cpu_percent', sharePercent(this.#machineCpu.perSecond, cores))
    this.#set('disk_read_mb', this.#read.increase / megabyte)
    this.#set('disk_write_mb', this.#write.increase / megabyte)
    this.#set('io_read_rate_mbps', this.#read.perSecond / megabyte)
    this.#set('io_write_rate_mbps', this.#write.perSecond / megabyte)
    this.#set('io_calls_per_second', this.#calls.perSecond)
    this.#set('io_wait_pct', this.#waitPercent())
  }

  /**
   * Where the kernel keeps no account of delays, the pressure of the job's cgroup tells how much it waited for disks, or
   * else the machine.
   */
  #waitPercent(): number {
    const delay = this.#delay.perSecond
    if (!Number.isNaN(delay)) return diskWaitPercent(delay, this.#cpu.perSecond, 1)
    if (!Number.isNaN(this.#pressure.perSecond)) return sharePercent(this.#pressure.perSecond, 1)
    return sharePercent(this.#machineWait.perSecond, this.#facts.cores)
  }

  #takeMemory(): void {
    const { machineMemoryBytes, memoryLimitBytes } = this.#facts
    const machine = this.#raw('machine_memory_bytes')
    const own = this.#raw('memory_bytes')
    const available = (machineMemoryBytes - machine) / megabyte
    this.#set('memory_available_mb', available)
    this.#set('memory_percent', (100 * machine) / machineMemoryBytes)
    this.#set('memory_process_mb', own / megabyte)
    this.#set('memory_limit_pct', (100 * own) / memoryLimitBytes)
    const withinLimit = (memoryLimitBytes - own) / megabyte
    this.#set('memory_room_mb', Number.isNaN(withinLimit) ? available : withinLimit)
  }

  #remainingSeconds(): number {
    const { timeoutSeconds, requestedRuntimeSeconds } = this.#facts
    const elapsed = this.#raw('elapsed_seconds')
    let end = Number.isNaN(timeoutSeconds) ? Infinity : timeoutSeconds
    // A job that takes longer than it asked for, or than usual, may take any time.
    for (const known of [requestedRuntimeSeconds, this.#usualSeconds])
      if (known > elapsed && known < end) end = known
    return end === Infinity ? unknownRemainingSeconds : Math.max(0, end - elapsed)
  }

  #raw(name: keyof typeof sampleIndex): number {
    return this.values[sampleIndex[name]] ?? Number.NaN
  }

  #set(name: DerivedName, value: number): void {
    this.values[derivedAt[name]] = value
  }
}
