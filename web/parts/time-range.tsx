import { query, setQuery } from '../route.ts'
import { Choice } from './choice.tsx'

export const ranges = [
  ['1h', '1 h', 'hour'],
  ['6h', '6 h', '6 hours'],
  ['24h', '24 h', '24 hours'],
  ['7d', '7 d', '7 days'],
  ['30d', '30 d', '30 days'],
] as const satisfies readonly (readonly [name: string, text: string, words: string])[]
export type RangeName = (typeof ranges)[number][0]

/** What time a page is about: the address says it, in the words that the server takes too. */
export interface TimeAsked {
  /** One of the choices; null where moments are named. */
  readonly range: RangeName | null
  /** As it is asked of the server: `from=24h`, or two moments. */
  readonly asked: string
}

export function timeAsked(usual: RangeName): TimeAsked {
  const [from, to] = [query.value.get('from'), query.value.get('to')]
  if (from !== null && to !== null)
    return { range: null, asked: new URLSearchParams({ from, to }).toString() }
  const named = query.value.get('range')
  const range = ranges.find(([name]) => name === named)?.[0] ?? usual
  return { range, asked: `from=${range}` }
}

/** Chooses the time; what moments were named before is forgotten. */
export function TimeRange({
  usual,
  least = '1h',
}: {
  readonly usual: RangeName
  readonly least?: RangeName
}) {
  const { range } = timeAsked(usual)
  const first = ranges.findIndex(([name]) => name === least)
  return (
    <Choice
      legend="Time"
      name="range"
      options={ranges.slice(first).map(([name, text]) => [name, text] as const)}
      chosen={range ?? ('' as RangeName)}
      take={(name) => setQuery({ range: name === usual ? null : name, from: null, to: null })}
    />
  )
}

export const rangeWords = ({ range }: TimeAsked): string =>
  range === null
    ? 'in the time that is shown'
    : `in the last ${ranges.find(([name]) => name === range)?.[2] ?? range}`
