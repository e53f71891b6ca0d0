import '../style/admin.css'
import type { Reservations as Answer } from '../../src/server/schemas/node.ts'
import { useAsked } from '../asked.ts'
import { Choice } from '../parts/choice.tsx'
import { Empty } from '../parts/empty.tsx'
import { hasNodes } from '../has-nodes.ts'
import { NoNodes } from '../parts/no-nodes.tsx'
import { OwnShare } from '../parts/own-share.tsx'
import { ProblemNote } from '../parts/problem.tsx'
import { Section } from '../parts/section.tsx'
import { TextFilter } from '../parts/text-filter.tsx'
import { rangeWords, timeAsked, TimeRange } from '../parts/time-range.tsx'
import { Title } from '../parts/title.tsx'
import { query, setQuery } from '../route.ts'
import { IdleGpus } from './reservations/idle-gpus.tsx'
import { ReservationTable } from './reservations/reservation-table.tsx'
import { ToTalkTo } from './reservations/to-talk-to.tsx'

const keys = ['user', 'account', 'host', 'job'] as const
const keyNames = { user: 'User', account: 'Account', host: 'Host', job: 'Job' } as const

/** What was asked for against what was used, which GPUs are held for nothing, and who to talk to. */
export default function Reservations() {
  const time = timeAsked('7d')
  const by = keys.find((one) => one === query.value.get('by')) ?? 'user'
  const named = ['user', 'host', 'account'].map(
    (name) => [name, query.value.get(name) ?? ''] as const,
  )
  const narrowed = new URLSearchParams(
    named.filter(([, value]) => value !== '').map((one) => [...one]),
  )
  const path = `/reservations?${time.asked}&${narrowed.toString()}&by=`
  const { value, error, isWaiting } = useAsked<Answer>(`${path}${by}`).value
  const isEmpty = value !== undefined && value.rows.length === 0 && value.idle_gpus.length === 0
  return (
    <>
      <div class="page-head">
        <Title name="Reservations">Reserved against used</Title>
      </div>
      {!(isEmpty && !hasNodes.value) && (
        <form
          class="filter"
          role="search"
          aria-label="Reservations"
          onSubmit={(event) => event.preventDefault()}
        >
          {named.map(([name, text]) => (
            <TextFilter
              key={name}
              name={name}
              label={name.charAt(0).toUpperCase() + name.slice(1)}
              value={text}
            />
          ))}
          <TimeRange usual="7d" least="24h" />
        </form>
      )}
      {error !== undefined && <ProblemNote error={error} />}
      {value === undefined && isWaiting && <p class="loading">Reading…</p>}
      {isEmpty &&
        (hasNodes.value ? (
          <Empty title={`Nobody reserved anything ${rangeWords(time)}`}>
            Jobs of Slurm, containers with limits and runs of jobmeter with requests reserve
            something. {value.why_none}
          </Empty>
        ) : (
          <NoNodes why={value.why_none} />
        ))}
      {value !== undefined && !isEmpty && (
        <>
          <OwnShare>Only your own jobs and what you reserved are here.</OwnShare>
          <ToTalkTo people={value.to_talk_to} time={time} />
          <IdleGpus held={value.idle_gpus} />
          <Section
            id="table"
            title="Asked for and used"
            note="Of jobs that reserved something, over the time that they were looked at. Who left most cores unused comes first."
            aside={
              <Choice
                legend="By"
                name="by"
                options={keys.map((key) => [key, keyNames[key]] as const)}
                chosen={by}
                take={(one) => setQuery({ by: one === 'user' ? null : one })}
              />
            }
          >
            <ReservationTable rows={value.rows} by={value.by} />
          </Section>
        </>
      )}
    </>
  )
}
