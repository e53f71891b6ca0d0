import { CurveCollector } from '../analysis/series/curve-collector.ts'
import type { SeriesFileReader } from '../store/series/series-file-reader.ts'

/** Whose samples are read, and what is made of them. */
interface Wanted {
  /** Without it: all jobs. */
  readonly jobIds: readonly number[] | undefined
  /** As many points as a curve may have. */
  readonly buckets: number
  /** Of the machine that a job ran on. */
  readonly coresOf: (jobId: number) => number
}

/**
 * The curves of a series file. Whoever writes samples writes them as they come, so that sorting them, which takes longer than
 * all else, is hardly ever needed.
 */
export function collectCurves(reader: SeriesFileReader, wanted: Wanted): CurveCollector {
  const asWritten = readAsWritten(reader, wanted)
  return asWritten.isOrdered ? asWritten : readSorted(reader, wanted)
}

function readAsWritten(reader: SeriesFileReader, wanted: Wanted): CurveCollector {
  const collector = new CurveCollector(wanted.buckets)
  const query = { ordered: false, ...jobsOf(wanted) }
  if (!reader.hasCounters) {
    reader.eachSample(query, (sample) => collector.add(sample))
    return collector
  }
  reader.eachSample(query, (sample) => collector.addCounted(sample))
  if (!collector.isOrdered) return collector
  collector.deriveCpu(wanted.coresOf)
  // Jobs that run side by side have their samples spread over the whole file: to hold the counters of all of them would take
  // several times the memory of all else, and to read a large file again takes a second.
  for (;;) {
    const countersOf = collector.nextUncounted()
    if (countersOf === undefined) return collector
    reader.eachSample({ ...query, countersOf }, (sample) => collector.addCounters(sample))
    collector.deriveCpu(wanted.coresOf)
  }
}

/** By job and time: when the next job begins, there is nothing more to come of the one before. */
function readSorted(reader: SeriesFileReader, wanted: Wanted): CurveCollector {
  const collector = new CurveCollector(wanted.buckets, Infinity)
  let jobId = Number.NaN
  reader.eachSample({ ordered: true, ...jobsOf(wanted) }, (sample) => {
    if (!reader.hasCounters) return collector.add(sample)
    if (sample.jobId !== jobId) collector.deriveCpu(wanted.coresOf)
    jobId = sample.jobId
    collector.addCounted(sample)
  })
  collector.deriveCpu(wanted.coresOf)
  return collector
}

const jobsOf = ({ jobIds }: Wanted): { readonly jobIds?: readonly number[] } =>
  jobIds === undefined ? {} : { jobIds }
