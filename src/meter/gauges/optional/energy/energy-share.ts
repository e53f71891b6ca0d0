/**
 * A job's share of the energy of the machine: of what was used between two looks, as much as the job had of the CPU time
 * in which the machine was busy. Energy of moments in which nothing ran is nobody's.
 */
export class EnergyShare {
  /** NaN as long as the machine was never seen busy: then there is nothing to divide by. */
  joules = Number.NaN
  #machineJoules = 0
  #jobSeconds = 0
  #busySeconds: number
  /** As of the last look. */
  #latest = { machineJoules: 0, jobSeconds: 0, busySeconds: Number.NaN }

  constructor(busySeconds: number) {
    this.#busySeconds = busySeconds
  }

  look(machineJoules: number, jobSeconds: number, busySeconds: number): void {
    this.#latest.machineJoules = machineJoules
    this.#latest.jobSeconds = jobSeconds
    this.#latest.busySeconds = busySeconds
    // Ticks: where the machine was hardly busy, wait until there is more to divide.
    if (busySeconds - this.#busySeconds >= leastBusySeconds) this.settle()
  }

  /** Divides what is left, however little it is. */
  settle(): void {
    const { machineJoules, jobSeconds, busySeconds } = this.#latest
    const busy = busySeconds - this.#busySeconds
    if (!(busy > 0)) return
    const share = Math.min(1, Math.max(0, jobSeconds - this.#jobSeconds) / busy)
    this.joules = (this.joules || 0) + Math.max(0, machineJoules - this.#machineJoules) * share
    this.#machineJoules = machineJoules
    this.#jobSeconds = jobSeconds
    this.#busySeconds = busySeconds
  }
}

const leastBusySeconds = 0.1
