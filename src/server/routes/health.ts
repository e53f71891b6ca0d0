import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { StoreError } from '../../store/errors.ts'
import { Problem } from '../problem.ts'
import type { Served, ServerEnv } from '../served.ts'
import { operation, serve } from './operation.ts'

const health = z.object({ status: z.literal('ok') }).openapi('Health')
const ok = { status: 'ok' } as const
const never = [400, 401, 403, 404] as const

const getHealth = operation({
  id: 'getHealth',
  path: '/healthz',
  tag: 'Server',
  summary: 'Whether the server is alive',
  answer: health,
  never,
})

const getReadiness = operation({
  id: 'getReadiness',
  path: '/readyz',
  tag: 'Server',
  summary: 'Whether the ledger can be read',
  answer: health,
  never,
})

export function healthRoutes(api: OpenAPIHono<ServerEnv>, { ledger }: Served): void {
  serve(api, getHealth, () => ok)
  serve(api, getReadiness, async () => {
    try {
      await ledger.workflows.newestWorkflowId()
    } catch (error) {
      if (!(error instanceof StoreError)) throw error
      // Anybody may ask, and the message has a path in it.
      throw new Problem(503, 'The ledger cannot be read now.', {}, error.message)
    }
    return ok
  })
}
