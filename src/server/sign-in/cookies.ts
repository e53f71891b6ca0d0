import type { Context } from 'hono'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'

/** How this server names and keeps its cookies. Ports share cookies: each server has its own. */
export class Cookies {
  readonly #session: string
  readonly #flow: string
  readonly #isSecure: boolean

  /** `isSecure`: browsers come by https, here or at a proxy. */
  constructor(port: number, isSecure: boolean) {
    const prefix = isSecure ? '__Host-' : ''
    this.#session = `${prefix}jobmeter-${port}`
    this.#flow = `${prefix}jobmeter-sign-in-${port}`
    this.#isSecure = isSecure
  }

  session(context: Context): string | undefined {
    return getCookie(context, this.#session)
  }

  setSession(context: Context, id: string, lastsSeconds: number): void {
    this.#set(context, this.#session, id, lastsSeconds, 'Strict')
  }

  endSession(context: Context): void {
    deleteCookie(context, this.#session, { path: '/', secure: this.#isSecure })
  }

  flow(context: Context): string | undefined {
    return getCookie(context, this.#flow)
  }

  /** `Lax`: it has to come along when the provider sends the browser back. It is good for nothing but that. */
  setFlow(context: Context, id: string, lastsSeconds: number): void {
    this.#set(context, this.#flow, id, lastsSeconds, 'Lax')
  }

  endFlow(context: Context): void {
    deleteCookie(context, this.#flow, { path: '/', secure: this.#isSecure })
  }

  #set(
    context: Context,
    name: string,
    value: string,
    maxAge: number,
    sameSite: 'Strict' | 'Lax',
  ): void {
    setCookie(context, name, value, {
      httpOnly: true,
      secure: this.#isSecure,
      sameSite,
      path: '/',
      maxAge: Math.max(1, Math.floor(maxAge)),
    })
  }
}
