import { describe, expect, it } from 'vitest'
import { sandbox, type Sandbox } from '../program.ts'
import {
  address,
  Browser,
  client,
  forgingProvider,
  realProvider,
  type Forgery,
} from './providers.ts'
import { logOf, secretFile, serve, until } from './served-program.ts'

const configFor = (place: Sandbox, issuer: string): string => `
address: ${address}
authentication:
  oidc:
    issuer: ${issuer}
    client_id: ${client.id}
    client_secret_file: ${secretFile(place, 'client-secret', client.secret)}
administrators: [group:staff]
`

describe.concurrent('signing in at a provider of OpenID Connect', () => {
  it.each(['id token', 'userinfo'] as const)('names in the %s', async (nameIn) => {
    using place = sandbox()
    using provider = await realProvider(nameIn)
    const served = await serve(place, configFor(place, provider.issuer))
    const browser = new Browser(served)
    expect((await browser.ask('/api/v1/me')).status).toBe(401)
    expect((await browser.ask('/api/v1/sign-in')).json()).toEqual({
      ways: ['oidc'],
      address: '/sign-in/oidc',
    })
    const { to, cookies } = await browser.begin('/jobs?name=a')
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-jobmeter-sign-in-\d+=\S+; Max-Age=600; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    expect(to.searchParams.get('code_challenge_method')).toBe('S256')
    const back = await browser.ask(await browser.signInAt(to, 'ada'))
    expect([back.status, back.headers.location]).toEqual([303, '/jobs?name=a'])
    expect(back.headers['set-cookie']).toContainEqual(
      expect.stringMatching(
        /^__Host-jobmeter-\d+=\S+; Max-Age=43200; Path=\/; HttpOnly; Secure; SameSite=Strict$/,
      ),
    )
    expect((await browser.ask('/api/v1/me')).json()).toMatchObject({
      user: 'ada',
      role: 'administrator',
    })
    const out = await browser.post('/api/v1/sign-out')
    expect((out.json() as { address: string }).address).toMatch(new RegExp(`^${provider.issuer}/`))
    expect((await browser.ask('/api/v1/me')).status).toBe(401)
  })

  it('serves those who sign in what is theirs, and sends them nowhere else', async () => {
    using place = sandbox()
    using provider = await realProvider('id token')
    const served = await serve(place, configFor(place, provider.issuer))
    for (const [next, where] of [
      ['//evil.test/a', '/'],
      ['https://evil.test/', '/'],
      ['/\\evil.test', '/'],
      ['javascript:alert(1)', '/'],
      ['/.//evil.test', '/evil.test'],
      [`${address}//evil.test`, '/evil.test'],
    ] as const) {
      const browser = new Browser(served)
      const { to } = await browser.begin(next)
      const back = await browser.ask(await browser.signInAt(to, 'bob'))
      expect([next, back.status, back.headers.location]).toEqual([next, 303, where])
      expect((await browser.ask('/api/v1/me')).json()).toMatchObject({ user: 'bob', role: 'user' })
    }
  })

  it('refuses what was replayed or stolen', async () => {
    using place = sandbox()
    using provider = await realProvider('id token')
    const served = await serve(place, configFor(place, provider.issuer))
    const ada = new Browser(served)
    const path = await ada.signInAt((await ada.begin()).to, 'ada')
    // Stolen on its way back: by a browser that began nothing, and by one that began something else.
    const thief = new Browser(served)
    expect((await thief.ask(path)).status).toBe(401)
    const own = new URL(await thief.signInAt((await thief.begin()).to, 'bob'), address)
    own.searchParams.set('code', new URL(path, address).searchParams.get('code') ?? '')
    expect((await thief.ask(`${own.pathname}${own.search}`)).status).toBe(401)
    expect((await thief.ask('/api/v1/me')).status).toBe(401)
    // A state of another sign-in.
    const eve = new Browser(served)
    const foreign = new URL(await eve.signInAt((await eve.begin()).to, 'bob'), address)
    foreign.searchParams.set('state', new URL(path, address).searchParams.get('state') ?? '')
    expect((await eve.ask(`${foreign.pathname}${foreign.search}`)).status).toBe(401)
    // Used twice.
    const carol = new Browser(served)
    const once = await carol.signInAt((await carol.begin()).to, 'carol')
    expect((await carol.ask(once)).status).toBe(303)
    expect((await carol.ask(once)).status).toBe(401)
    const log = await until(
      async () => JSON.stringify(await logOf(served)),
      (text) => text.includes('a sign-in that was not begun here, or is over'),
    )
    expect(log).not.toContain(new URL(path, address).searchParams.get('code'))
    expect(log).not.toContain('state=')
  })

  it('takes each sign-in once, even where the provider would take its code again', async () => {
    using place = sandbox()
    using provider = await forgingProvider()
    const served = await serve(place, configFor(place, provider.issuer))
    const browser = new Browser(served)
    const { to, cookies } = await browser.begin()
    await provider.forge({}, to.searchParams.get('nonce') ?? '')
    const path = `/sign-in/oidc/callback?code=any&state=${to.searchParams.get('state')}`
    const cookie = cookies.map((each) => each.split(';')[0]).join('; ')
    expect((await browser.ask(path, { cookie })).status).toBe(303)
    expect((await browser.ask(path, { cookie })).status).toBe(401)
  })

  it('waits for a provider that is not there yet', async () => {
    using place = sandbox()
    const served = await serve(place, configFor(place, 'http://127.0.0.1:9'))
    const answer = await new Browser(served).ask('/sign-in/oidc')
    expect(answer.status).toBe(503)
    expect(answer.headers['content-type']).toBe('application/problem+json')
  })
})

describe.concurrent('an ID token', () => {
  const forgeries: readonly (readonly [string, Forgery, number])[] = [
    ['that is as it should be', {}, 303],
    ['that nobody signed', { by: 'nobody' }, 401],
    ['signed with the public key as if it were a secret', { by: 'the public key' }, 401],
    ['signed with the secret of the client', { by: 'the secret of the client' }, 401],
    ['signed by somebody else', { by: 'another key' }, 401],
    ['of another provider', { claims: () => ({ iss: 'https://evil.test' }) }, 401],
    ['for another client', { claims: () => ({ aud: 'another' }) }, 401],
    ['for several clients', { claims: () => ({ aud: [client.id, 'another'] }) }, 401],
    ['that has expired', { claims: (now) => ({ iat: now - 7200, exp: now - 3600 }) }, 401],
    ['of another sign-in', { claims: () => ({ nonce: 'another' }) }, 401],
    ['without a nonce', { claims: () => ({ nonce: undefined }) }, 401],
    ['without a name', { claims: () => ({ preferred_username: undefined }) }, 401],
    ['with a name that is a list', { claims: () => ({ preferred_username: ['ada'] }) }, 401],
    ['with a name that is two', { claims: () => ({ preferred_username: 'ada, bob' }) }, 401],
  ]

  it('counts only as it should be', async () => {
    using place = sandbox()
    using provider = await forgingProvider()
    const served = await serve(place, configFor(place, provider.issuer))
    for (const [name, forgery, status] of forgeries) {
      const browser = new Browser(served)
      const { to } = await browser.begin()
      const state = to.searchParams.get('state')
      await provider.forge(forgery, to.searchParams.get('nonce') ?? '')
      const back = await browser.ask(`/sign-in/oidc/callback?code=any&state=${state}`)
      expect([name, back.status]).toEqual([name, status])
      const me = await browser.ask('/api/v1/me')
      expect([name, me.status]).toEqual([name, status === 303 ? 200 : 401])
    }
    const refused = async () =>
      (await logOf(served)).filter(({ route }) => route === '/sign-in/oidc/callback')
    const all = await until(refused, ({ length }) => length >= forgeries.length - 1)
    expect(all).toHaveLength(forgeries.length - 1)
  })
})
