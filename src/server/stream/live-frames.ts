import type { ToldEvent } from '../../model/live.ts'
import { maySee } from '../access/may-see.ts'
import type { Viewer } from '../access/viewer.ts'
import { frame, mostUnreadBytes } from './event-stream.ts'

const encoder = new TextEncoder()

/** Events as they are sent, and how many they are. */
export interface Frames {
  readonly bytes: Uint8Array
  readonly count: number
}

/** Events as bytes. Those who see the same of them get the same bytes, which are made once. */
export class LiveFrames {
  #made = new WeakMap<readonly ToldEvent[], Map<string, Frames | null>>()

  /** null: nothing of it is for this viewer. */
  of(events: readonly ToldEvent[], viewer: Viewer): Frames | null {
    const known = this.#made.get(events) ?? new Map<string, Frames | null>()
    this.#made.set(events, known)
    const key = viewer.users === null ? '' : [viewer.user, ...viewer.users].join('\0')
    const found = known.get(key)
    if (found !== undefined) return found
    const frames = framesOf(events.filter((told) => isFor(told, viewer)))
    known.set(key, frames)
    return frames
  }
}

const isFor = ({ event }: ToldEvent, viewer: Viewer): boolean =>
  event.kind === 'reset' || maySee(viewer, event)

/** Who was away for so long that it would be dropped for what it missed reads everything anew instead. */
function framesOf(events: readonly ToldEvent[]): Frames | null {
  const last = events.at(-1)
  if (last === undefined) return null
  const text = events.map((told) => frame(told.event.kind, told.text, told.id)).join('')
  const bytes = encoder.encode(text)
  return bytes.length <= mostUnreadBytes
    ? { bytes, count: events.length }
    : { bytes: encoder.encode(frame('reset', '{}', last.id)), count: 1 }
}
