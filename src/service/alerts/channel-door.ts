import type { ChannelDoor } from '../../alert/channels/channel.ts'
import { secretsOf } from '../../alert/channels/secrets-of.ts'
import type { ChannelConfig, SecretPlace } from '../../alert/config/channel-config.ts'
import { ok, unavailable, whyNot, type Reading } from '../../model/reading.ts'
import { appendText } from '../../system/append-file.ts'
import { httpPost } from '../../system/http-post.ts'
import { readSecretFile } from '../../system/secret-file.ts'
import type { System } from '../../system/system.ts'
import type { Environment } from '../config-path.ts'

/** The world as channels see it. */
export function channelDoor(
  { clock }: System,
  timeoutSeconds: number,
  environment: Environment,
): ChannelDoor {
  return {
    timeoutSeconds,
    wallSeconds: () => clock.wallSeconds(),
    late: () => new Promise((resolve) => clock.after(timeoutSeconds, () => resolve('late'))),
    secret: (place) => secretAt(place, environment),
    post: httpPost,
    // What went wrong with jobs is nobody else's business.
    appendLine: (path, line) => appendText(path, `${line}\n`, 0o600),
  }
}

/** Which secret this process has not been given, in words; null if none. Another process may have it. */
export function missingSecret({ way }: ChannelConfig, environment: Environment): string | null {
  for (const place of secretsOf(way)) {
    if (place.kind !== 'environment') continue
    const secret = secretAt(place, environment)
    if (secret.kind !== 'ok') return whyNot(secret)
  }
  return null
}

function secretAt(place: SecretPlace, environment: Environment): Reading<string> {
  if (place.kind === 'file') return readSecretFile(place.path)
  const value = environment[place.name]?.trim()
  return value ? ok(value) : unavailable(`the environment variable ${place.name} is not set`)
}
