import { useSignal } from '@preact/signals'
import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { clockWords } from '../../../src/render/units/clock-label.ts'
import { orDash } from '../../../src/render/units/figures.ts'
import type { NodeJobDetails } from '../../../src/server/schemas/node-curve.ts'
import type { Hogs, Policies } from '../../../src/server/schemas/policy.ts'
import { useAsked } from '../../asked.ts'
import { momentSeconds } from '../../moment.ts'
import { ClockCharts } from '../../parts/clock-charts.tsx'
import { ProblemNote } from '../../parts/problem.tsx'
import { Status } from '../../parts/status.tsx'
import { jobPage } from '../node/seen-jobs.tsx'
import { policyRef } from './policies.tsx'

type Violation = Hogs['violations'][number]
type Policy = Policies['policies'][number]

/** One finding: what was found, of whom, for how long, whether it is over or harmed nobody, and the evidence. */
export function Finding({
  finding,
  policy,
}: {
  readonly finding: Violation
  readonly policy: Policy | undefined
}) {
  const { user, host, command, state } = finding
  const page = pageOf(finding)
  const isOpen = useSignal(false)
  return (
    <li class="finding">
      <div class="finding-head">
        <Status status={state === 'open' ? finding.severity : state} />
        <strong>
          {page === null ? (
            user
          ) : (
            <a data-row href={page}>
              {command}
            </a>
          )}
        </strong>
        <span class="quiet">
          {page !== null && `of ${user} `}on <a href={nodeAt(finding)}>{host}</a>
        </span>
        <a class="tag" href={`#${policyRef(finding.policy)}`}>
          {finding.policy}
        </a>
      </div>
      <Found text={finding.found} says={policy?.says ?? ''} />
      {finding.suppressed_because !== null && (
        <p class="let-pass">
          <strong>But nobody was harmed:</strong> {finding.suppressed_because}
        </p>
      )}
      {finding.resolved_because !== null && (
        <p class="let-pass">Over: {finding.resolved_because}</p>
      )}
      <p class="quiet finding-time">
        First seen {moment(finding.first_seen)}, last {moment(finding.last_seen)}, held for{' '}
        {briefSeconds(finding.held_seconds)}
        {finding.resolved_at !== null && `, over since ${moment(finding.resolved_at)}`}
      </p>
      <details onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}>
        <summary>Evidence</summary>
        {isOpen.value &&
          (page === null ? (
            <OfUser finding={finding} policy={policy} />
          ) : (
            <OfJob finding={finding} policy={policy} />
          ))}
      </details>
    </li>
  )
}

/** What it says in words, then the figures that it was judged by. */
function Found({ text, says }: { readonly text: string; readonly says: string }) {
  const isSplit = says !== '' && text.startsWith(`${says}: `)
  const [words, figures] = isSplit ? [says, text.slice(says.length + 2)] : [text, '']
  return (
    <>
      <p>{words.charAt(0).toUpperCase() + words.slice(1)}.</p>
      {figures !== '' && (
        <ul class="figures" aria-label="Figures">
          {figures.split(/, (?=[a-z_]+ is )/).map((figure) => (
            <li key={figure}>{figure.replaceAll('_', ' ')}</li>
          ))}
        </ul>
      )}
    </>
  )
}

const moment = (at: string | null): string => orDash(momentSeconds(at), clockWords)

const pageOf = ({ job_kind: kind, job_id: id, host }: Violation): string | null =>
  kind === null || id === null ? null : jobPage({ kind, id, host })

/** When it was, with a little before and after. */
function aroundOf({
  first_seen: first,
  last_seen: last,
  held_seconds: held,
}: Violation): readonly [number, number] | undefined {
  const [from, to] = [momentSeconds(first), momentSeconds(last)]
  if (from === null || to === null) return undefined
  const margin = Math.max(600, held / 5)
  return [Math.min(from, to - held) - margin, to + margin]
}

/** The node at that time. */
function nodeAt(finding: Violation): string {
  const place = `/nodes/${encodeURIComponent(finding.host)}`
  const around = aroundOf(finding)
  if (around === undefined) return place
  const [from, to] = around.map(Math.round)
  return `${place}?from=${from}&to=${to}&jobs=then`
}

function OfJob({
  finding,
  policy,
}: {
  readonly finding: Violation
  readonly policy: Policy | undefined
}) {
  const page = pageOf(finding)
  const { value, error } = useAsked<NodeJobDetails>(page ?? undefined).value
  return (
    <>
      <Explained policy={policy} />
      {error !== undefined && <ProblemNote error={error} />}
      {value === undefined && error === undefined && <p class="loading">Reading…</p>}
      {value !== undefined &&
        (value.chart.charts.length === 0 ? (
          <p class="quiet">Nothing of its course is kept any more.</p>
        ) : (
          <ClockCharts
            data={value.chart}
            only={['cpu', 'gpus', 'memory']}
            shown={aroundOf(finding)}
          />
        ))}
    </>
  )
}

/** Of a user there is no single curve: the node at that time shows all of their jobs. */
function OfUser({
  finding,
  policy,
}: {
  readonly finding: Violation
  readonly policy: Policy | undefined
}) {
  return (
    <>
      <Explained policy={policy} />
      <p>
        It is about all jobs of {finding.user} on {finding.host} together.{' '}
        <a href={nodeAt(finding)}>See the node and its jobs at that time</a>.
      </p>
    </>
  )
}

const Explained = ({ policy }: { readonly policy: Policy | undefined }) =>
  policy === undefined ? null : (
    <p class="quiet">
      {policy.explanation} {policy.advice}
    </p>
  )
