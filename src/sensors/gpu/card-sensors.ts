import type { Files } from '../../system/system.ts'

/** Which of a card's temperatures stands for it, by the kernel's labels: not every card has the first of them. */
const temperatureLabels = ['edge', 'junction', 'pkg']

/**
 * Where a limit or a counter may be: the first that stands above 0, for one at 0 is one that this card does not have. `1` is
 * the card, `2` its chip.
 */
const powerLimits = ['power1_cap', 'power1_max', 'power2_cap', 'power2_max']
const energyCounters = ['energy1_input', 'energy2_input']

/** The sensors of a card that the kernel shows in `hwmon`: drivers number and name them differently. */
export class CardSensors {
  readonly #files: Files
  readonly #folder: string
  readonly #temperature: string
  #powerLimit = ''
  /** Intel's drivers count energy, and tell no power. */
  #energy = ''
  #joules = Number.NaN
  #readAt = Number.NaN

  private constructor(files: Files, folder: string, names: readonly string[]) {
    this.#files = files
    this.#folder = folder
    this.#temperature = temperatureOf(files, folder, names)
  }

  /** Null for a card without any. */
  static open(files: Files, device: string, driver: string): CardSensors | null {
    const all = files.list(`${device}/hwmon`)
    if (all.kind !== 'ok') return null
    const folders = all.value.toSorted().map((name) => `${device}/hwmon/${name}`)
    const folder = folders.find((each) => lineIn(files, `${each}/name`) === driver) ?? folders[0]
    if (folder === undefined) return null
    const names = files.list(folder)
    return new CardSensors(files, folder, names.kind === 'ok' ? names.value : [])
  }

  /** Of AMD's cards, those in a CPU alone tell the voltage of its north bridge. */
  get areOfCpu(): boolean {
    return lineIn(this.#files, `${this.#folder}/in1_label`) === 'vddnb'
  }

  get temperatureCelsius(): number {
    return this.#number(this.#temperature) / 1000
  }

  get powerLimitWatts(): number {
    this.#powerLimit ||= this.#firstAboveZero(powerLimits)
    return this.#number(this.#powerLimit) / 1e6
  }

  get clockMegahertz(): number {
    return this.#number('freq1_input') / 1e6
  }

  /** As of the last time that power was asked for. */
  get energyJoules(): number {
    return this.#joules
  }

  /** A mean over the time in which the card sleeps does not tell what it draws when it is awake again. */
  sleep(): void {
    this.#readAt = Number.NaN
  }

  /** As the driver tells it; else the mean since the last time, by the energy counter. */
  powerWatts(nowSeconds: number): number {
    const before = this.#joules
    const seconds = nowSeconds - this.#readAt
    this.#energy ||= this.#firstAboveZero(energyCounters)
    this.#joules = this.#number(this.#energy) / 1e6
    this.#readAt = nowSeconds
    for (const name of ['power1_average', 'power1_input']) {
      const told = this.#number(name) / 1e6
      // The second die of a card that has two says 0: the first one tells what both draw.
      if (told > 0) return told
    }
    const grown = this.#joules - before
    // A counter that stands still does not count: every card draws power.
    return seconds > 0 && grown > 0 ? grown / seconds : Number.NaN
  }

  #firstAboveZero(names: readonly string[]): string {
    return names.find((name) => this.#number(name) > 0) ?? ''
  }

  #number(name: string): number {
    return name === '' ? Number.NaN : numberIn(this.#files, `${this.#folder}/${name}`)
  }
}

function temperatureOf(files: Files, folder: string, names: readonly string[]): string {
  const inputs = names
    .flatMap((name) => /^temp(\d+)_input$/.exec(name)?.[1] ?? [])
    .toSorted((one, other) => Number(one) - Number(other))
  const labels = new Map(
    inputs.map((number) => [lineIn(files, `${folder}/temp${number}_label`), number]),
  )
  const label = temperatureLabels.find((each) => labels.has(each))
  const chosen = label === undefined ? inputs[0] : labels.get(label)
  return chosen === undefined ? '' : `temp${chosen}_input`
}

/** The one line of a file; empty where it cannot be read. */
export function lineIn(files: Files, path: string): string {
  const read = files.readText(path)
  return read.kind === 'ok' ? read.value.trim() : ''
}

/** NaN where the file cannot be read or says something else. */
export function numberIn(files: Files, path: string): number {
  const text = lineIn(files, path)
  return /^\d+$/.test(text) ? Number(text) : Number.NaN
}
