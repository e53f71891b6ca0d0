import type { DeliveryPace } from '../../model/alert.ts'
import { suggestionFor, type Problems } from '../../workflow/spec/problem.ts'
import type { Rule } from '../rule.ts'
import type { ChannelConfig, ChannelWay, SecretPlace } from './channel-config.ts'
import type { WrittenAlerts, WrittenChannel } from './definition.ts'
import { secondsOf } from './seconds.ts'

type Key = keyof WrittenChannel
type WayType = WrittenChannel['type']

/** Keys that only some channels have, and those of them that must be there; of two with a bar, one. */
const keysOf: Readonly<Record<WayType, { readonly needs: string[]; readonly takes: Key[] }>> = {
  console: { needs: [], takes: [] },
  file: { needs: ['path'], takes: ['path'] },
  webhook: {
    needs: ['url_env|url_file'],
    takes: ['url_env', 'url_file', 'secret_env', 'secret_file'],
  },
  slack: { needs: ['url_env|url_file'], takes: ['url_env', 'url_file'] },
  teams: { needs: ['url_env|url_file'], takes: ['url_env', 'url_file'] },
  email: {
    needs: ['host', 'from', 'to'],
    takes: ['host', 'port', 'security', 'user', 'password_env', 'password_file', 'from', 'to'],
  },
}
const ownKeys = new Set(Object.values(keysOf).flatMap(({ takes }) => takes))

/** Whoever writes no channel reads the terminal. */
const usualChannel: WrittenChannel = { name: 'console', type: 'console' }

/** `wholePath` makes a path that stands in the file whole. */
export function resolveChannels(
  { channels: written = [usualChannel] }: WrittenAlerts,
  rules: readonly Rule[],
  problems: Problems,
  wholePath: (path: string) => string,
): readonly ChannelConfig[] {
  const seen = new Set<string>()
  return written.map((channel, index) => {
    const at = (key: string): readonly (string | number)[] => ['channels', index, key]
    if (seen.has(channel.name))
      problems.atValue(at('name'), `there is another channel named ${channel.name}`)
    seen.add(channel.name)
    checkKeys(channel, (key, message) => problems.atValue(at(key), message))
    for (const [place, name] of (channel.rules ?? []).entries())
      if (!rules.some((rule) => rule.name === name)) {
        const names = rules.map((rule) => rule.name)
        problems.atValue(
          ['channels', index, 'rules', place],
          `there is no rule named ${name}`,
          suggestionFor(name, names),
        )
      }
    return {
      name: channel.name,
      leastSeverity: channel.severity ?? 'info',
      rules: channel.rules ?? null,
      pace: paceOf(channel),
      timeoutSeconds: secondsOf(channel.timeout, 15),
      way: wayOf(channel, wholePath),
    }
  })
}

/** That channels which rules name are there. */
export function checkRuleChannels(
  { rules = [] }: WrittenAlerts,
  channels: readonly ChannelConfig[],
  problems: Problems,
): void {
  const names = channels.map(({ name }) => name)
  for (const [index, rule] of rules.entries())
    for (const [place, name] of (rule.channels ?? []).entries())
      if (!names.includes(name))
        problems.atValue(
          ['rules', index, 'channels', place],
          `there is no channel named ${name}`,
          suggestionFor(name, names),
        )
}

function checkKeys(channel: WrittenChannel, tell: (key: Key, message: string) => void): void {
  const { needs, takes } = keysOf[channel.type]
  for (const key of ownKeys)
    if (channel[key] !== undefined && !takes.includes(key))
      tell(key, `a channel of type ${channel.type} does not have this key`)
  for (const need of needs)
    if (!need.split('|').some((key) => channel[key as Key] !== undefined))
      tell('type', `a channel of type ${channel.type} needs ${need.replace('|', ' or ')}`)
  for (const what of ['url', 'secret', 'password'] as const)
    if (channel[`${what}_env`] !== undefined && channel[`${what}_file`] !== undefined)
      tell(`${what}_file`, `there is ${what}_env already`)
  if ((channel.user === undefined) !== (passwordOf(channel, String) === null))
    tell('type', 'user and password_env or password_file belong together')
}

function paceOf({
  group_wait: wait,
  rate_limit: limit,
  retry = {},
  type,
}: WrittenChannel): DeliveryPace {
  return {
    groupSeconds: secondsOf(wait, type === 'console' || type === 'file' ? 0 : 5),
    mostMessages: limit?.messages ?? 20,
    perSeconds: secondsOf(limit?.per, 600),
    firstRetrySeconds: secondsOf(retry.first, 2),
    longestRetrySeconds: secondsOf(retry.longest, 300),
    giveUpSeconds: secondsOf(retry.give_up, 3 * 24 * 3600),
  }
}

type WholePath = (path: string) => string

function secretOf(
  variable: string | undefined,
  file: string | undefined,
  wholePath: WholePath,
): SecretPlace | null {
  if (variable !== undefined) return { kind: 'environment', name: variable }
  return file === undefined ? null : { kind: 'file', path: wholePath(file) }
}

const passwordOf = (
  { password_env: variable, password_file: file }: WrittenChannel,
  wholePath: WholePath,
): SecretPlace | null => secretOf(variable, file, wholePath)

/** What is missing has been told. */
const missing: SecretPlace = { kind: 'environment', name: '' }

function wayOf(channel: WrittenChannel, wholePath: WholePath): ChannelWay {
  const url = secretOf(channel.url_env, channel.url_file, wholePath) ?? missing
  switch (channel.type) {
    case 'console':
      return { type: 'console' }
    case 'file':
      return { type: 'file', path: wholePath(channel.path ?? '') }
    case 'webhook':
      return {
        type: 'webhook',
        url,
        secret: secretOf(channel.secret_env, channel.secret_file, wholePath),
      }
    case 'slack':
    case 'teams':
      return { type: channel.type, url }
    case 'email':
      return emailOf(channel, wholePath)
  }
}

function emailOf(channel: WrittenChannel, wholePath: WholePath): ChannelWay {
  const { host = '', security = 'starttls', user, from = '', to = [] } = channel
  const password = passwordOf(channel, wholePath)
  return {
    type: 'email',
    host,
    port: channel.port ?? (security === 'tls' ? 465 : security === 'starttls' ? 587 : 25),
    security,
    login: user === undefined || password === null ? null : { user, password },
    from,
    to: typeof to === 'string' ? [to] : to,
  }
}
