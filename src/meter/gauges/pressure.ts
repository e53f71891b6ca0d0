import type { Member } from '../member.ts'
import { CoreWaits } from './pressure/core-waits.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import type { ColumnOf, FollowedEnd, FollowedGauge, Gauge, KeyOf, MeteredJob } from './gauge.ts'

const columns = [
  {
    name: 'cpu_pressure_seconds',
    kind: 'counter',
    says: 'time some task of the job waited for a CPU',
  },
  {
    name: 'memory_pressure_seconds',
    kind: 'counter',
    says: 'time some task of the job waited for memory',
  },
  {
    name: 'io_pressure_seconds',
    kind: 'counter',
    says: 'time some task of the job waited for I/O',
  },
] as const satisfies readonly ColumnDefinition[]

const figures = [
  {
    key: 'cpuPressureSeconds',
    says: 'time during which some task of the job waited for a free core',
  },
  {
    key: 'memoryPressureSeconds',
    says: 'time during which some task of the job waited for memory',
  },
  {
    key: 'ioPressureSeconds',
    says: 'time during which some task of the job waited for storage',
  },
] as const satisfies readonly FigureDefinition[]

type Column = ColumnOf<typeof columns>
type Key = KeyOf<typeof figures>

/** At each look: the pressure files of the job's cgroup, which only v2 has. */
export const pressureGauge: Gauge<Column, Key> = {
  name: 'pressure',
  reads: ['pressure'],
  columns,
  figures,
  follow: (job) => new FollowedPressure(job),
}

/** Who waited in a shorter job is no matter, and one more file to read at the end of a job of a millisecond is. */
const leastSeconds = 0.1
/** Of the time: what a job waited before it joined a cgroup that tells makes its figure a lower bound from here on. */
const littleOfIt = 0.05
/** Of all CPU time, from which on one thread speaks for the job, */
const mostOfIt = 0.7
/** and from which on nobody else had anything to wait for: CPU time is not counted much more finely. */
const allOfIt = 0.99

class FollowedPressure implements FollowedGauge<Column, Key> {
  readonly #job: MeteredJob
  /** As last told by the cgroup. */
  readonly #told: Record<Key, number> = {
    cpuPressureSeconds: NaN,
    memoryPressureSeconds: NaN,
    ioPressureSeconds: NaN,
  }
  /** When it first told, for a job that joined it later than it began. */
  #toldFromSeconds = NaN
  readonly #waits: CoreWaits
  readonly #begunAt: number
  /** Noted at the start: once it has joined, its cgroup says no more that it joins later. */
  readonly #joinsLater: boolean

  constructor(job: MeteredJob) {
    this.#job = job
    this.#joinsLater = job.request.cgroup?.joinsLater === true
    this.#begunAt = job.system.clock.monotonicSeconds()
    this.#waits = new CoreWaits(job.reader)
  }

  glance(): void {
    this.#lookAtWaits()
  }

  look(
    row: Float64Array,
    at: Readonly<Record<Column, number>>,
    elapsedSeconds: number,
    full: boolean,
  ): void {
    const { cgroup, plausible, request } = this.#job
    if (full) this.#lookAtWaits()
    if (request.cgroup === null) return
    const { usage } = cgroup
    for (const { key } of figures) {
      // Less than before is as impossible as more than the time there was.
      if (usage[key] >= (this.#told[key] || 0) && usage[key] <= plausible.mostSeconds)
        this.#told[key] = usage[key]
      else usage[key] = NaN
    }
    if (Number.isNaN(this.#toldFromSeconds) && usage.ioPressureSeconds >= 0)
      this.#toldFromSeconds = elapsedSeconds
    row[at.cpu_pressure_seconds] = usage.cpuPressureSeconds
    row[at.memory_pressure_seconds] = usage.memoryPressureSeconds
    row[at.io_pressure_seconds] = usage.ioPressureSeconds
  }

  mainEnded(main: Member): void {
    if (this.#needsWaits) this.#waits.read(main)
  }

  figures({ durationSeconds }: FollowedEnd): Readonly<Record<Key, Measured>> {
    const { request } = this.#job
    const basis = this.#basis
    const why = request.cgroup?.joinsLater
      ? 'the job ended before its pressure could be measured'
      : 'measuring the pressure of a job needs a cgroup v2 of its own'
    const isLate = this.#toldFromSeconds > littleOfIt * durationSeconds
    const tell = this.#joinsLater && isLate ? atLeast : measured
    const figure = (seconds: number): Measured =>
      basis === null ? unmeasured(why) : tell(seconds, basis)
    return {
      cpuPressureSeconds:
        this.#waitOfThread(durationSeconds) ?? figure(this.#told.cpuPressureSeconds),
      memoryPressureSeconds: figure(this.#told.memoryPressureSeconds),
      ioPressureSeconds: figure(this.#told.ioPressureSeconds),
    }
  }

  #lookAtWaits(): void {
    if (this.#needsWaits) this.#waits.look(this.#job.members.byPid)
  }

  get #needsWaits(): boolean {
    const elapsedSeconds = this.#job.system.clock.monotonicSeconds() - this.#begunAt
    // In this order: the basis opens the files of the cgroup, which takes longer than many a job.
    return elapsedSeconds >= leastSeconds && this.#basis === null
  }

  get #basis(): string | null {
    return this.#job.cgroup.sensor?.basis.pressure ?? null
  }

  /** With what the kernel's accounts lack: children that nobody waited for, and what runs on. */
  get #cpuSeconds(): number {
    const { cgroup, members, system } = this.#job
    const { userTicks, systemTicks } = members.totals()
    const seen = (userTicks + systemTicks) / system.host.ticksPerSecond
    return Math.max(seen, cgroup.usage.usageSeconds || 0)
  }

  /** Without a cgroup that tells: the job waited for a core at least while the one did that did most of the work. */
  #waitOfThread(durationSeconds: number): Measured | undefined {
    // What a thread did before it was followed is in its own account, and not in that of the job.
    if (this.#job.accounts.isEmpty) return undefined
    const { ranSeconds, waitedSeconds } = this.#waits
    const share = ranSeconds / this.#cpuSeconds
    if (!(share >= mostOfIt)) return undefined
    const [tell, part] =
      share >= allOfIt ? [measured, 'all'] : [atLeast, `${Math.floor(100 * share)} %`]
    return tell(
      Math.min(waitedSeconds, durationSeconds),
      `/proc/PID/schedstat of the thread that did ${part} of the work`,
    )
  }
}
