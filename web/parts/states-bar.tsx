import { outcomeStatuses } from '../../src/model/outcome.ts'
import { formatCount } from '../../src/render/units/figures.ts'

/** Always in this order: what is done before what is to come, so that a bar grows and never jumps. */
const order = ['success', ...outcomeStatuses.slice(1), 'running', 'waiting'] as const

type States = Readonly<Partial<Record<string, number>>>

const counted = (states: States): [state: string, count: number][] =>
  order.flatMap((state) => {
    const count = states[state] ?? 0
    return count > 0 ? [[state, count]] : []
  })

export const statesWords = (states: States): string =>
  counted(states)
    .map(([state, count]) => `${formatCount(count)} ${state}`)
    .join(' · ')

/** How many jobs stand how: a part of the bar for each state, as wide as there are jobs in it. */
export function StatesBar({ states }: { readonly states: States }) {
  const parts = counted(states)
  const total = parts.reduce((sum, [, count]) => sum + count, 0)
  return (
    <div class="states" role="img" aria-label={statesWords(states) || 'no jobs'}>
      {parts.map(([state, count]) => (
        // However few they are, they are seen.
        <span key={state} class={state} style={{ flexGrow: Math.max(count, total / 200) }} />
      ))}
    </div>
  )
}

/** The same in words, each with its colour. */
export const StatesKey = ({ states }: { readonly states: States }) => (
  <ul class="key">
    {counted(states).map(([state, count]) => (
      <li key={state} class={state}>
        {formatCount(count)} {state}
      </li>
    ))}
  </ul>
)
