import type { JobBrief } from '../../src/server/schemas/job.ts'
import { momentSeconds } from '../moment.ts'
import { durationWords } from './duration-words.ts'
import { peakMemoryWords } from './share-figure.tsx'
import { Status } from './status.tsx'
import { Ago } from './time.tsx'

/** A job that ended, in a short list: what it was, how it ended and, where it failed, why. */
export function JobLine({ job }: { readonly job: JobBrief }) {
  const why = job.status === 'success' ? null : (job.error ?? exitWords(job))
  return (
    <li>
      <a class="line-link" data-row href={`/jobs/${job.task_id}`}>
        <strong class="what">{job.name}</strong>
        <Status status={job.status} />
        <small class="why">{why ?? figureWords(job)}</small>
        <small>
          <Ago at={momentSeconds(job.end_time) ?? momentSeconds(job.start_time)} />
        </small>
      </a>
    </li>
  )
}

const exitWords = ({ returncode }: JobBrief): string | null =>
  returncode === null ? null : `exit code ${returncode}`

function figureWords({ duration_seconds: seconds, usage, lower_bounds: bounds }: JobBrief): string {
  const words = [
    seconds === null ? null : `took ${durationWords(seconds, bounds)}`,
    peakMemoryWords(usage.memory_peak_bytes, bounds),
  ]
  return words.filter((each) => each !== null).join(' · ')
}
