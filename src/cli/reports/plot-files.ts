import { join } from 'node:path'
import type { PlotJob } from '../../analysis/series/plot-job.ts'
import { gatherPlotJobs } from '../../service/gather-plots.ts'
import { whyNot } from '../../model/reading.ts'
import { formatCount } from '../../render/units/figures.ts'
import { count } from '../../model/count.ts'
import { jobFigure } from '../../render/plot/job-figure.ts'
import {
  overviewFigure,
  overviewNote,
  type OverviewMetric,
} from '../../render/plot/overview-figure.ts'
import { onClock, plotClock, type PlotClock } from '../../render/plot/plot-clock.ts'
import { attemptFacts } from '../../render/plot/plot-figures.ts'
import type { PlotPage } from '../../render/plot/figure.ts'
import { plotPages, type PlotlyPlace } from '../../render/plot/plot-page.ts'
import { summaryFigure, summaryNote } from '../../render/plot/summary-figure.ts'
import type { Zone } from '../../render/units/zoned-time.ts'
import type { System } from '../../system/system.ts'
import { UserError } from '../../service/user-error.ts'
import { pageScript, readPlotly } from './page-script.ts'

export interface PlotRequest {
  readonly paths: readonly string[]
  readonly directory: string
  readonly prefix: string
  /** For their owner alone, or pages that others may read where the umask lets them, which is the default. */
  readonly kind?: 'own' | 'page'
  /** Whether each page has Plotly in it, a megabyte, and can be passed on alone. */
  readonly isSelfContained?: boolean
  /** In which times are shown; people's own unless told otherwise. */
  readonly zone?: Zone
  /** Without it: all jobs. */
  readonly jobIds?: readonly number[]
}

export interface PlotsWritten {
  /** Paths, in the order in which they were written. */
  readonly pages: readonly string[]
  /** Where the one copy of Plotly is that the pages share; null where each has its own. */
  readonly plotly: string | null
  readonly jobs: number
  readonly samples: number
}

/** The files have no samples of what was asked for. */
export class NothingToPlot extends UserError {}

/** Reads series files and writes all pages of plots. */
export function writePlots(system: System, request: PlotRequest): PlotsWritten {
  const read = gatherPlotJobs(request.paths, request.jobIds)
  if (read.length === 0) throw new NothingToPlot(nothingToPlot(request))
  const clock = plotClock(read, request.zone ?? 'local')
  const jobs = read.map((job) => onClock(job, clock))
  const made = system.files.makeDirectories(request.directory)
  if (made.kind !== 'ok')
    throw new UserError(
      `${request.directory} cannot be created (${whyNot(made)}). Name another directory with -o`,
    )
  const { place, path: plotlyPath } = placePlotly(system, request)
  const page = plotPages(place, pageScript(system, 'plot'))
  const pages: string[] = []
  const save = (name: string, content: Omit<PlotPage, 'pictureName'>) => {
    const path = join(request.directory, `${request.prefix}_${name}.html`)
    const pictureName = `${request.prefix}_${name}`
    const saved = system.files.save(path, page({ ...content, pictureName }), request.kind ?? 'page')
    if (saved.kind !== 'ok') throw new UserError(`${whyNot(saved)}: not written`)
    pages.push(path)
  }
  for (const [name, job] of pageNames(jobs)) save(name, jobPage(job, clock))
  save('cpu_all_jobs', overviewPage(jobs, 'cpuPercent', 'CPU of all jobs', clock))
  save('memory_all_jobs', overviewPage(jobs, 'memoryBytes', 'Memory of all jobs', clock))
  save('summary', {
    title: 'Peak and mean of all jobs',
    note: summaryNote(jobs),
    canAlign: false,
    figure: summaryFigure(jobs),
  })
  const samples = jobs.flatMap((job) => job.attempts.map(({ curves }) => curves.samples))
  return {
    pages,
    plotly: plotlyPath,
    jobs: jobs.length,
    samples: samples.reduce((sum, some) => sum + some, 0),
  }
}

/** Puts one copy of Plotly beside the pages, under a name that tells its content; or has it put into each of them. */
function placePlotly(
  system: System,
  { directory, kind = 'page', isSelfContained = false }: PlotRequest,
): { place: PlotlyPlace; path: string | null } {
  const { bytes, hash } = readPlotly(system)
  const source = new TextDecoder().decode(bytes)
  if (isSelfContained) return { place: { kind: 'inside', source }, path: null }
  const version = /\bv(\d+(?:\.\d+)*)/.exec(source.slice(0, 200))?.[1] ?? ''
  const fileName = `plotly-${version}-${hash.slice(0, 16)}.min.js`
  const path = join(directory, fileName)
  // Written anew each time: what is there may be somebody else's, and would be run by whoever opens a page.
  const saved = system.files.saveAnew(path, [bytes], kind)
  if (saved.kind !== 'ok')
    throw new UserError(
      `${whyNot(saved)}: not written. Name another directory with -o, or use --self-contained`,
    )
  return { place: { kind: 'beside', fileName }, path }
}

function jobPage(job: PlotJob, clock: PlotClock): Omit<PlotPage, 'pictureName'> {
  const last = job.attempts.at(-1)
  const facts = [
    `Job ${job.jobId}`,
    count(job.attempts.length, 'attempt'),
    ...(last === undefined ? [] : attemptFacts(last)),
    last === undefined ? '' : `${formatCount(last.curves.samples)} samples`,
  ]
  return {
    title: job.name,
    note: facts.filter(Boolean).join(' · '),
    canAlign: false,
    figure: jobFigure(job, clock.title),
  }
}

const overviewPage = (
  jobs: readonly PlotJob[],
  metric: OverviewMetric,
  title: string,
  clock: PlotClock,
): Omit<PlotPage, 'pictureName'> => ({
  title,
  note: overviewNote(jobs, metric),
  canAlign: true,
  figure: overviewFigure(jobs, metric, clock.title),
})

/** `job_7`; where files of different ledgers each have a job 7, the second is `job_7_2`. */
function pageNames(jobs: readonly PlotJob[]): [string, PlotJob][] {
  const seen = new Map<number, number>()
  return jobs.map((job) => {
    const times = (seen.get(job.jobId) ?? 0) + 1
    seen.set(job.jobId, times)
    return [`job_${job.jobId}${times === 1 ? '' : `_${times}`}`, job]
  })
}

function nothingToPlot({ paths, jobIds }: PlotRequest): string {
  const which = jobIds === undefined ? 'samples' : `samples of job ${jobIds.join(', ')}`
  return `there are no ${which} in ${paths.join(', ')}`
}
