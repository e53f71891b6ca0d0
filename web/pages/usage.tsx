import 'virtual:heat.css'
import '../style/admin.css'
import { usageMetrics, type UsageMetric } from '../../src/model/node-usage.ts'
import type { UsageHeat } from '../../src/server/schemas/node.ts'
import { useAsked } from '../asked.ts'
import { Choice } from '../parts/choice.tsx'
import { Empty } from '../parts/empty.tsx'
import { NoNodes } from '../parts/no-nodes.tsx'
import { OwnShare } from '../parts/own-share.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { timeAsked, TimeRange } from '../parts/time-range.tsx'
import { Title } from '../parts/title.tsx'
import { hasNodes } from '../has-nodes.ts'
import { query, setQuery } from '../route.ts'
import { usageKeys as keys } from './usage/usage-by.ts'
import { HeatOfWeek } from './usage/heat-of-week.tsx'
import { UsageTable } from './usage/usage-table.tsx'

const metricNames: readonly (readonly [UsageMetric, string])[] = [
  ['cpu', 'CPU'],
  ['memory', 'Memory'],
  ['gpu', 'GPU'],
]
const keyNames = { user: 'User', account: 'Account', host: 'Host', command: 'Command' } as const

/** When the nodes are full, and who fills them. */
export default function Usage() {
  const time = timeAsked('7d')
  const metric = usageMetrics.find((one) => one === query.value.get('metric')) ?? 'cpu'
  const by = keys.find((one) => one === query.value.get('by')) ?? 'user'
  const asked = `metric=${metric}&by=${by}&${time.asked}`
  const { value, error, isWaiting } = useAsked<UsageHeat>(`/usage/heat?${asked}`).value
  return (
    <>
      <div class="page-head">
        <Title name="Usage">When the nodes are full, and who fills them</Title>
      </div>
      <div class="choices">
        <Choice
          legend="Of what"
          name="metric"
          options={metricNames}
          chosen={metric}
          take={(one) => setQuery({ metric: one === 'cpu' ? null : one })}
        />
        <Choice
          legend="By"
          name="by"
          options={keys.map((key) => [key, keyNames[key]] as const)}
          chosen={by}
          take={(one) => setQuery({ by: one === 'user' ? null : one, of: null })}
        />
        <TimeRange usual="7d" least="24h" />
      </div>
      {error !== undefined && <ProblemNote error={error} />}
      {value === undefined && isWaiting && <p class="loading">Reading…</p>}
      {value !== undefined && value.amounts.length === 0 && <NoNodes why={value.why_none} />}
      {value !== undefined && value.amounts.length > 0 && (
        <>
          <OwnShare>
            What others used is added up as “others”, so that the sums are those of the nodes.
          </OwnShare>
          {value.why_none !== null ? (
            <Empty title={nothingTitle(metric)}>{value.why_none}</Empty>
          ) : (
            <div class="usage">
              <HeatOfWeek heat={value} by={by} />
              <UsageTable asked={asked} by={by} metric={metric} />
            </div>
          )}
        </>
      )}
      {value === undefined && error !== undefined && !hasNodes.value && <NoNodes why={null} />}
    </>
  )
}

const nothingTitle = (metric: UsageMetric): string =>
  metric === 'gpu' ? 'No GPU was seen in this time' : 'Nothing was seen in this time'
