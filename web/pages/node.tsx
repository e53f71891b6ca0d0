import '../style/admin.css'
import type { JobChartData } from '../../src/model/job-chart-data.ts'
import { formatCount } from '../../src/render/units/figures.ts'
import type { NodeState } from '../../src/server/schemas/node.ts'
import { useAsked } from '../asked.ts'
import { now } from '../clock.ts'
import { halfMinutes } from '../every.ts'
import { momentSeconds } from '../moment.ts'
import { ClockCharts } from '../parts/clock-charts.tsx'
import { OwnShare } from '../parts/own-share.tsx'
import { ProblemNote, ProblemPage } from '../parts/problem.tsx'
import { Section } from '../parts/section.tsx'
import { Status } from '../parts/status.tsx'
import { Ago } from '../parts/time.tsx'
import { timeAsked, TimeRange } from '../parts/time-range.tsx'
import { Title } from '../parts/title.tsx'
import { setQuery } from '../route.ts'
import { Devices } from './node/devices.tsx'
import { NodeJobs } from './node/jobs.tsx'
import { NodeNow } from './node/now.tsx'
import { Uptime } from './node/uptime.tsx'
import { isSilent } from './nodes/silent.ts'
import { sizeWords } from './nodes/tile.tsx'

/** One node: how it is now, how it was over time, when nobody looked, and whose jobs were on it. */
export default function Node({ id: host }: { readonly id: string }) {
  const time = timeAsked('24h')
  const again = time.range === null ? 0 : halfMinutes.value
  const path = `/nodes/${encodeURIComponent(host)}`
  const { value: state, error } = useAsked<NodeState>(`${path}?${time.asked}`, again).value
  if (state === undefined)
    return error === undefined ? (
      <p class="loading">Reading…</p>
    ) : (
      <ProblemPage error={error} all={['/nodes', 'All nodes']} />
    )
  const silent = isSilent(state, now.value)
  return (
    <div class="node-page">
      <div class="page-head">
        <Title name={host} />
        <Status status={silent ? 'silent' : 'watched'} />
        <span class="quiet">
          {sizeWords(state)}
          {silent && (
            <>
              {' · not heard of since '}
              <Ago at={momentSeconds(state.at)} />
            </>
          )}
        </span>
        <div class="actions">
          <TimeRange usual="24h" />
        </div>
      </div>
      <OwnShare>The node is shown whole; of the jobs on it you see those that are yours.</OwnShare>
      <NodeNow state={state} isSilent={silent} />
      <OverTime path={path} asked={time.asked} again={again} isMoment={time.range === null} />
      <Uptime path={path} asked={time.asked} again={again} />
      <NodeJobs host={host} time={time} again={again} />
      <Devices state={state} />
    </div>
  )
}

function OverTime({
  path,
  asked,
  again,
  isMoment,
}: {
  readonly path: string
  readonly asked: string
  readonly again: number
  readonly isMoment: boolean
}) {
  const { value, error } = useAsked<JobChartData>(`${path}/chart?${asked}`, again).value
  const zoom = (from: number, to: number): void =>
    setQuery({ from: from.toFixed(0), to: Math.max(to, from + 1).toFixed(0) }, 'a way back')
  return (
    <Section
      id="series"
      title="Over time"
      aside={
        isMoment ? (
          <button type="button" onClick={() => setQuery({ from: null, to: null }, 'a way back')}>
            Back to the last 24 hours
          </button>
        ) : (
          value !== undefined && <small>{formatCount(value.sample_count)} looks</small>
        )
      }
    >
      {error !== undefined && <ProblemNote error={error} />}
      {value !== undefined && value.charts.length === 0 && (
        <p class="quiet">Nobody looked at this node in that time. A longer time may show more.</p>
      )}
      {value !== undefined && value.charts.length > 0 && (
        <ClockCharts data={value} onRange={zoom} />
      )}
    </Section>
  )
}
