import '../style/job.css'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ReportData } from '../../src/render/page/report-content.ts'
import type { RecordJson } from '../../src/render/record/record-json.ts'
import { findingParts } from '../../src/browser/report/findings.ts'
import { marksTable } from '../../src/browser/report/marks.ts'
import { tileList } from '../../src/browser/report/outcome.ts'
import type { PastRuns as Past } from '../../src/server/schemas/job.ts'
import type { ApiError } from '../api.ts'
import { useAsked } from '../asked.ts'
import { changedJobs } from '../live/news.ts'
import { resets } from '../live/stream.ts'
import { replacePath } from '../route.ts'
import { Drawn } from '../parts/drawn.tsx'
import { ProblemPage } from '../parts/problem.tsx'
import { Section } from '../parts/section.tsx'
import { Figures } from './job/figures.tsx'
import { JobHeader } from './job/header.tsx'
import { JobNow } from './job/job-now.tsx'
import { Logs } from './job/logs.tsx'
import { OverTime } from './job/over-time.tsx'
import { PastRuns } from './job/past-runs.tsx'
import { Processes } from './job/processes.tsx'
import { Requests } from './job/requests.tsx'
import { Verdict } from './job/verdict.tsx'
import { workflowOf, type OfWorkflow } from './job/workflow-of.ts'

const mostTries = 10

/** Events tell that a job began or ended a moment before the ledger has that in its record. */
const isBehindEvents = (
  told: string | undefined,
  read: string | undefined,
  error: ApiError | undefined,
): boolean =>
  told === 'running'
    ? error?.status === 404
    : told !== undefined && read === 'running' && error === undefined

/** Everything about one attempt at a job, while it runs and afterwards. */
export default function Job({ id }: { readonly id: string }) {
  const path = `/jobs/${encodeURIComponent(id)}`
  const live = changedJobs.value.get(id)
  const tries = useSignal(0)
  const asked = useAsked<RecordJson & OfWorkflow>(
    path,
    `${resets.value} ${live?.status} ${tries.value}`,
  )
  const { value: record, error } = asked.value
  useEffect(() => {
    if (record !== undefined && record.task_id !== id) replacePath(`/jobs/${record.task_id}`)
  }, [record?.task_id])
  const isBehind = isBehindEvents(live?.status, record?.status, error) && tries.value < mostTries
  useEffect(() => {
    if (isBehind) setTimeout(() => tries.value++, 1000)
  }, [isBehind, tries.value])
  // The rest changes when the job ends; while it runs, events tell what is new.
  const again = `${resets.value} ${record?.status}`
  const report = useAsked<ReportData>(record === undefined ? undefined : `${path}/report`, again)
  const { value: past } = useAsked<Past>(
    record === undefined ? undefined : `${path}/past`,
    again,
  ).value
  if (record === undefined)
    return error === undefined || isBehind ? (
      <p class="loading">Reading…</p>
    ) : (
      <ProblemPage error={error} retry={() => resets.value++} />
    )
  const isRunning = record.status === 'running'
  const drawn = report.value.value
  const listed = live ?? past?.runs.find(({ task_id: task }) => task === id)
  const workflowId = workflowOf(record, listed)
  const job = drawn?.jobs[0]
  return (
    <div class="job-page">
      <JobHeader record={record} isRunning={isRunning} workflowId={workflowId ?? null} />
      {isRunning ? (
        <JobNow record={record} />
      ) : (
        drawn !== undefined && <Drawn of={drawn} make={() => [tileList(drawn.tiles)]} />
      )}
      <Verdict path={path} record={record} isRunning={isRunning} again={again} />
      <OverTime taskId={id} again={again} />
      {drawn !== undefined && drawn.marks.length > 0 && (
        <Section id="marks" title="Epochs and phases" note="As the job itself told of them.">
          <Drawn of={drawn} make={() => [marksTable(drawn.marks)]} />
        </Section>
      )}
      <Requests path={path} record={record} job={isRunning ? undefined : job} again={again} />
      {drawn !== undefined && <Findings report={drawn} />}
      {past !== undefined && <PastRuns past={past} taskId={id} />}
      {(workflowId !== undefined || past !== undefined) && (
        <Logs path={path} record={record} isRunning={isRunning} isKept={workflowId !== null} />
      )}
      <Processes path={path} record={record} again={again} />
      <Figures record={record} isRunning={isRunning} />
    </div>
  )
}

/** What the report says to look at; what to ask for has a section of its own here. */
function Findings({ report }: { readonly report: ReportData }) {
  const parts = findingParts({ ...report, recommendations: [] })
  if (parts.length === 0) return null
  return (
    <Section id="findings" title="What to look at">
      <Drawn of={report} make={() => parts} />
    </Section>
  )
}
