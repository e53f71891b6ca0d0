import { rows } from '../../../src/browser/report/table-parts.ts'
import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { exactShare, orDash } from '../../../src/render/units/figures.ts'
import { clockWords } from '../../../src/render/units/clock-label.ts'
import type { NodeUptime } from '../../../src/server/schemas/node-curve.ts'
import { useAsked } from '../../asked.ts'
import { momentSeconds } from '../../moment.ts'
import { Drawn } from '../../parts/drawn.tsx'
import { Section } from '../../parts/section.tsx'

type Gap = NodeUptime['gaps'][number]

const causes: Readonly<Record<Gap['cause'], string>> = {
  'agent-down': 'only the agent was down: the node was not restarted',
  restarted: 'the node was restarted',
  open: 'nobody has looked since',
  unknown: 'too long ago to tell why',
}

/** When the node was looked at. A gap is time of which nothing is known, and counts as nothing. */
export function Uptime({
  path,
  asked,
  again,
}: {
  readonly path: string
  readonly asked: string
  readonly again: number
}) {
  const { value, error } = useAsked<NodeUptime>(`${path}/uptime?${asked}`, again).value
  if (value === undefined || error !== undefined) return null
  return (
    <Section
      id="uptime"
      title="Looked at"
      aside={
        <small>
          {orDash(value.seen_share, exactShare)} of the time, {briefSeconds(value.seen_seconds)}
          {value.restarts > 0 &&
            ` · restarted ${value.restarts === 1 ? 'once' : `${value.restarts} times`}`}
        </small>
      }
    >
      <Strip uptime={value} />
      {value.gaps.length > 0 && <Drawn of={value} make={() => [gapTable(value.gaps)]} />}
    </Section>
  )
}

/** Green where it was looked at, hatched where it was not. */
function Strip({ uptime }: { readonly uptime: NodeUptime }) {
  const [from, to] = [momentSeconds(uptime.from) ?? 0, momentSeconds(uptime.to) ?? 1]
  const share = (at: string | null): number =>
    Math.min(1, Math.max(0, ((momentSeconds(at) ?? from) - from) / Math.max(1, to - from)))
  const words = uptime.gaps.length === 0 ? 'no gap' : `${uptime.gaps.length} gaps`
  return (
    <div
      class="uptime"
      role="img"
      aria-label={`Looked at from ${clockWords(from)} to ${clockWords(to)}: ${words}`}
    >
      {uptime.gaps.map((gap) => (
        <span
          key={gap.from}
          class={`gap ${gap.cause}`}
          style={{
            left: `${100 * share(gap.from)}%`,
            width: `${100 * (share(gap.to) - share(gap.from))}%`,
          }}
        />
      ))}
    </div>
  )
}

const gapTable = (gaps: readonly Gap[]): HTMLElement =>
  rows(
    'Gaps',
    [['Nobody looked from'], ['to'], ['for', 'figure'], ['Why']],
    gaps
      .toReversed()
      .map((gap) => [
        momentWords(gap.from),
        gap.cause === 'open' ? 'now' : momentWords(gap.to),
        briefSeconds(gap.seconds),
        gap.booted_at === null
          ? causes[gap.cause]
          : `${causes[gap.cause]}, and up again at ${momentWords(gap.booted_at)}`,
      ]),
  )

const momentWords = (moment: string | null): string => orDash(momentSeconds(moment), clockWords)
