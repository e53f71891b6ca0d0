import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { logOfTask, logStreams } from '../../../service/job-logs.ts'
import { Problem } from '../../problem.ts'
import { visibleLedger } from '../../access/visible-ledger.ts'
import { problem } from '../../schemas/problem.ts'
import type { Served, ServerEnv } from '../../served.ts'
import { followLog } from '../../stream/follow-log.ts'
import { logBytes } from '../../stream/log-bytes.ts'
import { operation, serve } from '../operation.ts'
import { yesOrNo } from '../query.ts'
import { findTask, task } from './task.ts'

const bytes = { 'application/octet-stream': { schema: z.string().openapi({ format: 'binary' }) } }

const getLog = operation({
  id: 'getLog',
  path: '/api/v1/jobs/{task_id}/logs/{stream}',
  tag: 'Jobs',
  summary: 'What a job of a workflow wrote',
  description:
    'All of it, its last bytes (`tail`), a part of it (the header `Range`), or what it writes from then on (`follow`): events `log`, each with an id that says how far it goes, and `end`. Each event has `{"from": byte, "text": …}`; bytes that are not UTF-8 are replaced.',
  params: { ...task, stream: z.enum(logStreams) },
  query: {
    tail: z.coerce
      .number()
      .int()
      .min(1)
      .max(16 * 1024 * 1024)
      .optional()
      .openapi({ description: 'only so many bytes from its end' }),
    follow: yesOrNo('as an event stream that goes on until the attempt ends'),
  },
  others: {
    200: {
      description: 'The bytes, or with `follow` a stream of events.',
      content: { ...bytes, 'text/event-stream': { schema: z.string() } },
    },
    206: { description: 'The part that was asked for.', content: bytes },
    416: {
      description: 'There is no such part.',
      content: { 'application/problem+json': { schema: problem } },
    },
  },
})

export function jobLogRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { ledger, system } = served
  serve(api, getLog, async ({ params, query, viewer, context, stay }) => {
    const reader = visibleLedger(ledger, viewer)
    const record = await findTask(reader, params, served)
    const path = await logOfTask(system, reader, record.taskId, params.stream)
    if (path === null)
      throw new Problem(
        404,
        'What a single command writes is not kept: it goes to where the command was started.',
      )
    const range = context.req.header('range')
    if (!query.follow) return logBytes(system, path, { tail: query.tail, range })
    const after = context.req.header('last-event-id')
    const closing = AbortSignal.any([served.closing, stay()])
    const asked = { path, tail: query.tail, after }
    return followLog({ ...served, closing }, reader, record, asked)
  })
}
