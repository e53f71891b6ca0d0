import { Hono } from 'hono'
import { describe, expect, it } from 'vitest'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import { plainTargets } from './targets.ts'

const app = new Hono<ServerEnv>()
app.use(plainTargets)
app.all('*', (context) => context.text('served'))
app.onError(
  (error) => new Response(null, { status: error instanceof Problem ? error.status : 500 }),
)

/** As it comes from the wire: what `Request` would tidy up stays as it is. */
const statusOf = async (target: string, method = 'GET', rawHeaders: string[] = []) => {
  const incoming = { url: target, rawHeaders } as unknown as NonNullable<
    ServerEnv['Bindings']['incoming']
  >
  return (await app.request('http://here/', { method }, { incoming })).status
}

describe('targets of requests', () => {
  it.each([
    '/',
    '/jobs/0a1b2c3d',
    '/assets/index-B2c.js',
    '/api/v1/nodes/node01.example.org',
    '/api/v1/jobs?name=..%2f..%00&search=%5c',
    '/a%20b/%C3%A4',
    '/jobs/100%25',
  ])('%s is served', async (target) => {
    expect(await statusOf(target)).toBe(200)
  })

  it.each([
    '/../etc/passwd',
    '/a/..',
    '/./a',
    '/%2e%2e/etc/passwd',
    '/%2E./a',
    '/..%2fetc',
    '/a%2f..%2fb',
    '/%252e%252e/a',
    '/%25252e/a',
    '/..\\a',
    '/a%5cb',
    '/a%255Cb',
    '/a%00.js',
    '/a%0d%0ab',
    '/a%7f',
    '/a\u0000',
  ])('%j is refused', async (target) => {
    expect(await statusOf(target)).toBe(400)
  })

  it('are bounded', async () => {
    expect(await statusOf(`/${'a'.repeat(8191)}`)).toBe(200)
    expect(await statusOf(`/${'a'.repeat(8192)}`)).toBe(414)
    expect(await statusOf(`/?${'a&'.repeat(199)}`)).toBe(200)
    expect(await statusOf(`/?${'a&'.repeat(200)}`)).toBe(400)
    expect(await statusOf('/', 'GET', Array<string>(200).fill('a'))).toBe(200)
    expect(await statusOf('/', 'GET', Array<string>(202).fill('a'))).toBe(431)
  })

  it.each(['PUT', 'DELETE', 'PATCH', 'OPTIONS', 'PROPFIND'])('%s is refused', async (method) => {
    expect(await statusOf('/', method)).toBe(405)
  })
})
