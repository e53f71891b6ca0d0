import type { DeviceSeries } from '../../model/series.ts'
import { Decimator } from './decimate.ts'
import type { GpuCurves } from './plot-job.ts'

/** What the cards of an attempt did over time, thinned so that it can be drawn. */
export function gpuCurves(devices: readonly DeviceSeries[], maxBuckets: number): GpuCurves[] {
  return devices
    .filter(({ kind }) => kind === 'gpu')
    .map(({ columns, rows }) => {
      const curve = (name: string) => {
        const [time, place] = [columns.indexOf('timestamp'), columns.indexOf(name)]
        const decimator = new Decimator(maxBuckets)
        for (const row of rows) decimator.add(row[time] ?? Number.NaN, row[place] ?? Number.NaN)
        return decimator.curve()
      }
      return {
        index: rows[0]?.[columns.indexOf('gpu_index')] ?? 0,
        utilizationPercent: curve('utilization_percent'),
        memoryBytes: curve('memory_used_bytes'),
      }
    })
    .toSorted((one, other) => one.index - other.index)
}
