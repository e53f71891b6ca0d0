import { whyNot } from '../../model/reading.ts'
import type { SecretPlace } from '../config/channel-config.ts'
import { notSent, sent, type ChannelDoor, type Sent } from './channel.ts'

/** What is said of a message, and not of the sender, the address or the moment. */
const refusals: ReadonlySet<number> = new Set([400, 413, 415, 422])

/** Posts JSON to an address that is a secret. `headers` are made of the text that is sent. */
export async function postMessage(
  door: ChannelDoor,
  place: SecretPlace,
  body: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Sent> {
  const url = door.secret(place)
  if (url.kind !== 'ok') return notSent(whyNot(url))
  if (!/^https?:\/\//.test(url.value)) return notSent('the address is not an http or https URL')
  const { timeoutSeconds } = door
  const answer = await door.post({ url: url.value, headers, body, timeoutSeconds })
  if (answer.kind !== 'ok') return notSent(whyNot(answer))
  const { status, retryAfterSeconds } = answer.value
  if (status >= 200 && status < 300) return sent
  return notSent(`the server answered ${status}`, retryAfterSeconds, refusals.has(status))
}
