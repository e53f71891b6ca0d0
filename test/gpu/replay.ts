import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { JobGpus } from '../../src/meter/gauges/gpu/job-gpus.ts'
import { WatchedCards } from '../../src/meter/gauges/gpu/watched-cards.ts'
import { JobDevices } from '../../src/meter/job-devices.ts'
import type { Measured } from '../../src/model/measured.ts'
import { GpuCard, type GpuActivity, type GpuSource } from '../../src/sensors/gpu/gpu-card.ts'
import { realSystem } from '../../src/system/real.ts'
import type { System } from '../../src/system/system.ts'

/** A load as it was measured on an H200; see the README beside the file. */
export interface Load {
  readonly load: string
  readonly duration_seconds: number
  readonly cpu_total_seconds: number
  readonly io_pressure_seconds: number
  readonly cpu_pressure_seconds: number
  readonly recorded: Readonly<Record<string, number>>
  readonly nvidia_smi: {
    readonly utilization_percent_mean: number
    readonly utilization_percent_peak: number
    readonly memory_used_peak_bytes: number
    readonly power_watts_mean: number
    readonly power_watts_peak: number
    readonly temperature_peak_celsius: number
  }
  readonly energy_joules: { readonly at_first_look: number; readonly at_last_look: number }
  readonly units: Partial<GpuActivity>
  readonly looks: readonly (readonly number[])[]
}

interface Loads {
  readonly memory_total_bytes: number
  readonly most_clock_megahertz: number
  readonly look_columns: readonly string[]
  readonly loads: readonly Load[]
}

const fixture = join(import.meta.dirname, '../fixtures/gpu/h200-loads.json')
export const h200 = JSON.parse(readFileSync(fixture, 'utf8')) as Loads

export function loadCalled(name: string): Load {
  const found = h200.loads.find(({ load }) => load === name)
  if (found === undefined) throw new Error(`no load ${name}`)
  return found
}

const ownPid = 100
const firstOtherPid = 200
const ticksPerSecond = 100

export const h200Card = (): GpuCard =>
  new GpuCard({
    vendor: 'nvidia',
    source: 'NVML',
    index: 0,
    id: 'GPU-0000',
    name: 'NVIDIA H200',
    parentId: null,
  })

/** A card that says what it said then, look by look. */
class ReplayedCard implements GpuSource {
  readonly name = 'NVML'
  readonly card = h200Card()
  readonly cards = [this.card]
  readonly #load: Load
  at: Readonly<Record<string, number>> = {}
  isLast = false

  constructor(load: Load) {
    this.#load = load
    this.card.memoryTotalBytes = h200.memory_total_bytes
    this.card.mostClockMegahertz = h200.most_clock_megahertz
  }

  look(seldom: boolean): boolean {
    const { card, at } = this
    card.utilizationPercent = at['utilization_percent'] ?? NaN
    card.memoryUtilizationPercent = at['memory_utilization_percent'] ?? NaN
    card.memoryUsedBytes = at['memory_used_bytes'] ?? NaN
    card.temperatureCelsius = at['temperature_celsius'] ?? NaN
    card.powerWatts = at['power_watts'] ?? NaN
    card.clockMegahertz = at['clock_megahertz'] ?? NaN
    card.throttle = at['throttle'] ?? NaN
    this.#listProcesses()
    const { at_first_look: first, at_last_look: last } = this.#load.energy_joules
    if (seldom) card.energyJoules = this.isLast ? last : first
    return true
  }

  lookAtActivity(): void {
    const { activity } = this.card
    this.card.activityLoss = null
    Object.assign(activity, this.#load.units, { seconds: 2, readings: activity.readings + 1 })
  }

  close(): void {}

  #listProcesses(): void {
    const { at } = this
    const { processes } = this.card
    processes.count = 0
    if (at['own_processes']) {
      processes.add(ownPid, at['own_memory_bytes'] ?? NaN)
      processes.utilizationPercent[0] = at['own_utilization_percent'] ?? NaN
    }
    for (let nth = 0; nth < (at['other_processes'] ?? 0); nth++) {
      const place = processes.place(firstOtherPid + nth)
      processes.utilizationPercent[place] = at['other_utilization_percent'] ?? NaN
    }
  }
}

/** The figures of a job by what a card said at each look. */
export function replayed(load: Load): Readonly<Record<string, Measured>> {
  const source = new ReplayedCard(load)
  const real = realSystem({ ownsProcess: false })
  let elapsed = 0
  const system: System = {
    ...real,
    clock: { ...real.clock, monotonicSeconds: () => elapsed },
    host: { ...real.host, ticksPerSecond },
  }
  const totals = { userTicks: 0, systemTicks: 0 }
  const members = {
    byPid: new Map([[ownPid, { startTicks: 0, userTicks: 0, systemTicks: 0, minorFaults: 0 }]]),
    totals: () => totals,
  }
  const devices = new JobDevices(0, () => {})
  const job = new JobGpus({ system, members, devices }, new WatchedCards(system, [source]), '')
  for (const values of load.looks) {
    source.at = Object.fromEntries(h200.look_columns.map((name, at) => [name, values[at] ?? NaN]))
    elapsed = source.at['elapsed_seconds'] ?? NaN
    totals.userTicks = (source.at['cpu_seconds'] ?? NaN) * ticksPerSecond
    job.look(elapsed, 'row')
  }
  source.isLast = true
  source.at = { ...source.at, own_processes: 0 }
  members.byPid.clear()
  elapsed = Math.max(elapsed, load.duration_seconds)
  return job.figures(load.duration_seconds)
}
