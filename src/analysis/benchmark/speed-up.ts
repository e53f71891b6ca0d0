import { cellLabel, type BenchmarkCell } from '../../model/benchmark.ts'
import { meanRatio, type MeanRatio } from './mean-ratio.ts'

export interface CellTimes {
  readonly cell: BenchmarkCell
  readonly seconds: readonly number[]
}

/** How much faster a cell is than the one that it is held against. */
export interface SpeedUp {
  readonly cell: BenchmarkCell
  /** The cell with the fewest workers and otherwise the same values; the first one where no parameter counts workers. */
  readonly against: BenchmarkCell
  /** Mean time there ÷ mean time here; null where either has no run. */
  readonly speedUp: MeanRatio | null
  /** How many times more workers it has; null where no parameter counts them. */
  readonly times: number | null
  /** Speed-up ÷ times. */
  readonly efficiency: MeanRatio | null
}

/** Parameters that say how many workers share the work. */
const workerNames =
  /^(cpus?|cores?|threads?|workers?|procs?|processes|jobs?|ranks?|n_?(cpus|cores|threads|workers|procs|jobs)|omp_num_threads|num_(threads|workers|cpus))$/i

export function speedUps(cells: readonly CellTimes[]): SpeedUp[] {
  const [first] = cells
  if (first === undefined || cells.length < 2) return []
  const workers = Object.keys(first.cell).find(
    (name) =>
      workerNames.test(name) &&
      new Set(cells.map(({ cell }) => cell[name])).size > 1 &&
      cells.every(({ cell }) => Number(cell[name]) > 0),
  )
  return cells.map(({ cell, seconds }) => {
    const base = workers === undefined ? first : fewest(cells, cell, workers)
    const speedUp = meanRatio(base.seconds, seconds) ?? null
    const times = workers === undefined ? null : Number(cell[workers]) / Number(base.cell[workers])
    return {
      cell,
      against: base.cell,
      // A cell against itself is exactly as fast.
      speedUp: speedUp !== null && cell === base.cell ? exactlyOne : speedUp,
      times,
      efficiency: efficiencyOf(cell === base.cell ? exactlyOne : speedUp, times),
    }
  })
}

const exactlyOne: MeanRatio = { ratio: 1, interval: null }

function efficiencyOf(speedUp: MeanRatio | null, times: number | null): MeanRatio | null {
  if (speedUp === null || times === null) return null
  const { ratio, interval } = speedUp
  return {
    ratio: ratio / times,
    interval: interval === null ? null : { low: interval.low / times, high: interval.high / times },
  }
}

/** Of the cells that differ from this one in the number of workers only. */
function fewest(cells: readonly CellTimes[], cell: BenchmarkCell, workers: string): CellTimes {
  const others = (one: BenchmarkCell): string => cellLabel({ ...one, [workers]: '' })
  const alike = cells.filter((one) => others(one.cell) === others(cell))
  return alike.reduce((least, one) =>
    Number(one.cell[workers]) < Number(least.cell[workers]) ? one : least,
  )
}
