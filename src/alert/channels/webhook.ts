import { createHmac } from 'node:crypto'
import { whyNot } from '../../model/reading.ts'
import type { ChannelWay } from '../config/channel-config.ts'
import { noticeJson } from '../notice-words.ts'
import { notSent, type ChannelDoor, type Message, type Sent } from './channel.ts'
import { postMessage } from './post-message.ts'

type WebhookWay = Extract<ChannelWay, { type: 'webhook' }>

/**
 * JSON, signed where there is a secret: `v1=` and the HMAC-SHA256 of the timestamp, a full stop and the body, in
 * hexadecimal digits. The timestamp is that of the attempt, so that an old message cannot be sent again by others.
 */
export async function sendWebhook(
  way: WebhookWay,
  { id, notices }: Message,
  door: ChannelDoor,
): Promise<Sent> {
  const body = JSON.stringify({ version: 1, id, alerts: notices.map(noticeJson) })
  const timestamp = String(Math.floor(door.wallSeconds()))
  const headers = { 'x-jobmeter-delivery': id, 'x-jobmeter-timestamp': timestamp }
  if (way.secret === null) return postMessage(door, way.url, body, headers)
  const secret = door.secret(way.secret)
  if (secret.kind !== 'ok') return notSent(whyNot(secret))
  const digest = createHmac('sha256', secret.value).update(`${timestamp}.${body}`).digest('hex')
  return postMessage(door, way.url, body, { ...headers, 'x-jobmeter-signature': `v1=${digest}` })
}
