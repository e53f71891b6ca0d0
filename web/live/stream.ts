import { signal } from '@preact/signals'
import type {
  LiveAlertData,
  LiveAttemptData,
  LiveSamplesData,
  LiveWorkflowData,
} from '../../src/server/schemas/live.ts'
import { findMe } from '../me.ts'
import { whileShown } from '../while-shown.ts'

/** Whether the server's events come in. */
export const linkState = signal<'connecting' | 'live' | 'lost'>('connecting')

/** Grows when what was told before may be incomplete: whatever was read must be read anew. */
export const resets = signal(0)

/** What is done with the events of each kind. */
export interface Taken {
  readonly attempt: (data: LiveAttemptData) => void
  readonly samples: (data: LiveSamplesData) => void
  readonly workflow: (data: LiveWorkflowData) => void
  readonly alert: (data: LiveAlertData) => void
}

const kinds = ['attempt', 'samples', 'workflow', 'alert'] as const satisfies (keyof Taken)[]

const laterMilliseconds = 2500
const [firstPauseMilliseconds, longestPauseMilliseconds] = [500, 20_000] as const

/**
 * Follows the events of the server by one connection for all pages. The browser opens a connection that broke again by
 * itself, and says which event it had last. Where it gives up, as when the server refuses, a new connection is opened
 * after a pause, which says the same; so does a tab that is shown again. Either way the server tells what was missed, or
 * that too much was (`reset`).
 */
export function followEvents(take: Taken, forget: () => void): () => void {
  let source: EventSource | undefined
  let failures = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  let later: ReturnType<typeof setTimeout> | undefined
  let lastId = ''
  let wasLeft = false

  const readAnew = (): void => {
    forget()
    resets.value++
    // The ledger may be a second behind what was told before: what is read then is not told again.
    clearTimeout(later)
    later = setTimeout(() => void resets.value++, laterMilliseconds)
  }
  const open = (): void => {
    clearTimeout(timer)
    source?.close()
    const after = lastId === '' ? '' : `?after=${encodeURIComponent(lastId)}`
    const opened = new EventSource(`/api/v1/events${after}`)
    source = opened
    opened.addEventListener('open', () => {
      // Events may have been missed before the first one: nobody can say after which.
      if ((linkState.value === 'lost' || wasLeft) && lastId === '') readAnew()
      linkState.value = 'live'
      wasLeft = false
      failures = 0
    })
    opened.addEventListener('error', () => {
      linkState.value = 'lost'
      if (opened.readyState === EventSource.CLOSED && opened === source) openLater()
    })
    opened.addEventListener('reset', ({ lastEventId }: MessageEvent<string>) => {
      lastId = lastEventId
      readAnew()
    })
    for (const kind of kinds)
      opened.addEventListener(kind, ({ data, lastEventId }: MessageEvent<string>) => {
        lastId = lastEventId
        take[kind](JSON.parse(data) as never)
      })
  }
  const openLater = (): void => {
    const pause = Math.min(longestPauseMilliseconds, firstPauseMilliseconds * 2 ** failures++)
    // Many pages that lost the same server do not come back at the same moment.
    timer = setTimeout(open, pause * (0.75 + Math.random() / 2))
    // It may have refused because nobody is signed in any more.
    void findMe()
  }
  // Only that it is worth a try: whether this machine itself can be reached has nothing to do with its network.
  const openNow = (): void => {
    if (source !== undefined && linkState.value !== 'live') open()
  }
  const leave = (): void => {
    clearTimeout(timer)
    source?.close()
    source = undefined
    wasLeft = true
    linkState.value = 'connecting'
  }
  addEventListener('online', openNow)
  const stop = whileShown(() => {
    open()
    return leave
  })
  return () => {
    stop()
    clearTimeout(later)
    removeEventListener('online', openNow)
  }
}
