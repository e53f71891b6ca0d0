import { ok, unavailable, type Reading } from '../../model/reading.ts'
import type { Clock, Files } from '../../system/system.ts'

/** Where the kernel shows the energy counters of CPUs (RAPL), of Intel and AMD alike. */
const directory = '/sys/class/powercap'
/** A package, not one of the parts of it (`intel-rapl:0:1`), nor the same once more by another way (`intel-rapl-mmio:0`). */
const packageName = /^intel-rapl:\d{1,4}$/

export const energyRemedy =
  'run as root, or let others read the counters: chmod o+r /sys/class/powercap/intel-rapl:*/energy_uj'

/** No package draws as much; a counter that tells more was reset, or is broken. */
const mostWatts = 5000
/** Readings are not taken at the very moment that the clock was read. */
const slackSeconds = 1

/** The energy counter of one package, which goes back to 0 after some minutes or hours. */
export class PackageEnergy {
  /** As the kernel calls it, such as package-0. */
  readonly name: string
  /** Since the first reading. */
  joules = 0
  /** Some of what it told cannot be, and was passed over: it drew more than `joules`. */
  hasGap = false
  /** It could not be read at the last time: of what it drew since nothing is known, unless it can be read again. */
  isLost = false
  readonly #rangeMicrojoules: number
  #before = Number.NaN
  #beforeAt = Number.NaN

  constructor(name: string, rangeMicrojoules: number) {
    this.name = name
    this.#rangeMicrojoules = rangeMicrojoules
  }

  /**
   * Takes a reading of the counter. One that is lower than the last has passed its end once: whoever reads it often
   * enough cannot have missed a second time. Where that would be more than a package can draw in the time, the counter was
   * set back, and what it counted since is lost.
   */
  take(microjoules: number, nowSeconds: number): void {
    const range = this.#rangeMicrojoules
    this.isLost = false
    if (!(microjoules >= 0 && microjoules <= range)) {
      this.hasGap = true
      return
    }
    const grown = microjoules - this.#before
    const joules = (grown >= 0 ? grown : grown + range) / 1e6
    const most = (nowSeconds - this.#beforeAt + slackSeconds) * mostWatts
    if (joules <= most) this.joules += joules
    else if (!Number.isNaN(grown)) this.hasGap = true
    this.#before = microjoules
    this.#beforeAt = nowSeconds
  }
}

interface Machine {
  readonly files: Files
  readonly clock: Pick<Clock, 'monotonicSeconds'>
}

/** Reads the counters of all packages of the machine again and again. */
export class Powercap {
  readonly packages: readonly PackageEnergy[]
  readonly #files: Files
  readonly #clock: Pick<Clock, 'monotonicSeconds'>
  readonly #descriptors: readonly number[]
  readonly #buffer = new Uint8Array(64)

  private constructor(
    { files, clock }: Machine,
    found: readonly { readonly energy: PackageEnergy; readonly descriptor: number }[],
  ) {
    this.#files = files
    this.#clock = clock
    this.packages = found.map(({ energy }) => energy)
    this.#descriptors = found.map(({ descriptor }) => descriptor)
  }

  static open(machine: Machine): Reading<Powercap> {
    const { files } = machine
    const names = files.list(directory)
    const packages = names.kind === 'ok' ? packagesIn(files, names.value) : []
    if (packages.length === 0)
      return unavailable(
        `this machine shows no energy counters (no intel-rapl packages in ${directory}); virtual machines have none`,
      )
    const found: { readonly energy: PackageEnergy; readonly descriptor: number }[] = []
    for (const { path, energy } of packages) {
      const descriptor = files.open(`${path}/energy_uj`)
      if (descriptor >= 0) found.push({ energy, descriptor })
    }
    // Some of them would be less than the machine used, and look like all of it.
    if (found.length < packages.length) {
      for (const { descriptor } of found) files.close(descriptor)
      return unavailable(`the energy counters are not ours to read; ${energyRemedy}`)
    }
    const powercap = new Powercap(machine, found)
    return powercap.read() ? ok(powercap) : unavailable('the energy counters gave no number')
  }

  /** The energy of all packages since they were first read. */
  get joules(): number {
    let sum = 0
    for (const { joules } of this.packages) sum += joules
    return sum
  }

  /** Whether it may have been more. */
  get hasGap(): boolean {
    return this.packages.some(({ hasGap, isLost }) => hasGap || isLost)
  }

  /** False where a counter could not be read. */
  read(): boolean {
    let isWhole = true
    const now = this.#clock.monotonicSeconds()
    this.packages.forEach((energy, index) => {
      const length = this.#files.read(this.#descriptors[index] ?? -1, this.#buffer)
      const microjoules = length > 0 ? parseCounter(this.#buffer.subarray(0, length)) : undefined
      if (microjoules === undefined) {
        isWhole = false
        energy.isLost = true
      } else energy.take(microjoules, now)
    })
    return isWhole
  }

  close(): void {
    for (const descriptor of this.#descriptors) this.#files.close(descriptor)
  }
}

const decoder = new TextDecoder('latin1')

function parseCounter(bytes: Uint8Array): number | undefined {
  const text = decoder.decode(bytes).trim()
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

function packagesIn(
  files: Files,
  names: readonly string[],
): { readonly path: string; readonly energy: PackageEnergy }[] {
  return names.flatMap((name) => {
    if (!packageName.test(name)) return []
    const path = `${directory}/${name}`
    const label = textOf(files, `${path}/name`)
    // `psys` is the whole platform, with the packages in it.
    if (label === undefined || !label.startsWith('package')) return []
    const range = Number(textOf(files, `${path}/max_energy_range_uj`) ?? NaN)
    return range > 0 ? [{ path, energy: new PackageEnergy(label, range) }] : []
  })
}

function textOf(files: Files, path: string): string | undefined {
  const text = files.readText(path)
  return text.kind === 'ok' ? text.value.trim() : undefined
}
