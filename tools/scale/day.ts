import { costs } from './costs.ts'
import { daySeconds, type Site } from './site.ts'

const minutesPerDay = daySeconds / 60

/** What a day brings: rows and bytes of each kind. */
export interface DayPart {
  readonly name: string
  readonly perDay: number
  readonly rows: number
  readonly bytes: number
}

/** Samples are kept in chunks of at most so many rows, one for each job here. */
export function dayOf(site: Site): readonly DayPart[] {
  const { jobsPerDay: jobs, samplesPerJob } = site
  const samples = jobs * samplesPerJob
  const minutes = site.nodes * minutesPerDay
  return [
    { name: 'records', perDay: jobs, rows: jobs, bytes: jobs * costs.recordBytes },
    { name: 'samples', perDay: samples, rows: jobs, bytes: samples * costs.sampleBytes },
    {
      name: 'minutes of nodes',
      perDay: minutes,
      rows: minutes * costs.nodeMinuteRows,
      bytes: minutes * costs.nodeMinuteBytes,
    },
  ]
}
