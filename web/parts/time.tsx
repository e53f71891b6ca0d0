import { briefSeconds } from '../../src/render/units/brief-figures.ts'
import { shortTime } from '../../src/render/units/zoned-time.ts'
import { now } from '../clock.ts'

/** `3m ago`, with the moment itself where the pointer rests; older than a day: the moment. */
export function Ago({ at }: { readonly at: number | null }) {
  if (at === null) return <span class="quiet">–</span>
  const exact = shortTime(at, 'local')
  return (
    <time dateTime={new Date(at * 1000).toISOString()} title={exact}>
      {agoWords(at, now.value)}
    </time>
  )
}

const daySeconds = 86_400

function agoWords(at: number, current: number): string {
  const seconds = Math.floor(current - at)
  if (seconds < 2) return 'now'
  // The largest unit alone: who wants it exactly rests on it.
  if (seconds < daySeconds) return `${briefSeconds(seconds).split(' ')[0]} ago`
  return shortTime(at, 'local').slice(0, 16)
}

/** How long something has been running, second by second. */
export function Elapsed({ since }: { readonly since: number }) {
  return <>{briefSeconds(Math.max(0, Math.floor(now.value - since))) || '0s'}</>
}
