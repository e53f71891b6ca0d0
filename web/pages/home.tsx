import '../style/home.css'
import { unsuccessful, type AttemptStatus } from '../../src/model/outcome.ts'
import type { AlertRules } from '../../src/server/schemas/alert.ts'
import type { JobBrief, JobPage } from '../../src/server/schemas/job.ts'
import { useAsked } from '../asked.ts'
import { firingAlerts } from '../live/alerts.ts'
import { endedLast } from '../live/ended.ts'
import { changedJobs } from '../live/news.ts'
import { endedUntold, runningJobs } from '../live/running.ts'
import { resets } from '../live/stream.ts'
import { AlertLine } from '../parts/alert-line.tsx'
import { Empty } from '../parts/empty.tsx'
import { JobLine } from '../parts/job-line.tsx'
import { MachineStrips } from '../parts/machine-strips.tsx'
import { NothingFires } from '../parts/nothing-fires.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { RunningJob } from '../parts/running-job.tsx'
import { Section } from '../parts/section.tsx'
import { Title } from '../parts/title.tsx'

const shown = 8
const failedStatuses = unsuccessful.join(',')

export default function Home() {
  const ended = useEnded(['success', ...unsuccessful])
  const failed = useEnded(unsuccessful)
  const running = runningJobs.value
  const isNew = running?.length === 0 && ended.jobs.length === 0 && !ended.isWaiting
  return (
    <>
      <div class="page-head">
        <Title name="Home">What runs now</Title>
      </div>
      {ended.error !== undefined && <ProblemNote error={ended.error} retry={ended.retry} />}
      <MachineStrips />
      {isNew ? (
        <Empty title="Nothing has run yet" command="jobmeter run -- python train.py">
          Whatever you run so is measured and shown here while it runs, without reloading the page.
        </Empty>
      ) : (
        <>
          <Running jobs={running ?? []} isKnown={running !== undefined} />
          <div class="home-columns">
            <Section
              id="failed"
              title="What failed, and why"
              aside={<a href={`/jobs?status=${failedStatuses}`}>All failures</a>}
            >
              <JobLines of={failed} none="Nothing has failed lately." />
            </Section>
            <Section id="ended" title="Ended lately" aside={<a href="/jobs">All jobs</a>}>
              <JobLines of={ended} none="No job has ended yet." />
            </Section>
            <Alerts />
          </div>
        </>
      )}
    </>
  )
}

/** The server lists jobs by their start: one that ended lately may have begun long before. */
const mostRead = 200

function useEnded(statuses: readonly AttemptStatus[]) {
  const asked = useAsked<JobPage>(`/jobs?limit=${mostRead}&status=${statuses.join()}`, resets.value)
  const { value, error, isWaiting } = asked.value
  const read = [...(value?.jobs ?? []), ...endedUntold.value]
  const jobs = endedLast(read, changedJobs.value, statuses, shown)
  return { jobs, error, isWaiting, isKnown: value !== undefined, retry: () => void resets.value++ }
}

function Running({
  jobs,
  isKnown,
}: {
  readonly jobs: readonly JobBrief[]
  readonly isKnown: boolean
}) {
  if (jobs.length === 0)
    return isKnown ? (
      <Empty title="Nothing runs now" command="jobmeter run -- python train.py">
        A job that is started in a terminal appears here by itself.
      </Empty>
    ) : (
      <p class="loading">Looking…</p>
    )
  return (
    <ul class="lines running-list" aria-label="Running jobs">
      {jobs.map((job) => (
        <RunningJob key={job.task_id} job={job} />
      ))}
    </ul>
  )
}

function JobLines({
  of: { jobs, error, isKnown },
  none,
}: {
  readonly of: ReturnType<typeof useEnded>
  readonly none: string
}) {
  if (jobs.length === 0) {
    if (isKnown) return <p class="quiet">{none}</p>
    return error === undefined ? <p class="loading">Looking…</p> : null
  }
  return (
    <ul class="lines">
      {jobs.map((job) => (
        <JobLine key={job.task_id} job={job} />
      ))}
    </ul>
  )
}

function Alerts() {
  const alerts = firingAlerts.value
  const rules = useAsked<AlertRules>('/alerts/rules').value
  return (
    <Section id="alerts" title="Alerts" aside={<a href="/alerts">All alerts</a>}>
      {alerts.length === 0 ? (
        <NothingFires rules={rules} />
      ) : (
        <ul class="lines">
          {alerts.slice(0, shown).map((alert) => (
            <AlertLine key={alert.alert_id} alert={alert} />
          ))}
        </ul>
      )}
    </Section>
  )
}
