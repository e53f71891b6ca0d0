import { megabyte } from '../../model/bytes.ts'
import type { DeviceSeries } from '../../model/series.ts'
import { roundKeeping } from '../units/figures.ts'

/** A column of a series that is made of the rows of a card. */
interface GpuColumn {
  readonly name: string
  readonly kind: 'gauge'
  readonly says: string
  /** As of the sample at this time; null where the card was not looked at then. */
  readonly at: (elapsedSeconds: number) => number | null
}

type Figure = (name: string) => number

const shown: readonly (readonly [name: string, says: string, of: (figure: Figure) => number])[] = [
  ['util', 'share of the last moment in which the card worked', (of) => of('utilization_percent')],
  ['memory_used_mb', 'memory in use on it', (of) => of('memory_used_bytes') / megabyte],
  ['memory_total_mb', 'memory that it has', (of) => of('memory_total_bytes') / megabyte],
  [
    'memory_pct',
    'the share of it in use',
    (of) => (100 * of('memory_used_bytes')) / of('memory_total_bytes'),
  ],
  ['temp_c', 'its temperature', (of) => of('temperature_celsius')],
  ['power_w', 'its power', (of) => of('power_watts')],
]

/** `gpu_0_util` and its like, for each card of the job. */
export function gpuColumns(devices: readonly DeviceSeries[]): GpuColumn[] {
  const cards = devices.filter(({ kind }) => kind === 'gpu').map(cardRows)
  return cards
    .toSorted((one, other) => one.index - other.index)
    .flatMap(({ index, rowAt }) =>
      shown.map(([name, says, of]): GpuColumn => ({
        name: `gpu_${index}_${name}`,
        kind: 'gauge',
        says,
        at(elapsedSeconds) {
          const figure = rowAt(elapsedSeconds)
          const value = figure === undefined ? Number.NaN : of(figure)
          return Number.isFinite(value) ? roundKeeping(value, 3) : null
        },
      })),
    )
}

interface CardRows {
  readonly index: number
  readonly rowAt: (elapsedSeconds: number) => Figure | undefined
}

/** A row of a card is of the same moment as a sample, or of none. */
function cardRows({ columns, rows }: DeviceSeries): CardRows {
  const timeAt = columns.indexOf('elapsed_seconds')
  const byTime = new Map(rows.map((row) => [row[timeAt] ?? Number.NaN, row]))
  const index = rows[0]?.[columns.indexOf('gpu_index')] ?? 0
  return {
    index,
    rowAt(elapsedSeconds) {
      const row = byTime.get(elapsedSeconds)
      return row === undefined ? undefined : (name) => row[columns.indexOf(name)] ?? Number.NaN
    },
  }
}
