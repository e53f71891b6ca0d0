import { signal } from '@preact/signals'
import type { Me } from '../src/server/schemas/me.ts'
import { act, ApiError, ask } from './api.ts'

/** Who is signed in; null: nobody; undefined: not known yet. */
export const me = signal<Me | null | undefined>(undefined)

/** Asks who is signed in. A server that is gone says nothing about that. */
export async function findMe(): Promise<void> {
  try {
    me.value = await ask<Me>('/me')
  } catch (error) {
    if (error instanceof ApiError && error.status === 401) me.value = null
  }
}

/** Ends the session; where a provider signed them in, it does so there too. */
export async function signOut(): Promise<void> {
  const { address } = await act<{ readonly address: string | null }>('/sign-out')
  me.value = null
  if (address !== null) location.assign(address)
}

export const mayAct = (): boolean => me.value?.scopes.includes('act') === true

/** Whether this server starts what people resume. */
export const maySubmit = (): boolean => mayAct() && me.value?.may_submit === true
