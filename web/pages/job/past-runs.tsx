import { briefBytes, briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { orDash } from '../../../src/render/units/figures.ts'
import type { JobBrief, PastRuns as Past } from '../../../src/server/schemas/job.ts'
import { momentSeconds } from '../../moment.ts'
import { durationWords } from '../../parts/duration-words.ts'
import { Section } from '../../parts/section.tsx'
import { Status } from '../../parts/status.tsx'
import { Ago } from '../../parts/time.tsx'
import { TrendChart } from './trend-chart.tsx'

const shown = 8

/** Earlier runs of the same job: how this one compares with them, and each of them. */
export function PastRuns({
  past: value,
  taskId,
}: {
  readonly past: Past
  readonly taskId: string
}) {
  const others = value.runs.filter(({ task_id: id }) => id !== taskId)
  return (
    <Section
      id="past"
      title="Past runs of the same job"
      aside={<a href={`/jobs?name=${encodeURIComponent(value.name)}`}>All of them</a>}
    >
      {others.length === 0 ? (
        <p class="quiet">This is the first. The next one is compared with it here.</p>
      ) : (
        <>
          <Trends trends={value.trends} />
          <div class="past">
            <TrendChart runs={value.runs} taskId={taskId} />
            <ul class="lines">
              {others.slice(0, shown).map((run) => (
                <PastRun key={run.task_id} run={run} taskId={taskId} />
              ))}
            </ul>
          </div>
        </>
      )}
    </Section>
  )
}

/** Whether the newest runs differ from those before by more than noise. */
function Trends({ trends }: Pick<Past, 'trends'>) {
  const known = trends.filter(({ change }) => change !== 'cannot-judge')
  if (known.length === 0) return null
  return (
    <dl class="facts trend">
      {known.map(({ metric, unit, change, newest, before }) => {
        const words = unit === 'bytes' ? briefBytes : briefSeconds
        return (
          <div key={metric}>
            <dt>{metricWords[metric]}</dt>
            <dd>
              <strong class={change}>{changeWords[change]}</strong>{' '}
              <small>
                {orDash(newest, words)} lately, {orDash(before, words)} before
              </small>
            </dd>
          </div>
        )
      })}
    </dl>
  )
}

const metricWords = { duration: 'Time', cpu: 'CPU time', memory: 'Memory' } as const
const changeWords = {
  worse: 'more',
  better: 'less',
  noise: 'as before',
  'cannot-judge': '',
} as const

const PastRun = ({ run, taskId }: { readonly run: JobBrief; readonly taskId: string }) => (
  <li class="past-run">
    <a class="line-link" data-row href={`/jobs/${run.task_id}`}>
      <span>
        <Status status={run.status} />{' '}
        <span class="quiet">
          <Ago at={momentSeconds(run.start_time)} />
        </span>
      </span>
      <span>
        {durationWords(run.duration_seconds, run.lower_bounds)} ·{' '}
        {orDash(run.usage.memory_peak_bytes, briefBytes)}
      </span>
    </a>
    <a class="button" href={`/compare?left=${run.task_id}&right=${taskId}`}>
      Compare
    </a>
  </li>
)
