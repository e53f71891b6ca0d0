import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { liveData } from '../schemas/live.ts'
import type { Served, ServerEnv } from '../served.ts'
import { eventStream } from '../stream/event-stream.ts'
import { LiveFrames } from '../stream/live-frames.ts'
import { operation, serve } from './operation.ts'

const streamEvents = operation({
  id: 'streamEvents',
  path: '/api/v1/events',
  tag: 'Live',
  summary: 'What happens, as server-sent events',
  description:
    'Events `attempt`, `samples`, `workflow` and `alert`, each with an id and one line of JSON. Who comes back with the id of the last event (the header `Last-Event-ID`, or `after`) gets what was missed; where that is no longer known, an event `reset` says to read everything anew. A comment comes every 15 seconds.',
  query: {
    after: z
      .string()
      .regex(/^[\w.-]{1,64}$/)
      .optional()
      .openapi({ description: 'the id of the last event that was got' }),
  },
  others: {
    200: {
      description: 'A stream that does not end; the data of each event is a LiveData.',
      content: { 'text/event-stream': { schema: liveData } },
    },
  },
})

/** What no feed ever gave out is like one that is no longer held: everything is read anew. */
const knownId = (id: string | undefined): string | undefined => (id === '' ? undefined : id)

export function eventRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { feed, system, closing, own } = served
  const frames = new LiveFrames()
  serve(api, streamEvents, ({ query, viewer, context, stay }) => {
    const after = context.req.header('last-event-id') ?? query.after
    return eventStream(
      {
        clock: system.clock,
        closing: AbortSignal.any([closing, stay()]),
        onDropped: () => own.slowClientDropped(),
      },
      ({ send }) => {
        const leave = feed.listen((events) => {
          const made = frames.of(events, viewer)
          if (made !== null && send(made.bytes)) own.eventsSent(made.count)
        }, knownId(after))
        own.liveClients(1)
        return () => {
          leave()
          own.liveClients(-1)
        }
      },
    )
  })
}
