import { atLeast, measured, unmeasured, type Measured } from '../../../model/measured.ts'
import { whyNot, type Reading } from '../../../model/reading.ts'
import type { FigureDefinition } from '../../../model/usage.ts'
import { Powercap } from '../../../sensors/energy/powercap.ts'
import type { JobDevice } from '../../job-devices.ts'
import { JobCpu } from '../cpu/job-cpu.ts'
import type { FollowedGauge, Gauge, KeyOf, MeteredJob } from '../gauge.ts'
import { EnergyShare } from './energy/energy-share.ts'

const figures = [
  {
    key: 'energyJoules',
    says: "the job's share of the energy of the CPUs, by its CPU time; 3600 are a watt-hour",
  },
  { key: 'machineEnergyJoules', says: 'energy of all CPUs of the machine while the job ran' },
] as const satisfies readonly FigureDefinition[]

type Key = KeyOf<typeof figures>

/** A counter of a busy package is full after a quarter of an hour. */
const longestSeconds = 60

/** At full looks: the energy counters of the CPUs (`/sys/class/powercap`). */
export const energyGauge: Gauge<never, Key> = {
  name: 'energy',
  columns: [],
  figures,
  reads: ['machine'],
  follow: (job) => new FollowedEnergy(job),
}

class FollowedEnergy implements FollowedGauge<never, Key> {
  readonly #job: MeteredJob
  readonly #counters: Reading<Powercap>
  readonly #cpu: JobCpu
  readonly #share: EnergyShare
  readonly #devices: readonly JobDevice[]
  #readAt: number

  constructor(job: MeteredJob) {
    const { system, machine, devices, plausible, request } = job
    this.#job = job
    this.#counters = Powercap.open(system)
    this.#cpu = new JobCpu(system.host, plausible, () => request.cgroup?.launcherCpuSeconds ?? 0)
    if (this.#counters.kind === 'ok') machine.look()
    this.#share = new EnergyShare(machine.usage.busySeconds)
    const packages = this.#counters.kind === 'ok' ? this.#counters.value.packages : []
    this.#devices = packages.map(({ name }) =>
      devices.open({ kind: 'energy', id: name }, ['energy_joules']),
    )
    this.#readAt = system.clock.monotonicSeconds()
  }

  /** Between samples that are far apart, only lest a counter comes round twice unseen. */
  glance(): void {
    const now = this.#job.system.clock.monotonicSeconds()
    if (this.#counters.kind !== 'ok' || now - this.#readAt < longestSeconds) return
    this.#readAt = now
    this.#counters.value.read()
  }

  look(_row: Float64Array, _at: object, elapsedSeconds: number, full: boolean): void {
    if (!full || this.#counters.kind !== 'ok') return
    const { cgroup, members, machine, system } = this.#job
    const counters = this.#counters.value
    this.#readAt = system.clock.monotonicSeconds()
    if (!counters.read()) return
    const byCgroup = (cgroup.sensor?.basis.cpu ?? null) !== null
    this.#cpu.update(elapsedSeconds, cgroup.usage, members, byCgroup)
    this.#share.look(counters.joules, this.#cpu.totalSeconds, machine.usage.busySeconds)
    counters.packages.forEach(({ joules }, index) => {
      const device = this.#devices[index]
      if (device === undefined) return
      device.values[0] = joules
      device.keep(elapsedSeconds)
    })
  }

  figures(): Readonly<Record<Key, Measured>> {
    const counters = this.#counters
    if (counters.kind !== 'ok') {
      const without = unmeasured(whyNot(counters))
      return { energyJoules: without, machineEnergyJoules: without }
    }
    const { joules, packages, hasGap } = counters.value
    counters.value.close()
    this.#share.settle()
    const names = packages.map(({ name }) => name).join(', ')
    const gap = hasGap
      ? '; a counter could not be read to the end, or told what cannot be, which was passed over'
      : ''
    const basis = `RAPL energy counters of ${names} (powercap)${gap}`
    const figure = hasGap ? atLeast : measured
    return {
      energyJoules: Number.isNaN(this.#share.joules)
        ? unmeasured(
            'the kernel counted no busy time of the machine, by which its energy is shared',
          )
        : figure(
            this.#share.joules,
            `${basis}, shared by the CPU time of the job over that of the machine`,
          ),
      machineEnergyJoules: figure(
        joules,
        `${basis}; memory and the rest of the machine not included`,
      ),
    }
  }
}
