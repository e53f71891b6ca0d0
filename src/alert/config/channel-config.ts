import type { DeliveryPace, Severity } from '../../model/alert.ts'

/** Where a secret is found when it is needed. It is never kept. */
export type SecretPlace =
  | { readonly kind: 'environment'; readonly name: string }
  | { readonly kind: 'file'; readonly path: string }

/** Who is told. */
export interface ChannelConfig {
  readonly name: string
  /** Hears of nothing less urgent. */
  readonly leastSeverity: Severity
  /** null for all. */
  readonly rules: readonly string[] | null
  readonly pace: DeliveryPace
  readonly timeoutSeconds: number
  readonly way: ChannelWay
}

export type ChannelWay =
  | { readonly type: 'console' }
  | { readonly type: 'file'; readonly path: string }
  | { readonly type: 'webhook'; readonly url: SecretPlace; readonly secret: SecretPlace | null }
  | { readonly type: 'slack' | 'teams'; readonly url: SecretPlace }
  | EmailWay

export interface EmailWay {
  readonly type: 'email'
  readonly host: string
  readonly port: number
  readonly security: 'starttls' | 'tls' | 'none'
  readonly login: { readonly user: string; readonly password: SecretPlace } | null
  readonly from: string
  readonly to: readonly string[]
}

/** Stands in an address for the name of the user who is told. */
const userMark = '{user}'

/** Whether a channel goes to whoever breaks a policy, and to nobody without one. */
export const isForUsers = ({ way }: Pick<ChannelConfig, 'way'>): boolean =>
  way.type === 'email' && way.to.some((address) => address.includes(userMark))

/** What no address can be led astray with. */
const plainUser = /^[a-z0-9_][a-z0-9_.-]{0,63}$/i

/** The channel as it is for one user; undefined if the name cannot stand in an address. */
export function channelFor(channel: ChannelConfig, user: string): ChannelConfig | undefined {
  const { way } = channel
  if (way.type !== 'email' || !plainUser.test(user)) return undefined
  return {
    ...channel,
    way: { ...way, to: way.to.map((address) => address.replaceAll(userMark, user)) },
  }
}
