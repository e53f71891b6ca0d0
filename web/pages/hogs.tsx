import '../style/admin.css'
import { useSignal } from '@preact/signals'
import { formatCount } from '../../src/render/units/figures.ts'
import type { Hogs as Answer, Policies as AllPolicies } from '../../src/server/schemas/policy.ts'
import { useAsked } from '../asked.ts'
import { Empty } from '../parts/empty.tsx'
import { NoNodes } from '../parts/no-nodes.tsx'
import { OwnShare } from '../parts/own-share.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { SelectFilter } from '../parts/select-filter.tsx'
import { TextFilter } from '../parts/text-filter.tsx'
import { rangeWords, timeAsked, TimeRange } from '../parts/time-range.tsx'
import { Title } from '../parts/title.tsx'
import { query } from '../route.ts'
import { Finding } from './hogs/finding.tsx'
import { NotJudged } from './hogs/not-judged.tsx'
import { Policies } from './hogs/policies.tsx'

const states = ['open', 'resolved', 'suppressed'] as const
const firstShown = 25

/** Who was not fair to others, why that is said, and what was let pass. */
export default function Hogs() {
  const time = timeAsked('7d')
  const [policy, user, host] = ['policy', 'user', 'host'].map((name) => query.value.get(name) ?? '')
  const state = states.find((one) => one === query.value.get('state')) ?? ''
  const given = Object.entries({ policy, user, host }).filter(([, value]) => value)
  const narrowed = new URLSearchParams(given as [string, string][]).toString()
  const { value, error, isWaiting } = useAsked<Answer>(`/hogs?${time.asked}&${narrowed}`).value
  const { value: policies } = useAsked<AllPolicies>('/policies').value
  const all = [...(value?.violations ?? []), ...(value?.suppressed ?? [])]
  const found = all.filter((one) =>
    state === '' ? one.state !== 'suppressed' : one.state === state,
  )
  const shown = useSignal(firstShown)
  const open = value?.violations.filter((one) => one.state === 'open').length ?? 0
  return (
    <>
      <div class="page-head">
        <Title name="Hogs">Who was not fair to others</Title>
        <span class="quiet" role="status">
          {value !== undefined && value.why_none === null && `${formatCount(open)} not over`}
        </span>
      </div>
      {error !== undefined && <ProblemNote error={error} />}
      {value?.why_none ? (
        <NoNodes why={value.why_none} />
      ) : (
        <>
          <OwnShare>Findings about you are here; those about others are not.</OwnShare>
          <form
            class="filter"
            role="search"
            aria-label="Findings"
            onSubmit={(event) => event.preventDefault()}
          >
            <SelectFilter
              name="policy"
              label="Policy"
              value={policy ?? ''}
              options={[
                ['', 'all'],
                ...(policies?.policies ?? []).map(({ name }) => [name, name] as const),
              ]}
            />
            <SelectFilter
              name="state"
              label="State"
              value={state}
              options={[
                ['', 'open and resolved'],
                ['open', 'open'],
                ['resolved', 'resolved'],
                ['suppressed', 'harmed nobody'],
              ]}
            />
            <TextFilter name="user" label="User" value={user ?? ''} />
            <TextFilter name="host" label="Host" value={host ?? ''} />
            <TimeRange usual="7d" least="24h" />
          </form>
          {value === undefined && isWaiting && <p class="loading">Reading…</p>}
          {value !== undefined && found.length === 0 && (
            <Empty
              title={
                all.length === 0
                  ? `Nobody broke a policy ${rangeWords(time)}`
                  : 'No finding is like this'
              }
            >
              {state === '' && (value?.suppressed.length ?? 0) > 0
                ? `${formatCount(value?.suppressed.length ?? 0)} findings harmed nobody: choose that state to see them.`
                : 'Policies look at every job and every user, and say below what they look for.'}
            </Empty>
          )}
          {found.length > 0 && (
            <ul class="lines findings" aria-label="Findings">
              {found.slice(0, shown.value).map((one) => (
                <Finding
                  key={`${one.policy} ${one.host} ${one.user} ${one.job_id} ${one.first_seen}`}
                  finding={one}
                  policy={policies?.policies.find(({ name }) => name === one.policy)}
                />
              ))}
            </ul>
          )}
          {found.length > shown.value && (
            <button type="button" class="more" onClick={() => (shown.value += 4 * firstShown)}>
              Show more of {formatCount(found.length)}
            </button>
          )}
          {state === '' && found.length > 0 && (value?.suppressed.length ?? 0) > 0 && (
            <p class="quiet">
              {formatCount(value?.suppressed.length ?? 0)} more were not reported, because the rest
              of the node was mostly idle and nobody was harmed.
            </p>
          )}
          <NotJudged notJudged={value?.not_judged ?? []} />
          {policies !== undefined && <Policies answer={policies} chosen={policy ?? ''} />}
        </>
      )}
    </>
  )
}
