import { briefSeconds } from '../../../src/render/units/brief-figures.ts'
import { exactShare, formatCount } from '../../../src/render/units/figures.ts'
import type { Reservations } from '../../../src/server/schemas/node.ts'
import { momentSeconds } from '../../moment.ts'
import { Section } from '../../parts/section.tsx'
import { Ago } from '../../parts/time.tsx'
import { hoursWords } from './hours-words.ts'

type Held = Reservations['idle_gpus'][number]

const shown = 8

/** Cards that somebody holds and nobody uses: now, and lately. */
export function IdleGpus({ held }: { readonly held: readonly Held[] }) {
  const now = held.filter(({ is_running: isRunning }) => isRunning)
  const lately = held.filter(({ is_running: isRunning }) => !isRunning)
  const cards = now.reduce((sum, { gpus }) => sum + gpus, 0)
  return (
    <Section
      id="idle"
      title="Idle GPUs"
      aside={
        <small>
          {cards === 0 ? 'none is held idle now' : `${formatCount(cards)} held idle now`}
        </small>
      }
    >
      {held.length === 0 ? (
        <p class="quiet">Every GPU that somebody holds is used, as far as agents can see.</p>
      ) : (
        <div class="two">
          <HeldList title="Now" held={now} none="Nobody holds a GPU idle now." />
          <HeldList title="Lately" held={lately} none="Nobody did lately." />
        </div>
      )}
    </Section>
  )
}

function HeldList({
  title,
  held,
  none,
}: {
  readonly title: string
  readonly held: readonly Held[]
  readonly none: string
}) {
  const hours = held.reduce(
    (sum, one) => sum + (one.gpus * one.seen_seconds * (1 - one.share)) / 3600,
    0,
  )
  return (
    <div>
      <h3>
        {title}
        {held.length > 0 && <small>{hoursWords(hours)} GPU-hours for nothing</small>}
      </h3>
      {held.length === 0 ? (
        <p class="quiet">{none}</p>
      ) : (
        <ul class="lines">
          {held.slice(0, shown).map((one) => (
            <li key={`${one.job} ${one.last_seen}`}>
              <a class="line-link" data-row href={`/node-jobs/${encodeURIComponent(one.job)}`}>
                <strong class="what">
                  {one.user} · {one.command}
                </strong>
                <strong>
                  {one.gpus} {one.gpus === 1 ? 'GPU' : 'GPUs'}
                </strong>
                <small class="why">
                  on {one.host}, {exactShare(one.share)} used in{' '}
                  {briefSeconds(Math.round(one.seen_seconds))}
                </small>
                <small>{one.is_running ? 'runs' : <Ago at={momentSeconds(one.last_seen)} />}</small>
              </a>
            </li>
          ))}
        </ul>
      )}
      {held.length > shown && <p class="quiet">and {formatCount(held.length - shown)} more</p>}
    </div>
  )
}
