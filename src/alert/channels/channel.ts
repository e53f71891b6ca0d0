import type { AlertNotice } from '../../model/alert.ts'
import type { Reading } from '../../model/reading.ts'
import type { HttpAnswer, PostRequest } from '../../system/http-post.ts'
import type { SecretPlace } from '../config/channel-config.ts'

/** What goes out at once. */
export interface Message {
  /** The same at each attempt. */
  readonly id: string
  readonly notices: readonly AlertNotice[]
}

export type Sent =
  | { readonly kind: 'sent' }
  | {
      readonly kind: 'failed'
      /** Never with anything secret in it. */
      readonly error: string
      /** What the other side asks for. */
      readonly retryAfterSeconds: number | null
      /** The other side understood, and does not take this message: it will hardly take it later. */
      readonly isRefused: boolean
    }

/** What channels need of the world. */
export interface ChannelDoor {
  readonly timeoutSeconds: number
  wallSeconds(): number
  /** Resolves when the time for one attempt is over. */
  late(): Promise<'late'>
  secret(place: SecretPlace): Reading<string>
  post(request: PostRequest): Promise<Reading<HttpAnswer>>
  appendLine(path: string, line: string): Reading<true>
}

export const sent: Sent = { kind: 'sent' }
export const notSent = (
  error: string,
  retryAfterSeconds: number | null = null,
  isRefused = false,
): Sent => ({ kind: 'failed', error, retryAfterSeconds, isRefused })
