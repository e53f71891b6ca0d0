import { useAsked } from '../../asked.ts'
import type { NodeJobs as Answer } from '../../../src/server/schemas/node.ts'
import { formatCount } from '../../../src/render/units/figures.ts'
import { Choice } from '../../parts/choice.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Section } from '../../parts/section.tsx'
import type { TimeAsked } from '../../parts/time-range.tsx'
import { query, setQuery } from '../../route.ts'
import { ByUser } from './by-user.tsx'
import { SeenJobs } from './seen-jobs.tsx'

const most = 1000

/** Whose jobs are on the node, or were in the time that is shown. */
export function NodeJobs({
  host,
  time,
  again,
}: {
  readonly host: string
  readonly time: TimeAsked
  readonly again: number
}) {
  const when = query.value.get('jobs') === 'then' || time.range === null ? 'then' : 'now'
  const state = when === 'now' ? '&state=running' : ''
  const asked = `/node-jobs?host=${encodeURIComponent(host)}&${time.asked}${state}&order=cpu&limit=${most}`
  const { value, error } = useAsked<Answer>(asked, again).value
  const jobs = value?.jobs.filter(({ kind }) => kind !== 'unattributed') ?? []
  return (
    <Section
      id="jobs"
      title="Jobs on it"
      aside={
        <Choice
          legend="Jobs"
          name="jobs"
          options={[
            ['now', 'Now'],
            ['then', 'In this time'],
          ]}
          chosen={when}
          take={(chosen) => setQuery({ jobs: chosen === 'now' ? null : chosen })}
        />
      }
    >
      {error !== undefined && <ProblemNote error={error} />}
      {value !== undefined && jobs.length === 0 && (
        <p class="quiet">
          {when === 'now' ? 'No job is on it now.' : 'No job was on it in this time.'}
        </p>
      )}
      {jobs.length > 0 && (
        <>
          <ByUser jobs={jobs} />
          <SeenJobs jobs={jobs} caption={`Jobs on ${host}`} />
          {value?.jobs.length === most && (
            <p class="quiet">These are the {formatCount(most)} that used most CPU.</p>
          )}
        </>
      )}
    </Section>
  )
}
