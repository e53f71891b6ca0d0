import { measured, unmeasured, type Measured } from '../../model/measured.ts'
import type { ColumnDefinition } from '../../model/sample.ts'
import type { FigureDefinition } from '../../model/usage.ts'
import type { ColumnOf, FollowedGauge, Gauge, KeyOf, MeteredJob } from './gauge.ts'

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

class FollowedPressure implements FollowedGauge<Column, Key> {
  readonly #job: MeteredJob
  /** As last told by the cgroup. */
  readonly #told: Record<Key, number> = {
    cpuPressureSeconds: NaN,
    memoryPressureSeconds: NaN,
    ioPressureSeconds: NaN,
  }

  constructor(job: MeteredJob) {
    this.#job = job
  }

  look(row: Float64Array, at: Readonly<Record<Column, number>>): void {
    const { cgroup, plausible, request } = this.#job
    if (request.cgroup === null) return
    const { usage } = cgroup
    for (const { key } of figures) {
      // Less than before is as impossible as more than the time there was.
      if (usage[key] >= (this.#told[key] || 0) && usage[key] <= plausible.mostSeconds)
        this.#told[key] = usage[key]
      else usage[key] = NaN
    }
    row[at.cpu_pressure_seconds] = usage.cpuPressureSeconds
    row[at.memory_pressure_seconds] = usage.memoryPressureSeconds
    row[at.io_pressure_seconds] = usage.ioPressureSeconds
  }

  figures(): Readonly<Record<Key, Measured>> {
    const { cgroup, request } = this.#job
    const basis = cgroup.sensor?.basis.pressure ?? null
    const why = request.cgroup?.joinsLater
      ? 'the job ended before its pressure could be measured'
      : 'measuring the pressure of a job needs a cgroup v2 of its own'
    const figure = (seconds: number): Measured =>
      basis === null ? unmeasured(why) : measured(seconds, basis)
    return {
      cpuPressureSeconds: figure(this.#told.cpuPressureSeconds),
      memoryPressureSeconds: figure(this.#told.memoryPressureSeconds),
      ioPressureSeconds: figure(this.#told.ioPressureSeconds),
    }
  }
}
