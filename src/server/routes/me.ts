import type { OpenAPIHono } from '@hono/zod-openapi'
import { me } from '../schemas/me.ts'
import type { Served, ServerEnv } from '../served.ts'
import { operation, serve } from './operation.ts'

const getMe = operation({
  id: 'getMe',
  path: '/api/v1/me',
  tag: 'Server',
  summary: 'Who is signed in, and what they may do',
  answer: me,
})

export function meRoutes(api: OpenAPIHono<ServerEnv>, served: Served): void {
  const { system, version, actions } = served
  serve(api, getMe, ({ viewer: { user, role, scopes: given } }) => ({
    user,
    role,
    scopes: [...given],
    may_submit: actions.submit,
    version,
    host: system.host.name,
  }))
}
