import type { Reservations } from '../../../src/server/schemas/node.ts'
import { useSignal } from '@preact/signals'
import { formatCount } from '../../../src/render/units/figures.ts'
import { Copy } from '../../parts/copy.tsx'
import { Section } from '../../parts/section.tsx'
import { rangeWords, type TimeAsked } from '../../parts/time-range.tsx'
import { messageTo, reasons } from './message.ts'

type Person = Reservations['to_talk_to'][number]

const firstShown = 5

/** Whom a word would help, the worst first, with the word. */
export function ToTalkTo({
  people,
  time,
}: {
  readonly people: readonly Person[]
  readonly time: TimeAsked
}) {
  const shown = useSignal(firstShown)
  const words = rangeWords(time)
  const when = words.charAt(0).toUpperCase() + words.slice(1)
  return (
    <Section
      id="talk"
      title="Who to talk to"
      note={
        people.length === 0
          ? undefined
          : 'Who keeps from others what they do not use; the worst first: idle GPUs, then findings, then cores.'
      }
    >
      {people.length === 0 ? (
        <p class="quiet">Nobody keeps much from others {words}.</p>
      ) : (
        <ol class="lines people">
          {people.slice(0, shown.value).map((person) => (
            <li key={person.user} class="person">
              <div class="person-head">
                <a data-row href={`/reservations?by=job&user=${encodeURIComponent(person.user)}`}>
                  {person.user}
                </a>
                {reasons(person).map((reason) => (
                  <span key={reason} class="tag">
                    {reason}
                  </span>
                ))}
                {person.violations > 0 && (
                  <a class="quiet" href={`/hogs?user=${encodeURIComponent(person.user)}`}>
                    See the findings
                  </a>
                )}
              </div>
              <Message text={messageTo(person, when)} />
            </li>
          ))}
        </ol>
      )}
      {people.length > shown.value && (
        <button type="button" class="more" onClick={() => (shown.value = people.length)}>
          Show all {formatCount(people.length)}
        </button>
      )}
    </Section>
  )
}

const Message = ({ text }: { readonly text: string }) => (
  <div class="message">
    <p>{text}</p>
    <Copy text={text} />
  </div>
)
