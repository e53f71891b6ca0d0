import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { formatCount } from '../../../src/render/units/figures.ts'
import { shortTime } from '../../../src/render/units/zoned-time.ts'
import type { WorkflowProgress } from '../../../src/server/schemas/workflow.ts'
import { now } from '../../clock.ts'
import { StatesBar, StatesKey } from '../../parts/states-bar.tsx'
import { estimateWords } from '../workflows/progress-words.ts'
import type { WorkflowNow } from './read.ts'

/** How far it has come, and when it will have ended. */
export function Progress({ workflow: { progress } }: { readonly workflow: WorkflowNow }) {
  const { done, total, failed, states } = progress
  const share = total === 0 ? 0 : Math.floor((100 * done) / total)
  return (
    <div class="card progress-card">
      <dl class="progress-figures">
        <Figure
          name="Done"
          figure={`${share}%`}
          note={`${formatCount(done)} of ${formatCount(total)}`}
        />
        <Figure
          name="Did not succeed"
          figure={formatCount(failed)}
          note={
            failed > 0 ? 'see below' : progress.is_being_run ? 'so far, so good' : 'all is well'
          }
          mood={failed === 0 ? '' : 'bad'}
        />
        <Time progress={progress} />
        <End progress={progress} />
      </dl>
      <StatesBar states={states} />
      <StatesKey states={states} />
    </div>
  )
}

const Figure = ({
  name,
  figure,
  note,
  mood = '',
}: {
  readonly name: string
  readonly figure: string
  readonly note: string
  readonly mood?: string
}) => (
  <div class={mood}>
    <dt>{name}</dt>
    <dd>
      <strong>{figure}</strong> <small>{note}</small>
    </dd>
  </div>
)

function Time({ progress }: { readonly progress: WorkflowProgress }) {
  const { run_started_at: started, run_ended_at: ended, run_id: run } = progress
  if (started === null) return <Figure name="Time" figure="–" note="it has not run yet" />
  const seconds = Math.max(0, (progress.is_being_run ? now.value : (ended ?? NaN)) - started)
  // Whole ones while they run on.
  const shown = progress.is_being_run ? Math.round(seconds) : seconds
  const took = Number.isNaN(shown) ? '–' : briefSeconds(shown) || '0s'
  return (
    <Figure
      name={progress.is_being_run ? 'Running for' : 'Took'}
      figure={took}
      note={`${run === 1 ? 'since' : `run ${run}, since`} ${shortTime(started, 'local').slice(0, 16)}`}
    />
  )
}

/** The end as far as anybody knows, and how sure that is. */
function End({ progress }: { readonly progress: WorkflowProgress }) {
  const { estimate, run_ended_at: ended, run_started_at: started } = progress
  if (!progress.is_being_run)
    return (
      <Figure
        name="Ended"
        figure={ended === null ? '–' : shortTime(ended, 'local').slice(11, 16)}
        note={ended === null ? 'not yet' : shortTime(ended, 'local').slice(0, 10)}
      />
    )
  if (estimate === null || started === null)
    return <Figure name="Time left" figure="–" note="no job has succeeded yet to go by" />
  const { about, range } = estimateWords(estimate, now.value)
  return (
    <div class="estimate">
      <dt>Time left</dt>
      <dd>
        <strong>about {about}</strong>{' '}
        <small title={estimate.basis}>{range}, four times of five</small>
        <EstimateStrip started={started} estimate={estimate} />
      </dd>
    </div>
  )
}

/** The time that has passed, and between which moments it will probably end. */
function EstimateStrip({
  started,
  estimate,
}: {
  readonly started: number
  readonly estimate: NonNullable<WorkflowProgress['estimate']>
}) {
  const whole = Math.max(1, Math.max(estimate.latest_at, now.value) - started)
  const part = (at: number): string =>
    `${(100 * Math.min(whole, Math.max(0, at - started))) / whole}%`
  return (
    <span class="strip-track" aria-hidden="true">
      <span class="strip-passed" style={{ width: part(now.value) }} />
      <span
        class="strip-range"
        style={{ left: part(Math.max(now.value, estimate.earliest_at)), right: 0 }}
      />
      <span class="strip-likely" style={{ left: part(estimate.ends_at) }} />
    </span>
  )
}
