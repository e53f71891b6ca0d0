import { drawTimeline, hasTimeline, timelineNote } from '../../../src/browser/report/timeline.ts'
import type { ReportData } from '../../../src/render/page/report-content.ts'
import type { Asked } from '../../asked.ts'
import { DrawnIn } from '../../parts/drawn-in.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { go, query } from '../../route.ts'
import { JobFilter, filterJobs } from './job-filter.tsx'
import type { WorkflowNow } from './read.ts'

/** Each job over time, as reports draw it. */
export function Timeline({
  workflow,
  report: { value: report, error },
}: {
  readonly workflow: WorkflowNow
  readonly report: Asked<ReportData>
}) {
  const filter = `${query.value.get('search') ?? ''} ${query.value.get('state') ?? ''}`
  if (workflow.progress.run_id === null)
    return (
      <Empty title="Nothing has run yet">
        Once jobs run, this shows when each of them waited, ran and ended.
      </Empty>
    )
  if (report === undefined)
    return error === undefined ? <p class="loading">Reading…</p> : <ProblemNote error={error} />
  if (!hasTimeline(report)) return <p class="quiet">One job needs no timeline.</p>
  const draw = (place: HTMLElement): void => {
    const showOnly = drawTimeline(place, report)
    const wanted = new Set(filterJobs(workflow.jobs ?? [], query.peek()).map(({ jobId }) => jobId))
    if (filter.trim() !== '') showOnly(report.jobs.filter(({ id }) => wanted.has(id)))
    place.addEventListener('click', (event) => openJob(event, workflow))
  }
  return (
    <Section id="timeline" title="Timeline" note={timelineNote}>
      <JobFilter workflow={workflow} />
      <DrawnIn of={`${report.made} ${report.timeline.seconds} ${filter}`} draw={draw} />
    </Section>
  )
}

function openJob({ target }: Event, { jobs }: WorkflowNow): void {
  const line = target instanceof Element ? target.closest<SVGElement>('[data-id]') : null
  const job = jobs?.find(({ jobId }) => String(jobId) === line?.dataset['id'])
  const taskId = job?.taskId ?? null
  if (taskId !== null) go(`/jobs/${taskId}`)
}
