import type { Hogs } from '../../../src/server/schemas/policy.ts'

type Entry = Hogs['not_judged'][number]

/** What policies could not say, and why: no finding is not always good news. */
export function NotJudged({ notJudged }: { readonly notJudged: readonly Entry[] }) {
  if (notJudged.length === 0) return null
  const never = notJudged.filter(({ policy }) => policy === null)
  const others = Map.groupBy(
    notJudged.filter(({ policy }) => policy !== null),
    ({ policy, why }) => `${policy}: ${why}`,
  )
  return (
    <details class="not-judged">
      <summary>What could not be judged</summary>
      <ul>
        {never.length > 0 && (
          <li>
            {hosts(never)} {never.length === 1 ? 'was' : 'were'} never judged: no agent does it
            there. <code>jobmeter policies judge</code> does.
          </li>
        )}
        {[...others].map(([words, entries]) => (
          <li key={words}>
            {words} ({hosts(entries)})
          </li>
        ))}
      </ul>
    </details>
  )
}

const named = 4

function hosts(entries: readonly Entry[]): string {
  const names = [...new Set(entries.map(({ host }) => host))]
  const first = names.slice(0, named).join(', ')
  return names.length <= named ? first : `${first} and ${names.length - named} more`
}
