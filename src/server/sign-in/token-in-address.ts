import { createMiddleware } from 'hono/factory'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import { signInLocally } from './local.ts'
import { ownPath } from './own-path.ts'
import type { SignIn } from './sign-in.ts'

/** Turns the token of an address that `serve` printed into a cookie, and takes it out of the address. */
export const tokenInAddress = (signIn: SignIn) =>
  createMiddleware<ServerEnv>(async (context, next) => {
    const { method, path } = context.req
    if (signIn.local === null || method !== 'GET' || path.startsWith('/api/')) return next()
    const offered = context.req.query('token')
    if (offered === undefined) return next()
    const address = new URL(context.req.url)
    address.searchParams.delete('token')
    try {
      signInLocally(signIn, context, offered)
    } catch (error) {
      // People with an old bookmark are led to where they can sign in; programs are told as ever.
      if (!isRefused(error) || !wantsPage(context.req.header('accept'))) throw error
      address.searchParams.set('wrong', 'token')
    }
    return context.redirect(ownPath(address.href, address), 303)
  })

const isRefused = (error: unknown): boolean => error instanceof Problem && error.status === 401

const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') === true
