import { createMiddleware } from 'hono/factory'
import type { LimitsConfig } from '../config/server-config.ts'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'

/** Where specs of workflows are sent to. */
const specPath = '/api/v1/workflows'

/** Whoever sends what is not read may still be sending: the connection cannot be used again. */
const close = { connection: 'close' }

/** Bounds what is sent along, and reads it here, so that what breaks off is told apart from our own faults. */
export const boundBodies = ({ bodyBytes, specBytes }: LimitsConfig) =>
  createMiddleware<ServerEnv>(async ({ req }, next) => {
    const length = req.header('content-length')
    const isEndless = req.header('transfer-encoding') !== undefined
    if (req.method !== 'POST') {
      if (isEndless || (length !== undefined && length !== '0'))
        throw new Problem(400, `A ${req.method} has no body.`, close)
      return next()
    }
    if (isEndless) throw new Problem(411, 'Say how long the body is: `content-length`.', close)
    const mostBytes = req.path === specPath ? specBytes : bodyBytes
    if (Number(length ?? 0) > mostBytes)
      throw new Problem(413, `The body has at most ${mostBytes} bytes.`, close)
    try {
      await req.arrayBuffer()
    } catch {
      throw new Problem(400, 'The body broke off.', close, 'a body that broke off')
    }
    return next()
  })
