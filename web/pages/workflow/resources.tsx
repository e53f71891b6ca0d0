import { findingParts } from '../../../src/browser/report/findings.ts'
import {
  drawResources,
  jobResources,
  resourcesNote,
} from '../../../src/browser/report/resources.ts'
import type { View } from '../../../src/browser/report/resource-view.ts'
import type { ReportData } from '../../../src/render/page/report-content.ts'
import { reportResources } from '../../../src/render/page/report-resources.ts'
import type { Asked } from '../../asked.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { DrawnIn } from '../../parts/drawn-in.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import { query, setQuery } from '../../route.ts'
import type { WorkflowNow } from './read.ts'

/** What jobs used against what they asked for, as reports draw it. */
export function Resources({
  workflow,
  report: { value: report, error },
}: {
  readonly workflow: WorkflowNow
  readonly report: Asked<ReportData>
}) {
  if (workflow.progress.run_id === null)
    return (
      <Empty title="Nothing has run yet">
        Once jobs have run, this shows what each used against what it asked for.
      </Empty>
    )
  if (report === undefined)
    return error === undefined ? <p class="loading">Reading…</p> : <ProblemNote error={error} />
  const [only, ...others] = report.jobs
  const key = `${report.made} ${report.timeline.seconds}`
  const over = findingParts({ ...report, failures: [], recommendations: [] })
  return (
    <>
      <Section
        id="resources"
        title="Resources"
        note={others.length === 0 ? undefined : resourcesNote}
      >
        {only !== undefined && others.length === 0 ? (
          <Drawn of={key} make={() => [jobResources(only)]} />
        ) : (
          <DrawnIn of={key} draw={(place) => drawResources(place, report, viewIn(), keepView)} />
        )}
      </Section>
      {over.length > 0 && (
        <Section id="over" title="What to look at">
          <Drawn of={key} make={() => over} />
        </Section>
      )}
    </>
  )
}

const viewIn = (): View => ({
  resource: reportResources.find((each) => each === query.peek().get('resource')) ?? 'memory',
  unit: query.peek().get('unit') === 'share' ? 'share' : 'raw',
})

const keepView = ({ resource, unit }: View): void =>
  setQuery({
    resource: resource === 'memory' ? null : resource,
    unit: unit === 'raw' ? null : unit,
  })
