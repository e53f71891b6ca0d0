import { failed, ok, type Reading } from '../model/reading.ts'
import type { AppendText } from '../system/append-file.ts'
import type { Files } from '../system/system.ts'
import { inColumnOrder, type Metrics } from './metric-names.ts'

/** A file of an earlier run that is larger is not read again to give it more columns. */
const mostBytes = 64 * 2 ** 20
const firstColumns = ['step', 'timestamp'] as const

/** One line of a file. */
export interface EpochRow {
  readonly epoch: number
  readonly step: number
  /** Seconds since 1970. */
  readonly timestamp: number
  readonly metrics: Metrics
}

/**
 * Writes `<directory>/epoch_<N>.csv`, each line as it comes. A file that is there is added to. A metric that appears late, as that of
 * a GPU whose driver takes a while to answer, gets a column that is empty in the lines before.
 */
export class EpochCsv {
  readonly #files: Files
  readonly #append: AppendText
  readonly #directory: string
  #path: string | undefined
  #columns: readonly string[] = []

  constructor(files: Files, append: AppendText, directory: string) {
    this.#files = files
    this.#append = append
    this.#directory = directory
  }

  pathOf(epoch: number): string {
    return `${this.#directory}/epoch_${epoch}.csv`
  }

  write({ epoch, step, timestamp, metrics }: EpochRow): Reading<true> {
    const path = this.pathOf(epoch)
    const ready = this.#prepare(path, inColumnOrder(Object.keys(metrics)))
    if (ready.kind !== 'ok') return ready
    const time = new Date(Math.round(timestamp * 1000)).toISOString()
    const cells = this.#columns.map((name) => cell(metrics[name]))
    return this.#append(path, `${[step, time, ...cells].join(',')}\n`)
  }

  /** Sees to it that the file is there, with a column for each of these. */
  #prepare(path: string, names: readonly string[]): Reading<true> {
    const isNew = this.#files.isMissing(path)
    if (path !== this.#path || isNew) {
      const begun = isNew ? this.#begin(path, names) : this.#takeUp(path)
      if (begun.kind !== 'ok') return begun
      this.#path = path
    }
    const further = names.filter((name) => !this.#columns.includes(name))
    return further.length === 0 ? ok(true) : this.#widen(path, further)
  }

  #begin(path: string, names: readonly string[]): Reading<true> {
    const made = this.#files.makeDirectories(this.#directory)
    if (made.kind !== 'ok') return made
    this.#columns = names
    return this.#append(path, header(names))
  }

  #takeUp(path: string): Reading<true> {
    const text = this.#files.readUtf8(path, mostBytes, 'plain')
    if (text.kind !== 'ok') return text
    const columns = columnsIn(text.value)
    if (columns === undefined) return failed(`${path} exists and is not such a file: left as it is`)
    this.#columns = columns
    return text.value.endsWith('\n') ? ok(true) : this.#append(path, '\n')
  }

  #widen(path: string, further: readonly string[]): Reading<true> {
    const text = this.#files.readUtf8(path, mostBytes, 'plain')
    if (text.kind !== 'ok') return text
    const columns = [...this.#columns, ...further]
    const [, ...rows] = text.value.split('\n')
    const blank = ','.repeat(further.length)
    const lines = rows.filter((row) => row !== '').map((row) => `${row}${blank}\n`)
    const whole = new TextEncoder().encode(header(columns) + lines.join(''))
    const saved = this.#files.save(path, [whole], 'page')
    if (saved.kind === 'ok') this.#columns = columns
    return saved
  }
}

const header = (names: readonly string[]): string => `${[...firstColumns, ...names].join(',')}\n`

/** Enough for every unit, and short. */
const cell = (figure: number | undefined): string =>
  figure === undefined || !Number.isFinite(figure) ? '' : String(Number(figure.toFixed(4)))

/** The metrics that a file has columns for; undefined where it is no such file. */
function columnsIn(text: string): readonly string[] | undefined {
  const [step, timestamp, ...names] = text.slice(0, text.search(/\r?\n|$/)).split(',')
  return step === firstColumns[0] && timestamp === firstColumns[1] ? names : undefined
}
