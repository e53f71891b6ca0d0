/** The figures of one epoch, as a CSV file has them: a row for each batch that was logged. */
export interface EpochSeries {
  readonly epoch: number
  readonly steps: readonly number[]
  /** Seconds since 1970. */
  readonly times: readonly number[]
  /** By name; NaN where nothing was measured. */
  readonly figures: ReadonlyMap<string, readonly number[]>
  /** Lines that are no rows, such as one that was cut short. */
  readonly brokenLines: number
}

/** Reads the text of a file; undefined where it is not one of those that a training writes. */
export function parseEpochSeries(epoch: number, text: string): EpochSeries | undefined {
  const [head = '', ...lines] = text.split(/\r?\n/)
  const [step, timestamp, ...names] = head.split(',')
  if (step !== 'step' || timestamp !== 'timestamp') return undefined
  const written = lines.filter((line) => line !== '').map((line) => line.split(','))
  const rows = written.filter(
    (cells) =>
      cells.length === names.length + 2 &&
      Number.isSafeInteger(numberIn(cells[0])) &&
      Number.isFinite(timeIn(cells[1])),
  )
  return {
    epoch,
    steps: rows.map((cells) => numberIn(cells[0])),
    times: rows.map((cells) => timeIn(cells[1])),
    figures: new Map(names.map((name, at) => [name, rows.map((cells) => numberIn(cells[at + 2]))])),
    brokenLines: written.length - rows.length,
  }
}

const numberIn = (cell: string | undefined): number =>
  cell === undefined || cell.trim() === '' ? NaN : Number(cell)

const timeIn = (cell: string | undefined): number => Date.parse(cell ?? '') / 1000

/** A training as it is drawn. */
export interface EpochTimeline {
  /** In order. */
  readonly epochs: readonly EpochSeries[]
  /** Rows that an earlier run left in the same files or folder. */
  readonly earlierRows: number
}

/**
 * The last run of a training. Files are added to, so that they may hold several: where steps go back, another began. And where a
 * later epoch was over before the one before it began, it is of an earlier run that came further.
 */
export function lastRun(files: readonly EpochSeries[]): EpochTimeline {
  const all = files.toSorted((a, b) => a.epoch - b.epoch)
  const rows = all.reduce((sum, { steps }) => sum + steps.length, 0)
  const epochs: EpochSeries[] = []
  for (const file of all) {
    const epoch = from(file, lastStart(file.steps))
    const before = epochs.at(-1)?.times[0] ?? -Infinity
    if ((epoch.times.at(-1) ?? -Infinity) >= before) epochs.push(epoch)
  }
  const shown = epochs.reduce((sum, { steps }) => sum + steps.length, 0)
  return { epochs: epochs.filter(({ steps }) => steps.length > 0), earlierRows: rows - shown }
}

function lastStart(steps: readonly number[]): number {
  let start = 0
  for (let at = 1; at < steps.length; at++) if ((steps[at] ?? 0) <= (steps[at - 1] ?? 0)) start = at
  return start
}

const from = (series: EpochSeries, start: number): EpochSeries => ({
  ...series,
  steps: series.steps.slice(start),
  times: series.times.slice(start),
  figures: new Map([...series.figures].map(([name, values]) => [name, values.slice(start)])),
})
