import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEpochSeries, type EpochSeries } from '../../src/analysis/training/epoch-series.ts'

/** What the training loop itself noted down. */
interface Facts {
  readonly epochs: readonly { batches: number; seconds: number; started: number; ended: number }[]
}

export interface Check {
  readonly what: string
  readonly ours: number
  readonly theirs: number
  readonly agrees: boolean
}

/** Batches between two lines of the callback, as `train-lightning.py` sets it. */
const batchesALine = 5

/**
 * Compares what the callback wrote into a folder (`resource_logs/epoch_*.csv`, `console.txt`) with what the loop noted down
 * (`training.json`) and with what `nvidia-smi` said meanwhile (`nvidia-smi.csv`, where there was a card).
 */
export function checkTraining(folder: string): readonly Check[] {
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8')
  const facts = JSON.parse(read('training.json')) as Facts
  const series = [0, 1, 2].map((epoch): EpochSeries => {
    const parsed = parseEpochSeries(epoch, read(`resource_logs/epoch_${epoch}.csv`))
    if (parsed === undefined) throw new Error(`epoch_${epoch}.csv is not as it should be`)
    return parsed
  })
  const smi = existsSync(join(folder, 'nvidia-smi.csv')) ? read('nvidia-smi.csv') : ''
  return [
    ...facts.epochs.flatMap((epoch, at) => checkEpoch(epoch, series[at])),
    check(
      'console blocks',
      read('console.txt').match(/^\[Resources\] Batch \d+:$/gm)?.length ?? 0,
      series.reduce((sum, { steps }) => sum + steps.length, 0),
      0,
    ),
    ...checkCard(facts, series, smi.trimEnd().split('\n').slice(1)),
  ]
}

const check = (what: string, ours: number, theirs: number, tolerance: number): Check => ({
  what,
  ours,
  theirs,
  agrees: Math.abs(ours - theirs) <= tolerance,
})

function checkEpoch(
  { batches, seconds }: Facts['epochs'][number],
  series: EpochSeries | undefined,
): readonly Check[] {
  const epoch = series?.epoch
  // Rows have the means of the batches since the last row; the first has one, the others five.
  const means = series?.figures.get('batch_time_mean_ms') ?? []
  const ours = means.reduce((sum, ms, row) => sum + ms * (row === 0 ? 1 : batchesALine), 0)
  const counted = 1 + batchesALine * (means.length - 1)
  const theirs = (seconds / batches) * 1000
  const rows = Math.ceil(batches / batchesALine)
  return [
    check(`rows of epoch ${epoch}`, series?.steps.length ?? 0, rows, 0),
    check(`batch time of epoch ${epoch} (ms)`, ours / counted, theirs, 0.1 * theirs + 0.3),
  ]
}

/** `smi`: lines of a time, the number of the card, and what `train-lightning.ts` asks for. */
function checkCard(
  facts: Facts,
  series: readonly EpochSeries[],
  smi: readonly string[],
): readonly Check[] {
  if (smi.length === 0) return []
  // While batches ran, and not before or between epochs; what is told of a card is of the last second.
  const isAtWork = (time: number): boolean =>
    facts.epochs.some(({ started, ended }) => time > started + 1.5 && time < ended)
  const ours = (name: string): number =>
    mean(
      series.flatMap(({ times, figures }) =>
        (figures.get(name) ?? []).filter((_, row) => isAtWork(times[row] ?? NaN)),
      ),
    )
  const samples = smi
    .map((line) => line.split(', '))
    .filter(([time = '', index]) => index === '0' && isAtWork(Date.parse(time) / 1000))
  const theirs = (column: number): number => mean(samples.map((cells) => Number(cells[column])))
  const compare = (what: string, name: string, column: number, tolerance: number): Check =>
    check(what, ours(name), theirs(column), tolerance)
  return [
    compare('GPU utilization (%)', 'gpu_0_util', 2, 5),
    compare('GPU memory (MB)', 'gpu_0_memory_used_mb', 3, 0.02 * theirs(3)),
    compare('GPU memory in all (MB)', 'gpu_0_memory_total_mb', 4, 1),
    compare('GPU temperature (°C)', 'gpu_0_temp_c', 5, 2),
    compare('GPU power (W)', 'gpu_0_power_w', 6, 0.05 * theirs(6)),
  ]
}

function mean(values: readonly number[]): number {
  const told = values.filter(Number.isFinite)
  return told.reduce((sum, value) => sum + value, 0) / told.length
}
