import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { connect as connectSecure } from 'node:tls'
import { describe, expect, it } from 'vitest'
import { LiveClient } from './api/live-client.ts'
import { sandbox, type Sandbox } from '../program.ts'
import {
  act,
  ask,
  cookieFor,
  connectRaw,
  cookiesOf,
  logOf,
  sendRaw,
  serve,
  statusOf,
  until,
  type ServedProgram,
} from './served-program.ts'

const session = /^jobmeter-\d+=[\w-]{43}; Max-Age=43200; Path=\/; HttpOnly; SameSite=Strict$/

describe.concurrent('signing in on one’s own machine', () => {
  it('turns the token of the address into a cookie, until they sign out', async () => {
    using place = sandbox()
    const served = await serve(place)
    const answer = await ask(served.port, `/jobs?token=${served.token}&name=a`)
    expect(answer.status).toBe(303)
    expect(answer.headers.location).toBe('/jobs?name=a')
    expect(answer.headers['set-cookie']).toEqual([expect.stringMatching(session)])
    const cookie = cookiesOf(answer)
    const me = await ask(served.port, '/api/v1/me', { headers: { cookie } })
    expect(me.json()).toMatchObject({ role: 'administrator', scopes: ['read', 'act', 'metrics'] })
    expect((await act(served, '/api/v1/sign-out', {}, { cookie })).json()).toEqual({
      address: null,
    })
    expect((await ask(served.port, '/api/v1/me', { headers: { cookie } })).status).toBe(401)
  })

  it('takes the token from a page and from programs, and no other', async () => {
    using place = sandbox()
    const served = await serve(place)
    expect((await ask(served.port, '/api/v1/sign-in')).json()).toEqual({
      ways: ['token'],
      address: null,
    })
    const page = await act(served, '/api/v1/sign-in', { token: served.token })
    expect(page.status).toBe(200)
    expect(page.headers['set-cookie']).toEqual([expect.stringMatching(session)])
    const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })
    const program = await ask(served.port, '/api/v1/me', bearer(served.token))
    expect(program.status).toBe(200)
    expect(program.headers['set-cookie']).toBeUndefined()
    const wrong = served.token.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'))
    expect((await act(served, '/api/v1/sign-in', { token: wrong })).status).toBe(401)
    expect((await ask(served.port, `/?token=${wrong}`)).status).toBe(401)
    const statuses: number[] = []
    for (let each = 0; each < 12; each++)
      statuses.push((await ask(served.port, '/api/v1/me', bearer(wrong))).status)
    // Ten wrong ones, of which two were above; somebody else at this address still gets in.
    expect(statuses).toEqual([...Array<number>(8).fill(401), ...Array<number>(4).fill(429)])
    expect((await ask(served.port, '/api/v1/me', bearer(served.token))).status).toBe(200)
  })

  it('ends by itself', async () => {
    using place = sandbox()
    const served = await serve(place, 'authentication: { session: 1s }\n')
    const cookie = await cookieFor(served)
    const me = () => ask(served.port, '/api/v1/me', { headers: { cookie } })
    expect((await me()).status).toBe(200)
    await until(me, ({ status }) => status === 401)
  })

  it('opens a browser without the token among its arguments', async () => {
    using place = sandbox()
    const browser = place.path('browser')
    const seen = place.path('seen')
    writeFileSync(
      browser,
      `#!/bin/sh\necho "$#" "$@" > ${seen}.new\ncat "$2" >> ${seen}.new\nstat -c %a "$2" >> ${seen}.new\nmv ${seen}.new ${seen}\n`,
    )
    chmodSync(browser, 0o755)
    const served = await serve(place, undefined, ['--open'], { BROWSER: `${browser} --new-window` })
    await until(async () => existsSync(seen), Boolean)
    const [first = '', ...rest] = readFileSync(seen, 'utf8').split('\n')
    expect(first).toMatch(/^2 --new-window \/\S+\.html$/)
    expect(first).not.toContain(served.token)
    expect(rest.join('\n')).toContain(`url=${served.address}"`)
    expect(rest).toContain('600')
    served.running.signal('SIGTERM')
    expect((await served.running.ended).code).toBe(0)
    expect(existsSync(first.split(' ')[2] ?? '')).toBe(false)
  })

  it('says so where there is no browser', async () => {
    using place = sandbox()
    const served = await serve(place, undefined, ['--open'], { BROWSER: '/nowhere/browser' })
    await served.running.saw('no browser was opened: open the address above')
    expect((await ask(served.port, '/healthz')).status).toBe(200)
  })
})

describe.concurrent('where it listens', () => {
  const refusalOf = async (place: Sandbox, args: readonly string[], config?: string) => {
    if (config !== undefined) writeFileSync(place.path('server.yaml'), config)
    const given = config === undefined ? [] : ['--config', place.path('server.yaml')]
    return place.jobmeter(['serve', ...given, ...args], { timeoutMs: 20_000 })
  }

  it.each(['0.0.0.0:0', '[::]:0'])('refuses %s where nobody has to sign in', async (listen) => {
    using place = sandbox()
    const { code, stderr } = await refusalOf(place, ['--listen', listen])
    expect(code).toBe(2)
    expect(stderr).toContain(
      'can be reached from other machines, and nothing says who may see what',
    )
    expect(stderr).toContain('client_secret_file:')
  })

  it('refuses to be read on the way', async () => {
    using place = sandbox()
    const proxy = 'authentication: { proxy: { header: X-User, trusted: [10.0.0.1] } }\n'
    const { code, stderr } = await refusalOf(place, ['--listen', '0.0.0.0:0'], proxy)
    expect(code).toBe(2)
    expect(stderr).toContain('Set tls: { certificate: FILE, key: FILE }')
  })

  it('names what is wrong with the configuration, and where', async () => {
    using place = sandbox()
    const { code, stderr } = await refusalOf(place, [], 'lisen: 127.0.0.1:0\nhosts: 7\n')
    expect(code).toBe(2)
    expect(stderr).toContain('2 errors in the configuration')
    expect(stderr).toContain('server.yaml:1:1 lisen: unknown key. Did you mean "listen"?')
    expect(stderr).toContain('server.yaml:2:8 hosts: ')
  })

  it('says what to do where something else listens', async () => {
    using place = sandbox()
    const { host } = await serve(place)
    const { code, stderr } = await refusalOf(place, ['--listen', host])
    expect(code).toBe(1)
    expect(stderr).toContain(`something else listens on ${host}, perhaps another jobmeter serve`)
    expect(stderr).toContain('--listen 127.0.0.1:0')
  })
})

describe.concurrent('TLS', () => {
  const certify = (place: Sandbox, name: string) => {
    const [certificate, key] = [place.path('cert.pem'), place.path('key.pem')]
    execFileSync(
      'openssl',
      `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=${name} -keyout ${key} -out ${certificate}`.split(
        ' ',
      ),
      { stdio: 'ignore' },
    )
    chmodSync(key, 0o600)
    return `tls: { certificate: ${certificate}, key: ${key} }\n`
  }
  const nameAt = (port: number, maxVersion: 'TLSv1.1' | 'TLSv1.3' = 'TLSv1.3') =>
    new Promise<string>((resolve, reject) => {
      const socket = connectSecure(
        {
          port,
          host: '127.0.0.1',
          rejectUnauthorized: false,
          minVersion: 'TLSv1',
          maxVersion,
          ciphers: 'ALL:@SECLEVEL=0',
        },
        () => {
          resolve(String(socket.getPeerCertificate().subject.CN))
          socket.destroy()
        },
      )
      socket.once('error', reject)
    })

  it('comes from files, which are read again, and keeps cookies to itself', async () => {
    using place = sandbox()
    const served = await serve(place, certify(place, 'first'))
    expect(served.address).toMatch(/^https:/)
    const page = await ask(served.port, `/?token=${served.token}`, { secure: true })
    expect(page.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-jobmeter-\d+=\S+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    ])
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000')
    expect(await nameAt(served.port)).toBe('first')
    // Without TLS there is no way in, and no way to break it.
    const plain = 'GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n'
    for (const bytes of [plain, '\u0016\u0003\u0001\u00ff\u00ff'.padEnd(600, 'x')])
      expect(await sendRaw(served.port, bytes, { end: true })).not.toContain('200 OK')
    await expect(nameAt(served.port, 'TLSv1.1')).rejects.toThrow(
      /protocol version|ECONNRESET|alert/,
    )
    certify(place, 'second')
    served.running.signal('SIGHUP')
    await served.running.saw('the configuration was read again')
    expect(await nameAt(served.port)).toBe('second')
    // One that is broken changes nothing.
    writeFileSync(place.path('cert.pem'), 'nonsense')
    served.running.signal('SIGHUP')
    await served.running.saw('the configuration from before stays in force')
    expect(await nameAt(served.port)).toBe('second')
  })

  it('refuses a key that others can read', async () => {
    using place = sandbox()
    const config = certify(place, 'first')
    chmodSync(place.path('key.pem'), 0o640)
    writeFileSync(place.path('server.yaml'), config)
    const given = ['serve', '--listen', '127.0.0.1:0', '--config', place.path('server.yaml')]
    const { code, stderr } = await place.jobmeter(given)
    expect(code).toBe(2)
    expect(stderr).toContain('key.pem can be read by others: run chmod 600 on it')
  })
})

describe.concurrent('a proxy that signs people in', () => {
  const config = `
hosts: [jobs.example.org]
authentication: { proxy: { header: X-Remote-User, groups_header: X-Remote-Groups, trusted: [127.0.0.2] } }
administrators: [group:staff]
projects: { climate: { managers: [bob], members: [carol] } }
`
  it('is believed from its own address alone', async () => {
    using place = sandbox()
    const served = await serve(place, config)
    expect(served.token).toBe('')
    const me = (headers: Record<string, string>, from = '127.0.0.2') =>
      ask(served.port, '/api/v1/me', { headers, from })
    expect((await me({ 'x-remote-user': 'bob' })).json()).toMatchObject({
      user: 'bob',
      role: 'manager',
    })
    expect((await me({ 'x-remote-user': 'zoe' })).json()).toMatchObject({
      user: 'zoe',
      role: 'user',
    })
    expect(
      (await me({ 'x-remote-user': 'zoe', 'x-remote-groups': 'x, staff' })).json(),
    ).toMatchObject({
      role: 'administrator',
    })
    expect((await me({})).status).toBe(401)
    expect((await me({ 'x-remote-user': 'bob' }, '127.0.0.3')).status).toBe(401)
    // Whom the proxy names is written down; before that stands what the browser claims, and others may claim anything.
    const forwarded = { 'x-forwarded-for': '192.0.2.1, 192.0.2.7' }
    expect((await me(forwarded)).status).toBe(401)
    expect((await me({ 'x-forwarded-for': '192.0.2.8' }, '127.0.0.4')).status).toBe(401)
    const loggedUntil = (isLast: (line: Record<string, unknown>) => boolean) =>
      until(
        () => logOf(served),
        (lines) => lines.some(isLast),
      )
    const lines = await loggedUntil(({ address }) => address === '127.0.0.4')
    const addresses = lines.map(({ address }) => address)
    expect(addresses).toEqual(expect.arrayContaining(['192.0.2.7', '127.0.0.4']))
    expect(addresses).not.toEqual(expect.arrayContaining(['192.0.2.1']))
    expect(addresses).not.toEqual(expect.arrayContaining(['192.0.2.8']))
    // What a browser sent and what the proxy added.
    expect((await me({ 'x-remote-user': 'root, bob' })).status).toBe(401)
    const all = await loggedUntil(({ reason }) => reason === 'a user header that is not a name')
    const reasons = all.map(({ reason, address }) => `${String(reason)} ${String(address)}`)
    expect(reasons).toContain('a user header from an address that is not trusted 127.0.0.3')
    expect(reasons).toContain('a user header that is not a name 127.0.0.2')
  })

  it('is asked anew who may see what', async () => {
    using place = sandbox()
    const served = await serve(place, config)
    const asZoe = { headers: { 'x-remote-user': 'zoe' }, from: '127.0.0.2' }
    const role = async () => {
      const me = await ask(served.port, '/api/v1/me', asZoe)
      return (me.json() as { role: string }).role
    }
    expect(await role()).toBe('user')
    writeFileSync(place.path('server.yaml'), config.replace('group:staff', 'zoe'))
    served.running.signal('SIGHUP')
    await served.running.saw('the configuration was read again')
    expect(await role()).toBe('administrator')
  })

  it('ends streams when it is asked anew who may see what', async () => {
    using place = sandbox()
    const served = await serve(place, config.replace('group:staff', 'zoe'))
    const asZoe = { host: 'jobs.example.org', 'x-remote-user': 'zoe' }
    const stream = await LiveClient.open(served.port, '/api/v1/events', asZoe, '127.0.0.2')
    expect(stream.status).toBe(200)
    // One with errors changes nothing, and ends nothing.
    writeFileSync(place.path('server.yaml'), 'administrators: 7')
    served.running.signal('SIGHUP')
    await served.running.saw('the configuration from before stays in force')
    expect(stream.isOver).toBe(false)
    writeFileSync(place.path('server.yaml'), config)
    served.running.signal('SIGHUP')
    await stream.ended
    const again = await LiveClient.open(served.port, '/api/v1/events', asZoe, '127.0.0.2')
    expect([again.status, again.isOver]).toEqual([200, false])
    again.leave()
  })

  it('has to show that a page of ours acts', async () => {
    using place = sandbox()
    const served = await serve(place, config)
    const post = (headers: Record<string, string>) =>
      ask(served.port, '/api/v1/sign-out', {
        method: 'POST',
        headers: {
          'x-remote-user': 'bob',
          'content-type': 'application/json',
          host: 'jobs.example.org',
          ...headers,
        },
        body: '{}',
        from: '127.0.0.2',
      })
    expect((await post({ origin: 'http://evil.example.org' })).status).toBe(403)
    expect((await post({})).status).toBe(403)
    expect((await post({ origin: 'http://jobs.example.org' })).status).toBe(200)
  })
})

describe.concurrent('a stream', () => {
  const listenTo = async (served: ServedProgram, headers: string) => {
    const socket = connectRaw(served.port)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    const begun = new Promise((resolve) => socket.once('data', resolve))
    socket.write(`GET /api/v1/events HTTP/1.1\r\nHost: ${served.host}\r\n${headers}\r\n\r\n`)
    expect(String(await begun)).toContain('text/event-stream')
    // Not the promise itself: it would be waited for.
    return { closed }
  }

  it('ends when whoever listens signs out, and when the server ends', async () => {
    using place = sandbox()
    const served = await serve(place)
    const cookie = await cookieFor(served)
    const own = await listenTo(served, `Cookie: ${cookie}\r\nConnection: close`)
    const other = await listenTo(served, `Authorization: Bearer ${served.token}`)
    await act(served, '/api/v1/sign-out', {}, { cookie })
    await own.closed
    const isClosed = await Promise.race([other.closed.then(() => true), Promise.resolve(false)])
    expect(isClosed).toBe(false)
    served.running.signal('SIGTERM')
    await other.closed
    expect((await served.running.ended).code).toBe(0)
  })

  it('that only its headers are asked of ends at once', async () => {
    using place = sandbox()
    const served = await serve(place)
    const headers = { authorization: `Bearer ${served.token}` }
    const clients = async () => {
      const { text } = await ask(served.port, '/metrics', { headers })
      return /^jobmeter_server_live_clients (\d+)$/m.exec(text)?.[1]
    }
    for (let each = 0; each < 20; each++)
      await ask(served.port, '/api/v1/events', { method: 'HEAD', headers })
    expect(await until(clients, (count) => count === '0')).toBe('0')
  })
})

describe.concurrent('its end', () => {
  it('answers what was asked, and exits with 0', async () => {
    using place = sandbox()
    const served = await serve(place)
    const body = JSON.stringify({ token: served.token })
    // Half a request is under way when it is told to end.
    const socket = connectRaw(served.port)
    let text = ''
    socket.on('data', (part: Buffer) => (text += part.toString()))
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write(
      `POST /api/v1/sign-in HTTP/1.1\r\nHost: ${served.host}\r\nOrigin: http://${served.host}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
    )
    await until(
      () => ask(served.port, '/healthz'),
      ({ status }) => status === 200,
    )
    served.running.signal('SIGTERM')
    await until(
      () => statusOf(served.port),
      (status) => status === 0,
    )
    socket.write(body.slice(5))
    await closed
    expect(text).toMatch(/^HTTP\/1\.1 200 OK/)
    expect((await served.running.ended).code).toBe(0)
  })

  it('does not wait for those who never finish, nor for a second signal', async () => {
    using place = sandbox()
    const [one, two] = await Promise.all([serve(place), serve(place)])
    for (const served of [one, two]) {
      const socket = connectRaw(served.port)
      socket.write(`GET / HTTP/1.1\r\nHost: ${served.host}\r\nX-Slow: `)
      await until(
        () => ask(served.port, '/healthz'),
        ({ status }) => status === 200,
      )
    }
    one.running.signal('SIGINT')
    two.running.signal('SIGINT')
    await until(
      () => statusOf(two.port),
      (status) => status === 0,
    )
    two.running.signal('SIGINT')
    expect((await two.running.ended).code).toBe(130)
    expect((await one.running.ended).code).toBe(0)
  })
})

it('keeps the secret of its provider to itself', async () => {
  using place = sandbox()
  const secret = place.path('secret')
  writeFileSync(secret, 's3cret\n')
  chmodSync(secret, 0o644)
  writeFileSync(
    place.path('server.yaml'),
    `address: https://jobs.example.org\nauthentication: { oidc: { issuer: "https://id.example.org", client_id: a, client_secret_file: ${secret} } }\n`,
  )
  const { code, stderr } = await place.jobmeter([
    'serve',
    '--listen',
    '127.0.0.1:0',
    '--config',
    place.path('server.yaml'),
  ])
  expect(statSync(secret).mode & 0o044).not.toBe(0)
  expect(code).toBe(2)
  expect(stderr).toContain('secret can be read by others: run chmod 600 on it')
  expect(stderr).not.toContain('s3cret')
})
