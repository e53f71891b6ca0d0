import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import type { JobBrief } from '../../../src/server/schemas/job.ts'
import { momentSeconds } from '../../moment.ts'

const [width, height, bottom] = [520, 150, 20] as const

/** How long each run took, the oldest first: a bar for each, which leads there. */
export function TrendChart({
  runs,
  taskId,
}: {
  readonly runs: readonly JobBrief[]
  readonly taskId: string
}) {
  const known = runs
    .filter(({ duration_seconds: seconds }) => seconds !== null)
    .sort((a, b) => (momentSeconds(a.start_time) ?? 0) - (momentSeconds(b.start_time) ?? 0))
  const most = Math.max(...known.map(({ duration_seconds: seconds }) => seconds ?? 0), 1e-9)
  const step = width / Math.max(known.length, 16)
  const room = height - bottom - 14
  return (
    <figure class="card trend-chart">
      <figcaption>
        How long it took <small>up to {briefSeconds(most)}</small>
      </figcaption>
      <svg
        viewBox={`0 0 ${width} ${height}`}
        role="group"
        aria-label={`How long ${known.length} runs took, the oldest first`}
      >
        <path class="grid" d={`M0 ${height - bottom}H${width}`} />
        {known.map((run, index) => {
          const seconds = run.duration_seconds ?? 0
          const tall = Math.max(2, (seconds / most) * room)
          const isThis = run.task_id === taskId
          return (
            <a
              key={run.task_id}
              href={`/jobs/${run.task_id}`}
              aria-label={`${briefSeconds(seconds)}, ${run.status}${isThis ? ', this run' : ''}`}
            >
              <title>
                {briefSeconds(seconds)}, {run.status}
              </title>
              <rect class="reach" x={index * step} y={0} width={step} height={height} />
              <rect
                class={isThis ? 'critical' : run.status === 'success' ? 'ran' : 'failed'}
                x={index * step + step * 0.15}
                y={height - bottom - tall}
                width={step * 0.7}
                height={tall}
                rx={2}
              />
            </a>
          )
        })}
        <text class="tick" x={0} y={height - 4}>
          oldest
        </text>
        <text
          class="tick"
          x={Math.max(0, known.length - 0.15) * step}
          y={height - 4}
          text-anchor="end"
        >
          {known.length > 3 ? 'newest' : ''}
        </text>
      </svg>
    </figure>
  )
}
