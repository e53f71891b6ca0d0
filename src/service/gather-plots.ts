import { basename } from 'node:path'
import { curvePhases } from '../analysis/series/curve-phases.ts'
import { gpuCurves } from '../analysis/series/gpu-curves.ts'
import { markedOnPlot } from '../analysis/series/marked-plot.ts'
import type { CurveCollector } from '../analysis/series/curve-collector.ts'
import type { AttemptCurves } from '../analysis/series/job-curves.ts'
import type {
  AttemptFigures,
  GpuCurves,
  PlotAttempt,
  PlotJob,
  PlotPhase,
} from '../analysis/series/plot-job.ts'
import type { Mark } from '../model/marks/mark.ts'
import type {
  SeriesFileAttempt,
  SeriesFileJob,
  SeriesFileReader,
} from '../store/series/series-file-reader.ts'
import { withSeries } from '../store/series/series-search.ts'
import { collectCurves } from './collect-curves.ts'

/** Twice as many points as a wide screen has pixels across; fewer for many jobs, whose pages are many too. */
export const bucketsOf = (jobs: number): number =>
  Math.min(2000, Math.max(300, Math.floor(400_000 / Math.max(1, jobs))))
/** Looking for phases takes some milliseconds a job. */
const mostJobsWithPhases = 200

/**
 * The same job in several files, as of several runs, is one job with more attempts; jobs of different ledgers never are
 * the same, though their number and name may be.
 */
export function gatherPlotJobs(
  paths: readonly string[],
  jobIds: readonly number[] | undefined,
): PlotJob[] {
  const jobs = new Map<string, PlotJob>()
  for (const path of paths) {
    const { collector, known, ledger, records, cards, marks } = readCurves(path, jobIds)
    const isDetailed = isDetailedFor(collector)
    for (const jobId of collector.jobIds) {
      const facts = known.get(jobId)
      const name = facts?.jobName ?? `job ${jobId}`
      const key = `${ledger} ${jobId} ${name}`
      const earlier = jobs.get(key)
      const place = paths.length === 1 ? '' : ` (${basename(path, '.db')})`
      const attempts = collector.curves(jobId).map((curves): PlotAttempt => ({
        label: `attempt ${curves.attempt}${place}`,
        curves,
        record: records.get(`${jobId}/${curves.attempt}`) ?? null,
        ...partsOf(curves, isDetailed, marks.get(`${jobId}/${curves.attempt}`) ?? []),
        gpus: cards.get(`${jobId}/${curves.attempt}`) ?? [],
      }))
      jobs.set(key, {
        jobId,
        name,
        requestedCpus: facts?.requestedCpus ?? null,
        requestedMemoryBytes: facts?.requestedMemoryBytes ?? null,
        requestedRuntimeSeconds: facts?.requestedRuntimeSeconds ?? null,
        attempts: [...(earlier?.attempts ?? []), ...attempts].toSorted(
          (a, b) => a.curves.startedAt - b.curves.startedAt,
        ),
      })
    }
  }
  return [...jobs.values()].toSorted((a, b) => a.jobId - b.jobId)
}

/** Phases that the program itself told of say more than what can be seen from outside. */
function partsOf(
  curves: AttemptCurves,
  isDetailed: boolean,
  marks: readonly Mark[],
): Pick<PlotAttempt, 'phases' | 'marks'> {
  const told = markedOnPlot(marks, curves)
  if (told.phases.length > 0) return told
  return { phases: isDetailed ? phasesOf(curves) : [], marks: told.marks }
}

const phasesOf = (curves: AttemptCurves): PlotPhase[] =>
  curvePhases(curves).map(({ kind, fromSeconds, toSeconds }) => ({
    startedAt: fromSeconds,
    endedAt: toSeconds,
    kind,
  }))

interface FileCurves {
  readonly collector: CurveCollector
  readonly known: ReadonlyMap<number, SeriesFileJob>
  readonly ledger: string | null
  /** Of attempts that have ended, by job and attempt. */
  readonly records: ReadonlyMap<string, AttemptFigures>
  /** The same for cards, of those that had some. */
  readonly cards: ReadonlyMap<string, readonly GpuCurves[]>
  /** The same for marks. */
  readonly marks: ReadonlyMap<string, readonly Mark[]>
}

function readCurves(path: string, jobIds: readonly number[] | undefined): FileCurves {
  return withSeries(path, (reader) => {
    const known = new Map(reader.jobs().map((job) => [job.jobId, job]))
    const buckets = bucketsOf(jobIds?.length ?? known.size)
    // `cpu_percent` may be of a run that goes on or was killed: it was written when nobody knew what later samples tell.
    const coresOf = (jobId: number): number => known.get(jobId)?.cores ?? Infinity
    const collector = collectCurves(reader, { jobIds, buckets, coresOf })
    return {
      collector,
      cards: cardsIn(reader, collector, buckets),
      marks: marksIn(reader, collector),
      known,
      ledger: reader.ledger(),
      records: recordsOf(reader.attempts()),
    }
  })
}

const isDetailedFor = ({ jobIds }: CurveCollector): boolean => jobIds.length <= mostJobsWithPhases

function cardsIn(
  reader: SeriesFileReader,
  collector: CurveCollector,
  buckets: number,
): ReadonlyMap<string, readonly GpuCurves[]> {
  const cards = new Map<string, readonly GpuCurves[]>()
  if (!isDetailedFor(collector)) return cards
  for (const jobId of collector.jobIds)
    for (const { attempt } of collector.curves(jobId)) {
      const found = gpuCurves(reader.series(jobId, attempt).devices(), buckets)
      if (found.length > 0) cards.set(`${jobId}/${attempt}`, found)
    }
  return cards
}

function marksIn(
  reader: SeriesFileReader,
  collector: CurveCollector,
): ReadonlyMap<string, readonly Mark[]> {
  const marks = new Map<string, readonly Mark[]>()
  if (!isDetailedFor(collector)) return marks
  for (const jobId of collector.jobIds)
    for (const { attempt } of collector.curves(jobId)) {
      const found = reader.marks(jobId, attempt)
      if (found.length > 0) marks.set(`${jobId}/${attempt}`, found)
    }
  return marks
}

function recordsOf(attempts: readonly SeriesFileAttempt[]): ReadonlyMap<string, AttemptFigures> {
  return new Map(
    attempts.flatMap(({ jobId, attempt, durationSeconds, usage }) =>
      usage === null ? [] : [[`${jobId}/${attempt}`, { durationSeconds, usage }]],
    ),
  )
}
