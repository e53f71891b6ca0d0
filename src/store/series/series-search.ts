import { dirname, resolve } from 'node:path'
import { StoreError } from '../errors.ts'
import { seriesPaths, type SeriesName, type SeriesRun } from './series-path.ts'
import { SeriesWatch } from './series-watch.ts'
import { openSeriesReader, type SeriesFileReader } from './series-file-reader.ts'

/** What was found of a run's series files. */
export type SeriesFound =
  | { readonly kind: 'found'; readonly paths: readonly string[] }
  /** There is no folder for them: it was moved or removed, or was never made. */
  | { readonly kind: 'no folder' }
  /** There is none of this run in the folder; `trouble` is with one that may be. */
  | { readonly kind: 'no file'; readonly trouble: string | null }

/** Where a ledger's owner keeps the samples of runs whose own directory others can change. */
export const placeBeside = (ledger: string): string => dirname(resolve(ledger))

/**
 * Finds the series files of a run by the ids of its attempts, in its directory or beside its ledger. By its name alone a
 * file may be another ledger's, of a workflow with the same number.
 */
export function findSeries(
  outputDirectory: string,
  run: SeriesRun,
  taskIds: ReadonlySet<string>,
): SeriesFound {
  const beside = findIn(placeBeside(run.ledger), run, taskIds)
  return beside.kind === 'found' ? beside : findIn(outputDirectory, run, taskIds)
}

/** The file that a run writes now, if it writes one: after it has lost one, the run makes another, which comes last. */
export function openRunSeries(outputDirectory: string, run: SeriesRun): SeriesWatch | undefined {
  for (const directory of [placeBeside(run.ledger), outputDirectory])
    for (const path of seriesPaths(directory, run)?.toReversed() ?? []) {
      const series = openIfOf(path, run.ledger)
      if (series !== undefined) return series
    }
  return undefined
}

function openIfOf(path: string, ledger: string): SeriesWatch | undefined {
  try {
    const series = SeriesWatch.open(path)
    if (series?.isOf(ledger) === true) return series
    series?.close()
    return undefined
  } catch {
    // It is of another program or version, is being made, or is locked just now.
    return undefined
  }
}

function findIn(
  outputDirectory: string,
  name: SeriesName,
  taskIds: ReadonlySet<string>,
): SeriesFound {
  const candidates = seriesPaths(outputDirectory, name)
  if (candidates === undefined) return { kind: 'no folder' }
  let trouble: string | null = null
  const paths = candidates.filter((path) => {
    try {
      return withSeries(path, (reader) => reader.taskIds().some((id) => taskIds.has(id)))
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      trouble = error.message
      return false
    }
  })
  return paths.length > 0 ? { kind: 'found', paths } : { kind: 'no file', trouble }
}

/** Reads a series file and closes it. */
export function withSeries<T>(path: string, read: (reader: SeriesFileReader) => T): T {
  const reader = openSeriesReader(path)
  try {
    return read(reader)
  } finally {
    reader.close()
  }
}
