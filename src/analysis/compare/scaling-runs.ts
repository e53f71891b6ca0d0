import { isOpen } from '../../model/outcome.ts'
import type { JobRecord } from '../../model/record.ts'
import { cpuShortage, cpuWaitOf } from '../limits/cpu-shortage.ts'

/** Runs of one job on different numbers of workers. */
export interface ScalingRuns {
  /** What the number of workers was read from. */
  readonly workersFrom: string
  /** Parameters that say the same, whatever they are called. */
  readonly echoes: readonly string[]
  readonly runs: readonly ScalingRun[]
  /** How many of them had to wait for CPU time, so that they took longer than their workers needed. */
  readonly starved: number
  /** Why others were not taken, with how many. */
  readonly leftOut: readonly { readonly why: string; readonly count: number }[]
}

export interface ScalingRun {
  readonly taskId: string
  readonly workers: number
  readonly seconds: number
}

/** Parameters that say how many workers there are, by what people call them. */
const workerNames =
  /^(n_?|num_?|max_?)?(cpus?|cores?|threads?|workers?|procs?|processes|ranks|tasks|np|nt|jobs)$/i

/** Of a job that only the agent of its node saw, nobody knows whether it succeeded: it is over, and that must do. */
const isFinished = ({ status, durationSeconds, jobId, taskId }: JobRecord): boolean =>
  (durationSeconds ?? 0) > 0 &&
  (status === 'success' || (status === 'unknown' && jobId === null && taskId.includes(':')))

/**
 * The runs that can be compared: those that succeeded, of one job, with the same parameters but for the number
 * of workers. `parameter` names the one that holds it; else the CPU request does, or the parameter that
 * reads like it.
 */
export function scalingRuns(
  records: readonly JobRecord[],
  parameter: string | undefined,
): ScalingRuns {
  const finished = records.filter(isFinished)
  const source = parameter ?? findSource(finished)
  const counted = finished.flatMap((record) => {
    const workers = workersOf(record, source)
    return workers === null ? [] : [{ record, workers }]
  })
  // The group that says most: most different numbers of workers, then most runs.
  const [best = []] = sameWorks(counted, source).toSorted(
    (a, b) => distinct(b) - distinct(a) || b.length - a.length,
  )
  const others = records.filter((record) => !isFinished(record))
  const open = others.filter(({ status }) => isOpen(status)).length
  const watched = others.filter(({ status }) => status === 'unknown').length
  const leftOut = [
    { why: 'has not ended yet', count: open },
    // Its duration is that of the watching.
    { why: 'was only watched, so how long it took is not known', count: watched },
    { why: 'did not succeed', count: others.length - open - watched },
    { why: `has no ${sourceText(source)}`, count: finished.length - counted.length },
    ...otherWorks(counted, best, source),
  ]
  return {
    workersFrom: sourceText(source),
    echoes: echoesOfWorkers(ofSameJob(counted, best)).filter(
      (name) => name !== source && !workerNames.test(name),
    ),
    runs: best
      .map(({ record, workers }) => ({
        taskId: record.taskId,
        workers,
        seconds: record.durationSeconds ?? 0,
      }))
      .toSorted((a, b) => a.workers - b.workers || a.seconds - b.seconds),
    starved: best.filter(({ record }) => cpuShortage(cpuWaitOf(record)) !== undefined).length,
    leftOut: leftOut.filter(({ count }) => count > 0),
  }
}

/** null is the CPU request. */
type Source = string | null

const sourceText = (source: Source): string =>
  source === null ? 'CPU request' : `parameter ${source}`

function findSource(records: readonly JobRecord[]): Source {
  // A run without a number says nothing of how many workers there can be.
  const varies = (source: Source): boolean =>
    new Set(records.flatMap((record) => workersOf(record, source) ?? [])).size > 1
  if (varies(null)) return null
  const names = new Set(records.flatMap(({ params }) => Object.keys(params)))
  return [...names].find((name) => workerNames.test(name) && varies(name)) ?? null
}

function workersOf({ requirements, params }: JobRecord, source: Source): number | null {
  const value = source === null ? requirements.cpus : params[source]
  return typeof value === 'number' && value > 0 && Number.isFinite(value) ? value : null
}

interface CountedRun {
  readonly record: JobRecord
  readonly workers: number
}

/**
 * Parameters that only say again how many workers there are: they equal it in all runs, or are called so and
 * have one value for each number of workers. A multiple of another name may be a size that grows with the workers.
 */
function workerParameters(runs: readonly CountedRun[]): ReadonlySet<string> {
  const byWorkers = [...Map.groupBy(runs, ({ workers }) => workers).values()]
  const calledSo = namesIn(runs).filter(
    (name) =>
      workerNames.test(name) && byWorkers.every((group) => valuesOf(name, group).size === 1),
  )
  return new Set([...calledSo, ...echoesOfWorkers(runs)])
}

const echoesOfWorkers = (runs: readonly CountedRun[]): string[] =>
  namesIn(runs).filter((name) =>
    runs.every(({ record, workers }) => record.params[name] === workers),
  )

const namesIn = (runs: readonly CountedRun[]): string[] => [
  ...new Set(runs.flatMap(({ record }) => Object.keys(record.params))),
]

const valuesOf = (name: string, runs: readonly CountedRun[]) =>
  new Set(runs.map(({ record }) => JSON.stringify(record.params[name])))

/** Runs of the same name, program, script and other parameters do the same work. */
function sameWorks(runs: readonly CountedRun[], source: Source): CountedRun[][] {
  const jobs = Map.groupBy(runs, ({ record }) => jobKey(record))
  return [...jobs.values()].flatMap((job) => {
    // In all runs of the job: the runs of a sweep in which a size happens to equal the workers are a few of many.
    const echoes = new Set<string | null>([source, ...echoesOfWorkers(job)])
    const alike = Map.groupBy(job, ({ record }) =>
      workKey(record, (key) => echoes.has(key) || workerNames.test(key)),
    )
    return [...alike.values()].flatMap((group) => {
      const counts = workerParameters(group)
      const works = Map.groupBy(group, ({ record }) =>
        workKey(record, (key) => echoes.has(key) || counts.has(key)),
      )
      return [...works.values()]
    })
  })
}

const ofSameJob = (
  counted: readonly CountedRun[],
  best: readonly CountedRun[],
): readonly CountedRun[] =>
  counted.filter(({ record }) => best.some((run) => jobKey(run.record) === jobKey(record)))

/** Why counted runs are not among those that are compared. */
function otherWorks(
  counted: readonly CountedRun[],
  best: readonly CountedRun[],
  source: Source,
): ScalingRuns['leftOut'] {
  const ofOneJob = ofSameJob(counted, best)
  const counts = workerParameters(ofOneJob)
  const differing = namesIn(ofOneJob).filter(
    (name) => name !== source && !counts.has(name) && valuesOf(name, ofOneJob).size > 1,
  )
  return [
    { why: `has another value of ${inWords(differing)}`, count: ofOneJob.length - best.length },
    { why: 'is another job', count: counted.length - ofOneJob.length },
  ]
}

/** A few names will do to find out what the runs differ in. */
const inWords = (names: readonly string[]): string =>
  names.length > 3 ? `${names.slice(0, 3).join(', ')} or others` : names.join(' or ')

const jobKey = ({ name, tool, script }: JobRecord): string => JSON.stringify([name, tool, script])

function workKey(record: JobRecord, isLeftOut: (key: string) => boolean): string {
  const others = Object.entries(record.params)
    .filter(([key]) => !isLeftOut(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([jobKey(record), others])
}

const distinct = (runs: readonly { readonly workers: number }[]): number =>
  new Set(runs.map(({ workers }) => workers)).size
