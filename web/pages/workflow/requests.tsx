import { element } from '../../../src/browser/dom.ts'
import { shortened } from '../../../src/browser/report/table-parts.ts'
import { count } from '../../../src/model/count.ts'
import { commandLine } from '../../../src/render/text/printable.ts'
import { formatHours } from '../../../src/render/units/figures.ts'
import type { Recommendations } from '../../../src/server/schemas/requests.ts'
import { useAsked } from '../../asked.ts'
import { resets } from '../../live/stream.ts'
import { Command } from '../../parts/copy.tsx'
import { Drawn } from '../../parts/drawn.tsx'
import { Empty } from '../../parts/empty.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import type { WorkflowNow } from './read.ts'

/** What to ask for next time, and how to have it written to the file. */
export function Requests({
  workflow: { id, path, head, progress },
}: {
  readonly workflow: WorkflowNow
}) {
  const again = `${resets.value} ${progress.run_id} ${progress.is_being_run} ${progress.done}`
  const { value, error } = useAsked<Recommendations>(`${path}/recommendations`, again).value
  if (value === undefined)
    return error === undefined ? <p class="loading">Reading…</p> : <ProblemNote error={error} />
  const { recommendations, attempts, jobs_without_request: without } = value
  if (recommendations.length === 0)
    return (
      <Empty title={attempts === 0 ? 'Nothing has run yet' : 'Nothing to change'}>
        {attempts === 0
          ? 'Once jobs have run, this says what each should ask for.'
          : without > 0
            ? `${count(without, 'job')} asked for nothing. Give requests in the file, and this says how well they fit.`
            : 'Every request fits what was used.'}
      </Empty>
    )
  return (
    <Section
      id="requests"
      title="What to ask for next time"
      note={`From ${count(attempts, 'attempt')} in ${count(value.runs, 'run')}.${savedWords(value)}`}
    >
      <Drawn of={value} make={() => [adviceTable(value)]} />
      <p class="advice-words">To have it written to the file:</p>
      <Command
        text={commandLine([
          'jobmeter',
          'reports',
          'recommend',
          String(id),
          '--write',
          head.spec_path,
        ])}
      />
    </Section>
  )
}

function savedWords({ saved_core_hours: cores, saved_gb_hours: memory }: Recommendations): string {
  const saved = [
    cores > 0 ? `${formatHours(cores)} core-hours` : null,
    memory > 0 ? `${formatHours(memory)} GB-hours` : null,
  ].filter((each) => each !== null)
  return saved.length === 0 ? '' : ` It would have saved ${saved.join(' and ')}.`
}

const adviceTable = ({ recommendations }: Recommendations): HTMLElement =>
  shortened(
    'Requests, and what they should be',
    [
      ['Request'],
      ['Resource'],
      ['Now', 'figure'],
      ['Better', 'figure'],
      ['Change', 'figure'],
      ['Why'],
      ['Confidence'],
    ],
    recommendations.map((each) => [
      each.requirement,
      each.resource_type,
      each.requested,
      element('b', {}, each.recommended),
      each.change,
      each.reason,
      each.confidence,
    ]),
  )
