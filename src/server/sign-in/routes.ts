import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import { addressKey } from '../limits/buckets.ts'
import { Problem } from '../problem.ts'
import { refusals } from '../schemas/problem.ts'
import type { ServerEnv } from '../served.ts'
import { tooMany } from './asker.ts'
import { signInLocally } from './local.ts'
import type { SignIn } from './sign-in.ts'

const ways = z
  .object({
    ways: z.array(z.enum(['token', 'oidc', 'proxy'])),
    address: z.string().nullable().openapi({ description: 'where a browser signs in by oidc' }),
  })
  .openapi('SignInWays')
const signedIn = z.object({ user: z.string() }).openapi('SignedIn')
const signedOut = z
  .object({
    address: z
      .string()
      .nullable()
      .openapi({ description: 'where the provider signs people out too' }),
  })
  .openapi('SignedOut')

const json = <T extends z.ZodType>(schema: T, description: string) => ({
  description,
  content: { 'application/json': { schema } },
})

const getSignIn = createRoute({
  operationId: 'getSignIn',
  method: 'get',
  path: '/api/v1/sign-in',
  summary: 'How people sign in',
  responses: { 200: json(ways, 'In which ways, and where they begin.'), ...refusals },
})
const signInByToken = createRoute({
  operationId: 'signIn',
  method: 'post',
  path: '/api/v1/sign-in',
  summary: 'Signs in with the token that `serve` printed, and sets a cookie',
  request: {
    body: {
      required: true,
      content: { 'application/json': { schema: z.object({ token: z.string().max(512) }) } },
    },
  },
  responses: { 200: json(signedIn, 'Who is signed in now.'), ...refusals },
})
const signOut = createRoute({
  operationId: 'signOut',
  method: 'post',
  path: '/api/v1/sign-out',
  summary: 'Ends the session that the cookie names',
  responses: {
    200: json(signedOut, 'The session is over; where the provider signs people out too.'),
    ...refusals,
  },
})
const away = { description: 'Goes on elsewhere.', headers: z.object({ location: z.string() }) }
const beginOidc = createRoute({
  operationId: 'beginOidcSignIn',
  method: 'get',
  path: '/sign-in/oidc',
  summary: 'Sends a browser to the provider, to sign in there',
  request: { query: z.object({ next: z.string().max(2048).optional() }) },
  responses: { 303: away, ...refusals },
})
const endOidc = createRoute({
  operationId: 'endOidcSignIn',
  method: 'get',
  path: '/sign-in/oidc/callback',
  summary: 'Where the provider sends browsers back to',
  responses: { 303: away, ...refusals },
})

/** Signing in and out. */
export function signInRoutes(api: OpenAPIHono<ServerEnv>, signIn: SignIn): void {
  const { local, oidc, proxy, sessions, cookies } = signIn
  api.openapi(getSignIn, (context) => {
    const known = [
      ...(local === null ? [] : (['token'] as const)),
      ...(oidc === null ? [] : (['oidc'] as const)),
      ...(proxy === null ? [] : (['proxy'] as const)),
    ]
    return context.json({ ways: known, address: oidc === null ? null : '/sign-in/oidc' }, 200)
  })
  api.openapi(signInByToken, (context) => {
    const { user } = signInLocally(signIn, context, context.req.valid('json').token)
    return context.json({ user }, 200)
  })
  api.openapi(signOut, async (context) => {
    const id = cookies.session(context)
    if (id !== undefined) sessions.end(id)
    cookies.endSession(context)
    return context.json({ address: (await oidc?.signOutAddress().catch(() => null)) ?? null }, 200)
  })
  oidcRoutes(api, signIn)
}

function oidcRoutes(api: OpenAPIHono<ServerEnv>, signIn: SignIn): void {
  const { oidc, sessions, cookies, viewerFor, beginnings } = signIn
  const provided = () => {
    if (oidc === null) throw new Problem(404, 'This server has no provider to sign in at.')
    return oidc
  }
  api.openapi(beginOidc, async (context) => {
    const seconds = beginnings.take(addressKey(context.var.address))
    if (seconds > 0) throw tooMany(seconds, 'too many sign-ins')
    const { address, flow } = await provided().begin(context.req.valid('query').next ?? '/')
    cookies.setFlow(context, flow, provided().flows.lastsSeconds)
    return context.redirect(address, 303)
  })
  api.openapi(endOidc, async (context) => {
    const flow = cookies.flow(context)
    cookies.endFlow(context)
    const { person, next } = await provided().end(flow, new URL(context.req.url).search)
    const id = sessions.begin(person.user, () => viewerFor(person))
    cookies.setSession(context, id, sessions.lastsSeconds)
    return context.redirect(next, 303)
  })
}
