import type { Clock } from '../../system/system.ts'

/** A comment so often: proxies close what is silent, and a client that is gone is noticed. */
const beatSeconds = 15
/** Who has not read so much of what was sent is dropped: it comes back, and is told what it missed. */
export const mostUnreadBytes = 1024 * 1024

const encoder = new TextEncoder()
const beat = encoder.encode(': still here\n\n')

/** One event, as it is sent. `data` has no line break in it. */
export const frame = (event: string, data: string, id?: string): string =>
  `${id === undefined ? '' : `id: ${id}\n`}event: ${event}\ndata: ${data}\n\n`

/** What a source of events can do with whoever listens. */
export interface Listening {
  /** False: whoever listens has gone, or was dropped because it does not read. */
  send(bytes: Uint8Array): boolean
  /** When there is room for more; at once where there is some, or nobody listens. */
  room(): Promise<void>
  /** Ends the stream. */
  end(): void
}

export interface StreamSettings {
  readonly clock: Pick<Clock, 'after'>
  /** Ends all streams. */
  readonly closing: AbortSignal
  /** Hears of a client that was dropped because it did not read. */
  readonly onDropped?: (() => void) | undefined
}

/** An answer that does not end until its source, the client or the server does. `listen` answers what stops it. */
export function eventStream(
  { clock, closing, onDropped }: StreamSettings,
  listen: (listening: Listening) => () => void,
): Response {
  let quit = (finish: () => void): void => finish()
  let roomMade = (): void => {}
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        let isOver = false
        let leave = (): void => {}
        quit = (finish) => {
          if (isOver) return
          isOver = true
          leave()
          roomMade()
          finish()
        }
        const send = (bytes: Uint8Array): boolean => {
          if (isOver) return false
          if ((controller.desiredSize ?? 0) >= 0) {
            controller.enqueue(bytes)
            return true
          }
          quit(() => controller.error(new Error('the client does not read')))
          onDropped?.()
          return false
        }
        const end = (): void => quit(() => controller.close())
        const room = async (): Promise<void> => {
          if (isOver || (controller.desiredSize ?? 0) > 0) return
          await new Promise<void>((resolve) => (roomMade = resolve))
        }
        leave = started({ clock, closing }, listen, { send, room, end })
        if (isOver) leave()
      },
      pull: () => roomMade(),
      cancel: () => quit(() => {}),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: mostUnreadBytes }),
  )
  return new Response(body, { headers: streamHeaders })
}

/** A proxy that collects what it passes on would hold events back. */
const streamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store, no-transform',
  'x-accel-buffering': 'no',
}

function started(
  { clock, closing }: StreamSettings,
  listen: (listening: Listening) => () => void,
  listening: Listening,
): () => void {
  let cancelBeat = (): void => {}
  const beatOn = (): void => {
    cancelBeat = clock.after(beatSeconds, () => {
      if (listening.send(beat)) beatOn()
    })
  }
  const onClosing = (): void => listening.end()
  closing.addEventListener('abort', onClosing)
  // At once, so that whoever connects knows that it has.
  listening.send(beat)
  const leave = listen(listening)
  beatOn()
  if (closing.aborted) queueMicrotask(onClosing)
  return () => {
    cancelBeat()
    closing.removeEventListener('abort', onClosing)
    leave()
  }
}
