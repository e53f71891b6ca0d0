import { createTransport } from 'nodemailer'
import { whyNot } from '../../model/reading.ts'
import type { EmailWay } from '../config/channel-config.ts'
import { headline, noticeLine } from '../notice-words.ts'
import { notSent, sent, type ChannelDoor, type Message, type Sent } from './channel.ts'

/** Longer ones are cut off by readers of mail. */
const longestSubject = 150

/** Sends a plain text by SMTP. With `starttls` nothing is sent, no password least of all, before the line is private. */
export async function sendEmail(
  way: EmailWay,
  { id, notices }: Message,
  door: ChannelDoor,
): Promise<Sent> {
  const password = way.login === null ? null : door.secret(way.login.password)
  if (password !== null && password.kind !== 'ok') return notSent(whyNot(password))
  const milliseconds = door.timeoutSeconds * 1000
  const transport = createTransport({
    host: way.host,
    port: way.port,
    secure: way.security === 'tls',
    requireTLS: way.security === 'starttls',
    ignoreTLS: way.security === 'none',
    connectionTimeout: milliseconds,
    greetingTimeout: milliseconds,
    socketTimeout: milliseconds,
    disableFileAccess: true,
    disableUrlAccess: true,
    ...(way.login === null || password === null
      ? {}
      : { auth: { user: way.login.user, pass: password.value } }),
  })
  try {
    const ended = await Promise.race([transport.sendMail(mailOf(way, id, notices)), door.late()])
    return ended === 'late' ? notSent(`no answer within ${door.timeoutSeconds} s`) : sent
  } catch (error) {
    return notSent(wordsFor(error))
  } finally {
    transport.close()
  }
}

const mailOf = (way: EmailWay, id: string, notices: Message['notices']) => ({
  from: way.from,
  to: [...way.to],
  subject: headline(notices).replaceAll(/\s+/g, ' ').slice(0, longestSubject),
  text: `${notices.map(noticeLine).join('\n')}\n`,
  // The same at each attempt: readers of mail show one message of two with the same number.
  messageId: `<${id}@jobmeter.invalid>`,
  headers: { 'Auto-Submitted': 'auto-generated' },
})

/** Servers repeat what they were told in their answers: only numbers and codes are passed on. */
function wordsFor(error: unknown): string {
  const { responseCode, code } = error as { responseCode?: unknown; code?: unknown }
  if (typeof responseCode === 'number') return `the mail server answered ${responseCode}`
  return `the mail server cannot be used${typeof code === 'string' ? ` (${code})` : ''}`
}
