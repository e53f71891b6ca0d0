import { jobResources } from '../../../src/browser/report/resources.ts'
import { rows } from '../../../src/browser/report/table-parts.ts'
import { element } from '../../../src/browser/dom.ts'
import type { ReportJob } from '../../../src/render/page/report-content.ts'
import type { RecordJson } from '../../../src/render/record/record-json.ts'
import type { JobRecommendation } from '../../../src/server/schemas/requests.ts'
import { useAsked } from '../../asked.ts'
import { Command } from '../../parts/copy.tsx'
import { Drawn } from '../../parts/drawn.tsx'
import { Section } from '../../parts/section.tsx'
import { nextCommand } from './next-command.ts'

/** What it asked for against what it used, and what to ask for next time. */
export function Requests({
  path,
  record,
  job,
  again,
}: {
  readonly path: string
  readonly record: RecordJson
  readonly job: ReportJob | undefined
  readonly again: string
}) {
  const { value } = useAsked<JobRecommendation>(`${path}/recommendation`, again).value
  return (
    <Section id="requests" title="Requests and use">
      {job !== undefined && <Drawn of={job} make={() => [jobResources(job)]} />}
      {value !== undefined && knowsBetter(value) && (
        <>
          <h3>
            What to ask for next time
            <small>
              {value.attempts === 1 ? 'from this run' : `from ${value.attempts} runs of the job`}
            </small>
          </h3>
          <Drawn of={value} make={() => [adviceTable(value)]} />
          <Command text={nextCommand(record, value.recommendations)} />
        </>
      )}
    </Section>
  )
}

/** Of a job that has not ended yet, nothing may be known: that needs no table. */
const knowsBetter = ({ recommendations }: JobRecommendation): boolean =>
  recommendations.some((each) => each.recommended_value !== null)

const adviceTable = ({ recommendations }: JobRecommendation): HTMLElement =>
  rows(
    'What to ask for next time',
    [
      ['Resource'],
      ['Now', 'figure'],
      ['Better', 'figure'],
      ['Change', 'figure'],
      ['Why'],
      ['Confidence'],
    ],
    recommendations.map((each) => [
      each.resource_type,
      each.requested,
      element('b', {}, each.recommended),
      each.change,
      each.reason,
      each.confidence,
    ]),
  )
