import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import type { JobFindings } from '../../../src/server/schemas/job-report.ts'
import { useAsked } from '../../asked.ts'
import { Section } from '../../parts/section.tsx'

/** What held the job back, what that is concluded from, and what to do about it. */
export function Verdict({
  path,
  record,
  isRunning,
  again,
}: {
  readonly path: string
  readonly record: RecordJson
  readonly isRunning: boolean
  readonly again: string
}) {
  const { value: found } = useAsked<JobFindings>(`${path}/findings`, again).value
  const sentence = found?.bound_by.sentence ?? record.bound_by.sentence
  return (
    <Section
      id="verdict"
      title="What held it back"
      aside={isRunning ? <small>as far as it has come</small> : undefined}
    >
      <div class="verdict card">
        <p class="sentence">{sentence}</p>
        {found !== undefined && found.advice.length > 0 && (
          <>
            <h3>What to do</h3>
            <ol>
              {found.advice.map(({ about, says }) => (
                <li key={about}>{says}</li>
              ))}
            </ol>
          </>
        )}
        {found !== undefined && <Evidence found={found} />}
      </div>
    </Section>
  )
}

function Evidence({ found }: { readonly found: JobFindings }) {
  return (
    <details open={found.phases.length <= 6}>
      <summary>Evidence</summary>
      <dl class="phases">
        {found.phases.map((phase) => (
          <div key={phase.from_seconds}>
            <dt>
              {briefSeconds(phase.from_seconds)} – {briefSeconds(phase.to_seconds)}
            </dt>
            <dd>{phase.says}</dd>
          </div>
        ))}
        <div>
          <dt>Memory</dt>
          <dd>{found.memory.says}</dd>
        </div>
        {(found.idle_tail_seconds ?? 0) > 0 && (
          <div>
            <dt>Idle at the end</dt>
            <dd>{briefSeconds(found.idle_tail_seconds ?? 0)}</dd>
          </div>
        )}
        {found.no_series !== null && (
          <div>
            <dt>No samples</dt>
            <dd>{found.no_series}</dd>
          </div>
        )}
      </dl>
    </details>
  )
}
