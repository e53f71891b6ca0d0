import { join } from 'node:path'
import type { Ledger } from '../store/ledger.ts'
import type { System } from '../system/system.ts'
import { workflowSource } from './collect-report.ts'
import { NothingToPlot, writePlots } from './plot-files.ts'
import { saveReport } from './save-report.ts'

export interface RunOfWorkflow {
  readonly workflowId: number
  readonly outputDirectory: string
  /** null where the run kept no series. */
  readonly seriesPath: string | null
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
  { workflowId, outputDirectory, seriesPath }: RunOfWorkflow,
): PagesWritten | undefined {
  const stored = ledger.workflows.findWorkflow(workflowId)
  if (stored === undefined) return undefined
  const reportPath = join(outputDirectory, 'report.html')
  saveReport(system, workflowSource(system, ledger, stored, 'local'), reportPath, 'own')
  if (seriesPath === null || system.files.fingerprint(seriesPath).kind !== 'ok')
    return { reportPath, plotPaths: [] }
  return { reportPath, plotPaths: plotsOf(system, seriesPath, join(outputDirectory, 'plots')) }
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
