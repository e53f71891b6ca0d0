import { closeSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { asStoreError, StoreError } from '../errors.ts'
import { isThere, makePrivateDirectories, openNew } from '../private-file.ts'
import { isForeignToRoot } from '../strangers.ts'

/** Which run of which ledger a series file belongs to. */
export interface SeriesRun extends SeriesName {
  readonly ledger: string
}

/** What the name of a series file tells. Runs of different ledgers may have the same. */
export interface SeriesName {
  readonly host: string
  readonly workflowId: number
  readonly runId: number
}

/** In the output directory. */
export const seriesFolder = 'resource_utilization'

const folderIn = (outputDirectory: string): string => join(outputDirectory, seriesFolder)

/** A host name is not ours: it must not become a way to another directory. */
const stemOf = ({ host, workflowId, runId }: SeriesName): string =>
  `resource_metrics_${host.replaceAll(/[^\w.-]/g, '_')}_${workflowId}_${runId}`

/** More files of one name than anybody keeps. */
const mostOfOneName = 100_000

/**
 * Makes an empty file for a run, which nobody else has: `resource_metrics_<hostname>_<workflow_id>_<run_id>.db`, and
 * where that is taken `….2.db` and so on. Answers its path.
 */
export function makeSeriesPath(outputDirectory: string, name: SeriesName): string {
  const folder = folderIn(outputDirectory)
  const stem = join(folder, stemOf(name))
  if (isForeignToRoot(stem))
    throw new StoreError(
      'unreadable',
      folder,
      'root does not create a series file where others can change it',
    )
  try {
    makePrivateDirectories(folder)
    for (let count = 1; count < mostOfOneName; count++) {
      const path = count === 1 ? `${stem}.db` : `${stem}.${count}.db`
      if (isMade(path)) return path
    }
  } catch (error) {
    throw asStoreError(error, folder, 'series file')
  }
  throw new StoreError('full', folder, `there are too many files called ${stemOf(name)}`)
}

function isMade(path: string): boolean {
  try {
    closeSync(openNew(path))
    return true
  } catch (error) {
    if (!isThere(error)) throw error
    return false
  }
}

/** The files that a run of this name may have left; undefined where there is no folder for them. */
export function seriesPaths(outputDirectory: string, name: SeriesName): string[] | undefined {
  const folder = folderIn(outputDirectory)
  const stem = stemOf(name)
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return undefined
  }
  return names
    .filter((file) => file.startsWith(stem) && /^(\.\d+)?\.db$/.test(file.slice(stem.length)))
    .toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1))
    .map((file) => join(folder, file))
}
