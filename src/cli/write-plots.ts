import { join } from 'node:path'
import type { Ledger } from '../store/ledger.ts'
import { seriesPath } from '../store/sqlite/series-file.ts'
import type { System } from '../system/system.ts'
import { workflowSource } from './collect-report.ts'
import { NothingToPlot, writePlots } from './plot-files.ts'
import { saveReport } from './save-report.ts'

export interface RunOfWorkflow {
  readonly workflowId: number
  readonly runId: number
  readonly outputDirectory: string
}

export interface PagesWritten {
  readonly reportPath: string
  /** Empty where the run kept no series. */
  readonly plotPaths: readonly string[]
}

/** What `generate_plots: true` leaves in the output directory: `report.html`, and `plots/` where there is a series. */
export function writePlotsAndPage(
  system: System,
  ledger: Ledger,
  { workflowId, runId, outputDirectory }: RunOfWorkflow,
): PagesWritten | undefined {
  const stored = ledger.workflows.findWorkflow(workflowId)
  if (stored === undefined) return undefined
  const reportPath = join(outputDirectory, 'report.html')
  saveReport(system, workflowSource(system, ledger, stored, 'local'), reportPath, 'own')
  const series = seriesPath(outputDirectory, { host: system.host.name, workflowId, runId })
  const hasSeries = system.files.fingerprint(series).kind === 'ok'
  const directory = join(outputDirectory, 'plots')
  const plotPaths = hasSeries ? plotsOf(system, series, directory) : []
  return { reportPath, plotPaths }
}

/** A run that had nothing left to do, or only jobs that were over at once, has a series without samples. */
function plotsOf(system: System, series: string, directory: string): readonly string[] {
  try {
    return writePlots(system, {
      paths: [series],
      directory,
      prefix: 'resource_plot',
      kind: 'own',
    }).pages
  } catch (error) {
    if (error instanceof NothingToPlot) return []
    throw error
  }
}
