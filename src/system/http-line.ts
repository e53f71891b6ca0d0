import { Agent as PlainAgent, request as requestPlain, type IncomingMessage } from 'node:http'
import { Agent as SecureAgent, request as requestSecure } from 'node:https'
import { failed, ok, type Reading } from '../model/reading.ts'

export interface HttpMessage {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
  /** For the whole of it. */
  readonly timeoutSeconds: number
}

export interface HttpReply {
  readonly status: number
  /** By names in small letters. */
  readonly headers: Readonly<Record<string, string | undefined>>
  /** The beginning of what was answered. */
  readonly text: string
}

/** Contents of files, as PEM; undefined: whom the machine trusts, and nobody. */
export interface TlsTrust {
  readonly ca?: string | undefined
  readonly cert?: string | undefined
  readonly key?: string | undefined
}

/** Nobody needs more of an answer. */
const mostReplyBytes = 65_536

/**
 * A connection to one server that is kept between requests. Errors name what went wrong and never the address or a header,
 * which may be secrets. A redirect is an answer: what is meant for one server is not sent to another.
 */
export class HttpLine {
  readonly #trust: TlsTrust
  readonly #plain = new PlainAgent({ keepAlive: true, maxSockets: 1 })
  readonly #secure: SecureAgent
  readonly #closing = new AbortController()

  constructor(trust: TlsTrust) {
    this.#trust = trust
    this.#secure = new SecureAgent({ keepAlive: true, maxSockets: 1, minVersion: 'TLSv1.2' })
  }

  async post(message: HttpMessage): Promise<Reading<HttpReply>> {
    const late = AbortSignal.timeout(message.timeoutSeconds * 1000)
    try {
      return ok(await this.#posted(message, AbortSignal.any([late, this.#closing.signal])))
    } catch (error) {
      if (late.aborted) return failed(`no answer within ${message.timeoutSeconds} s`)
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : ''
      return failed(`the server cannot be reached${code}`)
    }
  }

  /** Ends what is under way, too. */
  close(): void {
    this.#closing.abort()
    this.#plain.destroy()
    this.#secure.destroy()
  }

  #posted({ url, headers, body }: HttpMessage, signal: AbortSignal): Promise<HttpReply> {
    const options = {
      method: 'POST',
      headers: { ...headers, 'content-length': body.byteLength },
      signal,
    }
    return new Promise((resolve, reject) => {
      const answered = (incoming: IncomingMessage): void => {
        readReply(incoming).then(resolve, reject)
      }
      const request = url.startsWith('https:')
        ? requestSecure(url, { ...options, ...this.#trust, agent: this.#secure }, answered)
        : requestPlain(url, { ...options, agent: this.#plain }, answered)
      request.once('error', reject)
      request.end(body)
    })
  }
}

async function readReply(incoming: IncomingMessage): Promise<HttpReply> {
  const parts: Buffer[] = []
  let length = 0
  for await (const part of incoming as AsyncIterable<Buffer>) {
    parts.push(part)
    length += part.length
    // Leaving the loop ends the connection.
    if (length >= mostReplyBytes) break
  }
  const headers = Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [name, String(value)]),
  )
  const text = Buffer.concat(parts).toString('utf8', 0, mostReplyBytes)
  return { status: incoming.statusCode ?? 0, headers, text }
}
