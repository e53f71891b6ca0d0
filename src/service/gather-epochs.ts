import { join } from 'node:path'
import {
  lastRun,
  parseEpochSeries,
  type EpochSeries,
  type EpochTimeline,
} from '../analysis/training/epoch-series.ts'
import { whyNot } from '../model/reading.ts'
import type { System } from '../system/system.ts'
import { UserError } from './user-error.ts'

const mostBytes = 256 * 2 ** 20

/** The last training in a folder with a CSV file for each epoch. */
export function gatherEpochs({ files }: System, directory: string): EpochTimeline {
  const listed = files.list(directory)
  if (listed.kind !== 'ok') throw new UserError(whyNot(listed))
  const series = listed.value.flatMap((name): EpochSeries[] => {
    const epoch = /^epoch_(\d{1,15})\.csv$/.exec(name)?.[1]
    if (epoch === undefined) return []
    const path = join(directory, name)
    const text = files.readUtf8(path, mostBytes, 'plain')
    if (text.kind !== 'ok') throw new UserError(whyNot(text))
    const read = parseEpochSeries(Number(epoch), text.value)
    if (read !== undefined) return [read]
    throw new UserError(`${path} does not begin with step,timestamp: move it elsewhere`)
  })
  const timeline = lastRun(series)
  if (timeline.epochs.length > 0) return timeline
  throw new UserError(
    `there are no rows of epoch_0.csv, epoch_1.csv … in ${directory}. ResourceMonitorCallback writes them to its timeseriesPath`,
  )
}
