import '../style/jobs.css'
import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { formatCount } from '../../src/render/units/figures.ts'
import { unread, withChanges } from '../live/merge.ts'
import { changedJobs } from '../live/news.ts'
import { Empty } from '../parts/empty.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Title } from '../parts/title.tsx'
import { query } from '../route.ts'
import { useAskAbout } from './jobs/ask-about.ts'
import { FilterForm } from './jobs/filter-form.tsx'
import { belongsTo, filterIn, fitIn } from './jobs/filter.ts'
import { JobTable } from './jobs/job-table.tsx'
import { useJobs } from './jobs/pages-read.ts'

export default function Jobs() {
  const filter = filterIn(query.value)
  const isNarrowed = Object.keys(filter).length > 0
  const { read, more, again } = useJobs(filter)
  const chosen = useSignal<readonly string[]>([])
  const { jobs: stored, next, isWaiting, error } = read.value
  const changed = changedJobs.value
  const jobs = useMemo(
    () => withChanges(stored, changed, belongsTo(filter)),
    [stored, changed, query.value],
  )
  const doubtful = useMemo(() => {
    const fit = fitIn(filter)
    const unsure = unread(stored, changed).filter((job) => fit(job, false) === 'in doubt')
    return unsure.map(({ task_id: id }) => id).join()
  }, [stored, changed, query.value])
  useAskAbout(doubtful, again)
  const isAll = next === null && !isWaiting
  return (
    <>
      <div class="page-head">
        <Title name="Jobs" />
        <span class="quiet" role="status">
          {countWords(jobs.length, isAll)}
        </span>
      </div>
      <FilterForm filter={filter} />
      {error !== undefined && <ProblemNote error={error} retry={more} />}
      {jobs.length > 0 ? (
        <JobTable jobs={jobs} isAll={next === null} more={more} chosen={chosen} />
      ) : (
        isAll &&
        error === undefined &&
        (isNarrowed ? (
          <Empty title="No job is like this">Change a filter, or clear all of them.</Empty>
        ) : (
          <Empty title="No job has run yet" command="jobmeter run -- python train.py">
            Whatever you run so is measured, and listed here.
          </Empty>
        ))
      )}
      {isWaiting && <p class="loading">Reading…</p>}
      {chosen.value.length > 0 && (
        <CompareBar chosen={chosen.value} clear={() => (chosen.value = [])} />
      )}
    </>
  )
}

const countWords = (count: number, isAll: boolean): string =>
  isAll
    ? `${formatCount(count)} ${count === 1 ? 'job' : 'jobs'}`
    : `the newest ${formatCount(count)}`

function CompareBar({
  chosen,
  clear,
}: {
  readonly chosen: readonly string[]
  readonly clear: () => void
}) {
  const [left, right] = chosen
  return (
    <div class="compare-bar actions" role="region" aria-label="Compare">
      {right === undefined ? (
        <span>Choose another job to compare with</span>
      ) : (
        <a class="button strong-button" href={`/compare?left=${left}&right=${right}`}>
          Compare the two
        </a>
      )}
      <button type="button" onClick={clear}>
        Cancel
      </button>
    </div>
  )
}
