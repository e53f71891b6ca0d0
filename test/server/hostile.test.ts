import { readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import fc from 'fast-check'
import { SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import {
  act,
  ask,
  connectRaw,
  cookieFor,
  cookiesOf,
  logOf,
  sendRaw,
  serve,
  statusesIn,
  statusOf,
  until,
  type ServedProgram,
} from './served-program.ts'

/** Nobody waits here for as long as people may. */
const config = `
limits:
  header_time: 1s
  request_time: 2s
  read_time: 1s
  connections_per_address: 64
`
const mostBytes = 250 * 1024 ** 2
/** Which must never be in the log. */
const secrets: string[] = []

let place: Sandbox
let served: ServedProgram
let port: number
let host: string
let bearer: Record<string, string>
let cookie: string

beforeAll(async () => {
  place = sandbox()
  await place.jobmeter(['run', '--quiet', '--', 'true'])
  served = await serve(place, config)
  ;({ port, host } = served)
  bearer = { authorization: `Bearer ${served.token}` }
  cookie = await cookieFor(served)
  secrets.push(served.token, cookie.split('=')[1] ?? '')
})

afterAll(() => place[Symbol.dispose]())

function memoryBytes(what: 'VmRSS' | 'VmHWM'): number {
  const status = readFileSync(`/proc/${served.running.pid}/status`, 'latin1')
  return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024
}

interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[]
  readonly responses: Readonly<Record<string, unknown>>
}

/** Every route, by its path and its method. */
async function documentedPaths(): Promise<Record<string, Record<string, Operation>>> {
  const document = (await ask(port, '/api/openapi.json')).json()
  return (document as { paths: Record<string, Record<string, Operation>> }).paths
}

/** A request of these lines, and a host of ours unless they name one. */
const requestOf = (line: string, ...headers: string[]): string =>
  [
    line,
    ...(headers.some((each) => /^host/i.test(each)) ? [] : [`Host: ${host}`]),
    ...headers,
    '',
    '',
  ].join('\r\n')

describe('what is not HTTP, or not as it should be', () => {
  const get = 'GET /healthz HTTP/1.1'
  const post = 'POST /api/v1/sign-out HTTP/1.1'
  const shapes: readonly (readonly [string, () => string, number])[] = [
    ['nonsense', () => 'nonsense\r\n\r\n', 400],
    ['HTTP of 1991', () => 'GET /\r\n\r\n', 400],
    ['a version to come', () => requestOf('GET / HTTP/9.9'), 400],
    ['HTTP/2 without asking', () => 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    [
      'a handshake of TLS',
      () => '\u0016\u0003\u0001\u0000\u00a5\u0001\u0000\u0000\u00a1\u0003\u0003',
      400,
    ],
    ['a method that there is not', () => requestOf('STEAL / HTTP/1.1'), 400],
    ['TRACE', () => requestOf('TRACE / HTTP/1.1'), 405],
    ['CONNECT', () => requestOf('CONNECT evil.test:443 HTTP/1.1'), 405],
    ['DELETE', () => requestOf('DELETE /api/v1/jobs HTTP/1.1'), 405],
    ['OPTIONS', () => requestOf('OPTIONS /api/v1/jobs HTTP/1.1'), 405],
    ['OPTIONS of all', () => requestOf('OPTIONS * HTTP/1.1'), 400],
    ['no host', () => requestOf(get, 'X-Host: none').replace(/Host: .*\r\n/, ''), 400],
    ['no host in HTTP/1.0', () => 'GET /healthz HTTP/1.0\r\n\r\n', 400],
    ['another host', () => requestOf(get, 'Host: evil.test'), 421],
    ['another port', () => requestOf(get, 'Host: 127.0.0.1:1'), 421],
    ...[
      '256.256.256.256',
      '1.2.3.4.5.6',
      '127.0.p.1:7411',
      '127.0.0.999',
      '999999999999',
      '127..0.1',
    ].map((each) => [`the host ${each}`, () => requestOf(get, `Host: ${each}`), 421] as const),
    ['two hosts', () => requestOf(get, `Host: ${host}`, 'Host: evil.test'), 421],
    ['a host that is not one', () => requestOf(get, `Host: ${host}@evil.test`), 400],
    ['an address of another host', () => requestOf('GET http://evil.test/healthz HTTP/1.1'), 421],
    ['an address of a file', () => requestOf('GET file:///etc/passwd HTTP/1.1'), 400],
    [
      'a length and chunks',
      () => `${requestOf(post, 'Content-Length: 5', 'Transfer-Encoding: chunked')}0\r\n\r\nG`,
      400,
    ],
    ['two lengths', () => requestOf(post, 'Content-Length: 5', 'Content-Length: 6'), 400],
    ['a length below nothing', () => requestOf(post, 'Content-Length: -1'), 400],
    ['a length that is no number', () => requestOf(post, 'Content-Length: 0x10'), 400],
    ['chunks that are called otherwise', () => requestOf(post, 'Transfer-Encoding: xchunked'), 400],
    [
      'chunks and then something',
      () => requestOf(post, 'Transfer-Encoding: chunked, identity'),
      400,
    ],
    ['a space before the colon', () => requestOf(post, 'Transfer-Encoding : chunked'), 400],
    ['a folded header', () => requestOf(get, 'X-A: 1', ' evil: 2'), 400],
    ['lines without a return', () => `GET /healthz HTTP/1.1\nHost: ${host}\n\n`, 400],
    ['a NUL in a header', () => requestOf(get, 'X-A: a\u0000b'), 400],
    ['a header without a name', () => requestOf(get, ': a'), 400],
    [
      'chunks',
      () =>
        `${requestOf(post, 'Transfer-Encoding: chunked', `Origin: http://${host}`, 'Content-Type: application/json')}2\r\n{}\r\n0\r\n\r\n`,
      411,
    ],
    ['a body of a GET', () => `${requestOf(get, 'Content-Length: 2')}{}`, 400],
    [
      'a body that is too large',
      () =>
        requestOf(
          post,
          'Content-Length: 1048577',
          `Origin: http://${host}`,
          'Content-Type: application/json',
        ),
      413,
    ],
    [
      'a body beyond all measure',
      () =>
        requestOf(
          post,
          'Content-Length: 99999999999999999',
          `Origin: http://${host}`,
          'Content-Type: application/json',
        ),
      413,
    ],
    ['a long address', () => requestOf(`GET /${'a'.repeat(9000)} HTTP/1.1`), 414],
    ['a longer address', () => requestOf(`GET /${'a'.repeat(20_000)} HTTP/1.1`), 431],
    ['10,000 parameters', () => requestOf(`GET /api/v1/jobs?${'a&'.repeat(10_000)} HTTP/1.1`), 431],
    ['4,000 parameters', () => requestOf(`GET /api/v1/jobs?${'a&'.repeat(4000)} HTTP/1.1`), 400],
    ['a large header', () => requestOf(get, `X-A: ${'a'.repeat(20_000)}`), 431],
    [
      'many headers',
      () => requestOf(get, ...Array.from({ length: 150 }, (_, each) => `X-${each}: a`)),
      431,
    ],
    ['very many headers', () => requestOf(get, ...Array<string>(3000).fill('a:')), 431],
  ]

  it.each(shapes)('%s is refused', async (_, bytes, status) => {
    const raw = await sendRaw(port, Buffer.from(bytes(), 'latin1'), { end: true })
    expect([statusesIn(raw), raw.length < 2000]).toEqual([[status], true])
    expect(raw.toLowerCase()).toContain('content-type: application/problem+json')
    expect(raw.toLowerCase()).toContain("frame-ancestors 'none'")
  })

  it('is written down, each with its reason', async () => {
    const log = await until(
      () => logOf(served),
      (lines) => lines.length >= shapes.length,
    )
    const keys = 'time method route status user address reason left_out'.split(' ')
    for (const line of log) expect(keys).toEqual(expect.arrayContaining(Object.keys(line)))
  })

  it('does not become a second request', async () => {
    const hidden = requestOf('GET /api/v1/me HTTP/1.1', `Authorization: Bearer ${served.token}`)
    const smuggled = [
      `${requestOf(post, `Content-Length: ${hidden.length + 5}`, 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
      `${requestOf(post, 'Content-Length: 3', `Content-Length: ${hidden.length}`)}${hidden}`,
      `${requestOf(post, 'Transfer-Encoding: chunked')}zz\r\n${hidden}`,
      `${requestOf(get, 'Content-Length: 0', ' Content-Length: 7')}${hidden}`,
    ]
    for (const each of smuggled) {
      const raw = await sendRaw(port, each, { end: true })
      expect(raw).not.toContain('administrator')
      expect(statusesIn(raw)).toEqual([
        expect.toSatisfy((status) => status === 400 || status === 411),
      ])
    }
  })

  it('serves what is old but right, and changes to no other protocol', async () => {
    expect(
      statusesIn(await sendRaw(port, `GET /healthz HTTP/1.0\r\nHost: ${host}\r\n\r\n`)),
    ).toEqual([200])
    const upgrade = requestOf(
      get,
      'Connection: Upgrade, close',
      'Upgrade: websocket',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      'Sec-WebSocket-Version: 13',
    )
    expect(statusesIn(await sendRaw(port, upgrade, { end: true }))).toEqual([200])
  })
})

describe('paths', () => {
  it.each([
    '/../../etc/passwd',
    '/..%2f..%2fetc%2fpasswd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/%252e%252e%252fetc%252fpasswd',
    '/..%5c..%5cetc%5cpasswd',
    '/..\\..\\etc\\passwd',
    '/assets/..%00/etc/passwd',
    '/assets/%00',
    '/.%2e/etc/passwd',
    '/%c0%ae%c0%ae/etc/passwd',
    '/assets//etc/passwd.js',
    '//etc/passwd.html',
    '/package.json',
    '/web/files.json',
    '/files.json',
    '/ledger.db',
    '/.git/config',
    '/api/v1/jobs/..%2f..%2fme',
    '/api/v1/../../etc/passwd',
    '/;/etc/passwd.txt',
    '/__proto__.js',
    '/constructor.js',
  ])('%s leads to no file', async (path) => {
    const raw = await sendRaw(port, requestOf(`GET ${path} HTTP/1.1`, 'Connection: close'), {
      end: true,
    })
    const [status] = statusesIn(raw)
    // A path without a dot is a page of the dashboard, which is always the same.
    expect([400, 404, raw.includes('<!doctype html>') ? 200 : 404]).toContain(status)
    expect(raw).not.toMatch(/root:|"dependencies"|SQLite format/)
  })
})

describe('those who are slow', () => {
  /** Reads all that comes, or the end of it would not be seen. */
  const closed = (socket: Socket) =>
    new Promise<void>((resolve) => socket.resume().once('close', resolve))

  it('lose their connection while they write headers, or nothing at all', async () => {
    const timers: NodeJS.Timeout[] = []
    const slow = Array.from({ length: 20 }, (_, each) => {
      const socket = connectRaw(port)
      let text = ''
      socket.on('data', (part: Buffer) => (text += part.toString('latin1')))
      if (each % 2 === 0) {
        socket.write(`GET / HTTP/1.1\r\nHost: ${host}\r\n`)
        timers.push(setInterval(() => socket.write('X-A: b\r\n'), 100))
      }
      return closed(socket).then(() => text)
    })
    const answers = await Promise.all(slow)
    for (const timer of timers) clearInterval(timer)
    expect(answers.flatMap(statusesIn)).toEqual(Array<number>(20).fill(408))
  })

  it('lose it while they write a body', async () => {
    const socket = connectRaw(port)
    socket.write(
      `${requestOf('POST /api/v1/sign-out HTTP/1.1', 'Content-Length: 100', `Origin: http://${host}`, 'Content-Type: application/json')}{`,
    )
    await closed(socket)
    const log = await until(
      () => logOf(served),
      (lines) => lines.some(({ reason }) => reason === 'a body that broke off'),
    )
    expect(log).toContainEqual(expect.objectContaining({ status: 408 }))
  })

  it('lose it when they do not read', async () => {
    let socket = connectRaw(port).pause()
    const few = requestOf('GET /api/openapi.json HTTP/1.1').repeat(20)
    // Until the buffers of the kernel are full. On a busy machine a request may not come in time before that.
    await until(
      async () => {
        if (socket.destroyed) socket = connectRaw(port).pause()
        socket.write(few)
        return logOf(served)
      },
      (log) => log.some(({ reason }) => reason === 'a reader that is too slow'),
    )
    await closed(socket)
    expect((await ask(port, '/healthz')).status).toBe(200)
  })

  it('cannot have much done at once on one connection', async () => {
    const raw = await sendRaw(port, requestOf('GET /healthz HTTP/1.1').repeat(200), { end: true })
    const statuses = statusesIn(raw)
    expect(statuses).toHaveLength(200)
    expect(new Set(statuses)).toEqual(new Set([200, 503]))
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(32)
  })

  it('cannot take all connections', async () => {
    const sockets = Array.from({ length: 80 }, () => connectRaw(port))
    await until(
      () => logOf(served),
      (log) => log.some(({ reason }) => reason === 'too many connections of one address'),
    )
    // From elsewhere there is still a way in.
    expect((await ask(port, '/healthz', { from: '127.0.0.9' })).status).toBe(200)
    for (const socket of sockets) socket.destroy()
    await until(
      () => statusOf(port),
      (status) => status === 200,
    )
  })
})

describe('what is put where a value belongs', () => {
  const payloads = [
    "' OR 1=1; DROP TABLE attempt; --",
    '"><script>alert(1)</script>',
    '../../../../etc/passwd',
    'a\r\nSet-Cookie: stolen=1',
    '\u0000',
    '9'.repeat(400),
    '-1',
    'NaN',
    '{"$gt":""}',
    '%',
    '😀'.repeat(100),
    '__proto__',
  ]
  it('is only ever a value', async () => {
    const before = await ask(port, '/api/v1/jobs', { headers: bearer })
    let asked = 0
    for (const [path, { get }] of Object.entries(await documentedPaths())) {
      if (get === undefined) continue
      for (const payload of payloads) {
        const put = encodeURIComponent(payload)
        const target = path.replaceAll(/\{\w+\}/g, put)
        const names = (get.parameters ?? [])
          .filter((each) => each.in === 'query')
          .map(({ name }) => name)
        for (const given of names.length > 1 ? [names, ...names.map((name) => [name])] : [names]) {
          const query = given.map((name) => `${name}=${put}`).join('&')
          const answer = await ask(port, `${target}?${query}`, { headers: bearer })
          asked += 1
          expect([...Object.keys(get.responses), '400', '404', '414']).toContain(
            String(answer.status),
          )
          expect(answer.headers['set-cookie']).toBeUndefined()
          // A page with it in it would be run.
          const isPage = answer.headers['content-type']?.includes('html') === true
          expect(isPage && answer.text.includes('<script>alert(1)')).toBe(false)
        }
      }
    }
    expect(asked).toBeGreaterThan(payloads.length)
    const after = await ask(port, '/api/v1/jobs', { headers: bearer })
    expect(after.text).toBe(before.text)
  })
})

describe('what was stolen, forged or is over', () => {
  const statusFor = async (headers: Record<string, string>) =>
    (await ask(port, '/api/v1/me', { headers })).status

  it('opens nothing: a cookie after signing out, of another server, or changed', async () => {
    const own = await cookieFor(served)
    secrets.push(own.split('=')[1] ?? '')
    expect(await statusFor({ cookie: own })).toBe(200)
    await act(served, '/api/v1/sign-out', {}, { cookie: own })
    expect(await statusFor({ cookie: own })).toBe(401)
    expect(await statusFor({ cookie: `${own}; ${own}` })).toBe(401)
    expect(
      await statusFor({ cookie: cookie.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A')) }),
    ).toBe(401)
    expect(await statusFor({ cookie: cookie.toUpperCase() })).toBe(401)
    const [name] = cookie.split('=')
    for (const value of ['', 'null', '[]', '%00', 'a'.repeat(4000), '__proto__'])
      expect(await statusFor({ cookie: `${name}=${value}` })).toBe(401)
    using elsewhere = sandbox()
    const other = await serve(elsewhere)
    const foreign = cookiesOf(await ask(other.port, `/?token=${other.token}`))
    const renamed = foreign.replace(String(other.port), String(port))
    expect(await statusFor({ cookie: foreign })).toBe(401)
    expect(await statusFor({ cookie: renamed })).toBe(401)
    expect(await statusFor({ authorization: `Bearer ${other.token}` })).toBe(401)
  })

  it('opens nothing: a token of JSON, whoever signed it, and other ways to say a name', async () => {
    const claims = {
      sub: 'root',
      preferred_username: 'root',
      iss: `http://${host}`,
      aud: 'jobmeter',
    }
    const unsigned = new UnsecuredJWT(claims).encode()
    const signed = await new SignJWT(claims)
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('-----BEGIN PUBLIC KEY-----'))
    secrets.push(unsigned, signed)
    const { token } = served
    for (const authorization of [
      `Bearer ${unsigned}`,
      `Bearer ${signed}`,
      `Basic ${Buffer.from(`root:${token}`).toString('base64')}`,
      `Bearer  ${token}`,
      `Bearer ${token} `.repeat(2),
      `Bearer ${token}=`,
      `Bearer ${'a'.repeat(5000)}`,
      token,
      'Bearer',
      '',
    ])
      expect([401, 429]).toContain(await statusFor({ authorization, cookie }))
    for (const header of ['x-remote-user', 'x-forwarded-user', 'remote-user', 'x-user'])
      expect(await statusFor({ [header]: 'root' })).toBe(401)
    expect((await ask(port, `/api/v1/me?token=${token}`)).status).toBe(401)
  })

  const tokenWith = async (...args: string[]) => {
    const { stdout } = await place.jobmeter(['tokens', 'create', 'any', ...args])
    const token = stdout.trim()
    secrets.push(token)
    return { token, headers: { authorization: `Bearer ${token}` } }
  }

  it('opens nothing else: a token that was made for something else, and after it was revoked', async () => {
    const metrics = await tokenWith('--scope', 'metrics')
    const reading = await tokenWith('--scope', 'read', '--user', 'somebody')
    const me = await ask(port, '/api/v1/me', reading)
    expect(me.json()).toMatchObject({ user: 'somebody', role: 'user', scopes: ['read'] })
    expect(me.headers['set-cookie']).toBeUndefined()
    // Jobs of others are not theirs to see.
    expect((await ask(port, '/api/v1/jobs', reading)).json()).toMatchObject({ jobs: [] })
    expect((await ask(port, '/api/v1/jobs', metrics)).status).toBe(403)
    // Shown to a page, it signs nobody in.
    const page = await act(served, '/api/v1/sign-in', { token: reading.token })
    expect([401, 429]).toContain(page.status)
    expect((await ask(port, `/?token=${reading.token}`)).headers['set-cookie']).toBeUndefined()
    for (const [path, { post }] of Object.entries(await documentedPaths())) {
      if (post === undefined || /sign-(in|out)$/.test(path)) continue
      const headers = { ...reading.headers, 'content-type': 'application/json' }
      const target = path.replaceAll(/\{\w+\}/g, '1')
      const acted = await ask(port, target, { method: 'POST', headers, body: '{}' })
      expect([path, acted.status]).toEqual([path, 403])
    }
    const last = reading.token.at(-1) === 'A' ? 'B' : 'A'
    const changed = `${reading.token.slice(0, -1)}${last}`
    expect([401, 429]).toContain(await statusFor({ authorization: `Bearer ${changed}` }))
    await place.jobmeter(['tokens', 'revoke', reading.token])
    expect([401, 429]).toContain(await statusFor(reading.headers))
  })

  it('is not slowed down by those who guess, while they are', async () => {
    const guess = () => statusFor({ authorization: 'Bearer guess' })
    await until(guess, (status) => status === 429)
    expect(await statusFor(bearer)).toBe(200)
  })
})

describe('pages of other sites', () => {
  const own = () => ({ origin: `http://${host}`, 'content-type': 'application/json' })
  const post = (headers: Record<string, string>, path = '/api/v1/sign-out') =>
    ask(port, path, { method: 'POST', headers: { cookie, ...headers }, body: '{}' })

  it.each([
    ['another origin', () => ({ ...own(), origin: 'https://evil.test' }), 403],
    ['the same host by https', () => ({ ...own(), origin: `https://${host}` }), 403],
    ['another port', () => ({ ...own(), origin: 'http://127.0.0.1:1' }), 403],
    ['a name that begins like ours', () => ({ ...own(), origin: `http://${host}.evil.test` }), 403],
    ['no origin at all', () => ({ 'content-type': 'application/json' }), 403],
    ['an origin that is hidden', () => ({ ...own(), origin: 'null' }), 403],
    ['a browser that says so', () => ({ ...own(), 'sec-fetch-site': 'cross-site' }), 403],
    ['a neighbour of the same site', () => ({ ...own(), 'sec-fetch-site': 'same-site' }), 403],
    ['a form', () => ({ ...own(), 'content-type': 'application/x-www-form-urlencoded' }), 415],
    [
      'a form with files',
      () => ({ ...own(), 'content-type': 'multipart/form-data; boundary=a' }),
      415,
    ],
    ['plain text', () => ({ ...own(), 'content-type': 'text/plain;application/json' }), 415],
  ])('cannot act: %s', async (_, headers, status) => {
    expect((await post(headers())).status).toBe(status)
    // Nobody was signed out.
    expect((await ask(port, '/api/v1/me', { headers: { cookie } })).status).toBe(200)
  })

  it('cannot sign somebody in, nor read, nor hold our pages in a frame', async () => {
    const headers = { ...own(), origin: 'https://evil.test' }
    expect((await post(headers, '/api/v1/sign-in')).status).toBe(403)
    const read = await ask(port, '/api/v1/jobs', {
      headers: { cookie, 'sec-fetch-site': 'cross-site' },
    })
    expect(read.status).toBe(403)
    const preflight = { origin: 'https://evil.test', 'access-control-request-method': 'POST' }
    const asked = await ask(port, '/api/v1/sign-out', { method: 'OPTIONS', headers: preflight })
    expect(asked.status).toBe(405)
    expect(Object.keys(asked.headers).filter((name) => name.startsWith('access-control-'))).toEqual(
      [],
    )
    const page = await ask(port, '/')
    expect(page.headers['x-frame-options']).toBe('DENY')
    expect(page.headers['content-security-policy']).toContain("default-src 'none'")
    expect(page.headers['content-security-policy']).not.toContain('unsafe')
  })
})

it('answers only so many of one person', async () => {
  using elsewhere = sandbox()
  const calm = await serve(elsewhere, 'limits: { requests_per_second: 2 }\n')
  const answers = await Promise.all(Array.from({ length: 40 }, () => ask(calm.port, '/healthz')))
  const refused = answers.filter(({ status }) => status === 429)
  expect(refused.length).toBeGreaterThanOrEqual(25)
  expect(answers.length - refused.length).toBeGreaterThanOrEqual(10)
  expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThanOrEqual(1)
  // Who is signed in is counted for themselves.
  const authorization = `Bearer ${calm.token}`
  expect((await ask(calm.port, '/api/v1/me', { headers: { authorization } })).status).toBe(200)
})

it('has only so many connections in all', async () => {
  using elsewhere = sandbox()
  const small = await serve(elsewhere, 'limits: { connections: 5 }\n')
  const sockets = Array.from({ length: 9 }, () => connectRaw(small.port).resume())
  await until(
    async () => sockets.filter((socket) => socket.closed).length,
    (count) => count === 4,
  )
  const log = await until(
    () => logOf(small),
    (lines) => lines.length > 0,
  )
  const reasons = log.map(({ reason }) => reason)
  expect(new Set(reasons)).toEqual(new Set(['too many connections']))
  sockets.find((socket) => !socket.closed)?.destroy()
  expect(
    await until(
      () => statusOf(small.port),
      (status) => status === 200,
    ),
  ).toBe(200)
  for (const socket of sockets) socket.destroy()
})

describe('noise', () => {
  const line = fc.constantFrom(
    'GET / HTTP/1.1',
    'POST /api/v1/jobs HTTP/1.1',
    'HEAD /a HTTP/1.0',
    'GET',
  )
  const header = fc.constantFrom(
    'Host: 127.0.0.1',
    'Content-Length: 3',
    'Transfer-Encoding: chunked',
    'Cookie: a=b;;=;"',
    'Authorization: Bearer \u00ff',
    'Expect: 100-continue',
    'Connection: close, upgrade',
    'Range: bytes=9-1,-,5-',
  )
  const nearly = fc
    .tuple(
      line,
      fc.array(fc.oneof(header, fc.string({ unit: 'binary' })), { maxLength: 6 }),
      fc.string({ unit: 'binary' }),
    )
    .map(([first, headers, body]) =>
      Buffer.from(`${[first, ...headers, ''].join('\r\n')}\r\n${body}`, 'latin1'),
    )
  const bytes = fc.uint8Array({ maxLength: 400 }).map((each) => Buffer.from(each))

  it('is refused, whatever it is', async () => {
    const before = memoryBytes('VmRSS')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(bytes, nearly), { minLength: 1, maxLength: 3 }),
        async (parts) => {
          const raw = await sendRaw(port, Buffer.concat(parts), { end: true })
          for (const status of statusesIn(raw)) {
            expect(status).toBeGreaterThanOrEqual(100)
            expect(status).not.toBe(500)
          }
          expect(raw).not.toContain('administrator')
        },
      ),
      { numRuns: 300 },
    )
    expect((await ask(port, '/healthz')).status).toBe(200)
    expect(memoryBytes('VmRSS') - before).toBeLessThan(100 * 1024 ** 2)
  })
})

it('lives after all of this, has not grown, and has said no secret', async () => {
  expect((await ask(port, '/api/v1/me', { headers: bearer })).status).toBe(200)
  expect(memoryBytes('VmHWM')).toBeLessThan(mostBytes)
  served.running.signal('SIGTERM')
  const { code, stderr } = await served.running.ended
  expect(code).toBe(0)
  for (const secret of secrets) expect(stderr).not.toContain(secret)
  // Nothing but the log: no fault, and no stack of one.
  const others = stderr.split('\n').filter((line) => line !== '' && !line.startsWith('{"time":'))
  expect(others).toEqual([])
})
