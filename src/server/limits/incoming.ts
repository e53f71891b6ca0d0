import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import type { ServerEnv } from '../served.ts'

/** The request as Node got it; undefined where there was no socket, as in tests of single parts. */
export const incomingOf = ({
  env,
}: Pick<Context<ServerEnv>, 'env'>): HttpBindings['incoming'] | undefined =>
  (env as Partial<HttpBindings> | undefined)?.incoming
