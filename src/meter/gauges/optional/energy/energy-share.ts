/**
 * A job's share of the energy of the machine: of what was used between two looks, as much as the job had of the CPU time
 * in which the machine was busy. Energy of moments in which nothing ran is nobody's.
 */
export class EnergyShare {
  joules = 0
  #machineJoules = 0
  #jobSeconds = 0
  #busySeconds: number

  constructor(busySeconds: number) {
    this.#busySeconds = busySeconds
  }

  look(machineJoules: number, jobSeconds: number, busySeconds: number): void {
    const busy = busySeconds - this.#busySeconds
    // Ticks: where the machine was hardly busy, wait until there is more to divide.
    if (!(busy >= leastBusySeconds)) return
    const share = Math.min(1, Math.max(0, jobSeconds - this.#jobSeconds) / busy)
    this.joules += Math.max(0, machineJoules - this.#machineJoules) * share
    this.#machineJoules = machineJoules
    this.#jobSeconds = jobSeconds
    this.#busySeconds = busySeconds
  }
}

const leastBusySeconds = 0.1
