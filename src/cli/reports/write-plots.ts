import { join } from 'node:path'
import type { LedgerReader } from '../../store/ledger/ledger-reader.ts'
import type { System } from '../../system/system.ts'
import { reportSource } from '../../render/page/report-words.ts'
import { version } from '../version.ts'
import { gatherWorkflow, seriesOfRuns } from '../../service/gather-report.ts'
import { NothingToPlot, writePlots, type PlotRequest } from './plot-files.ts'
import { saveReport } from './save-report.ts'

export interface RunOfWorkflow {
  readonly workflowId: number
  readonly outputDirectory: string
}

export interface PagesWritten {
  readonly reportPath: string
  /** Empty where no run kept a series. */
  readonly plotPaths: readonly string[]
}

/** What `generate_plots: true` leaves in the output directory: `report.html`, and `plots/` where there is a series. */
export async function writePlotsAndPage(
  system: System,
  reader: LedgerReader,
  { workflowId, outputDirectory }: RunOfWorkflow,
): Promise<PagesWritten | undefined> {
  const stored = await reader.workflows.findWorkflow(workflowId)
  if (stored === undefined) return undefined
  const reportPath = join(outputDirectory, 'report.html')
  const gathered = await gatherWorkflow(system, reader, stored)
  saveReport(system, reportSource(gathered, { zone: 'local', version }), reportPath, 'own')
  // A run that was resumed has only what was left to do; the rest is in the series of those before it.
  const runs = await reader.workflows.runs(workflowId)
  const results = await reader.workflows.results(workflowId, { allRuns: true })
  const plotPaths = plotsOf(system, {
    paths: [...seriesOfRuns(reader, workflowId, runs, results).values()].flat(),
    directory: join(outputDirectory, 'plots'),
    prefix: 'resource_plot',
    kind: 'own',
    // A mended file may have no place for some any more.
    jobIds: stored.jobs.map(({ jobId }) => jobId),
  })
  return { reportPath, plotPaths }
}

/** Runs that kept no series, or had only jobs that were over at once, have no samples. */
function plotsOf(system: System, request: PlotRequest): readonly string[] {
  try {
    return writePlots(system, request).pages
  } catch (error) {
    if (error instanceof NothingToPlot) return []
    throw error
  }
}
