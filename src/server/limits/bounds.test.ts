import { Hono, type Handler, type MiddlewareHandler } from 'hono'
import { describe, expect, it } from 'vitest'
import { emptyServerConfig } from '../config/server-config.ts'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import { boundBodies } from './body-limit.ts'
import { boundAtOnce } from './request-rate.ts'

const appOf = (
  bound: MiddlewareHandler<ServerEnv>,
  handler: Handler<ServerEnv>,
): Hono<ServerEnv> => {
  const app = new Hono<ServerEnv>()
  app.use(bound)
  app.all('*', handler)
  app.onError(
    (error) => new Response(null, { status: error instanceof Problem ? error.status : 500 }),
  )
  return app
}

describe('requests at once', () => {
  it('are so many in all, and a place is free again however one ends', async () => {
    const waiting: PromiseWithResolvers<void>[] = []
    const app = appOf(boundAtOnce(2), async (context) => {
      const turn = Promise.withResolvers<void>()
      waiting.push(turn)
      await turn.promise
      return context.text('')
    })
    const ask = async () => (await app.request('http://here/')).status
    const first = [ask(), ask()]
    expect(await ask()).toBe(503)
    waiting[0]?.resolve()
    waiting[1]?.reject(new Error('a fault'))
    expect(await Promise.all(first)).toEqual([200, 500])
    const again = [ask(), ask()]
    for (const turn of waiting.slice(2)) turn.resolve()
    expect(await Promise.all(again)).toEqual([200, 200])
  })
})

describe('bodies', () => {
  const { bodyBytes, specBytes } = emptyServerConfig.limits
  const app = appOf(boundBodies(emptyServerConfig.limits), async (context) =>
    context.text(String((await context.req.text()).length)),
  )
  const post = (path: string, bytes: number, headers: Record<string, string> = {}) =>
    app.request(`http://here${path}`, {
      method: 'POST',
      headers: { 'content-length': String(bytes), ...headers },
      body: 'x'.repeat(bytes),
    })

  it.each([
    ['/api/v1/jobs', bodyBytes, 200],
    ['/api/v1/jobs', bodyBytes + 1, 413],
    ['/api/v1/workflows', specBytes, 200],
    ['/api/v1/workflows', specBytes + 1, 413],
    ['/api/v1/workflows/1/cancel', bodyBytes + 1, 413],
  ])('of %s with %i bytes: %i', async (path, bytes, status) => {
    const answer = await post(path, bytes)
    expect(answer.status).toBe(status)
    expect(await answer.text()).toBe(status === 200 ? String(bytes) : '')
  })

  it('say how long they are', async () => {
    expect((await post('/', 3, { 'transfer-encoding': 'chunked' })).status).toBe(411)
  })
})
