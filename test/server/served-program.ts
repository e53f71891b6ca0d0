import { chmodSync, writeFileSync } from 'node:fs'
import { request as plainRequest, type IncomingHttpHeaders } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect, type Socket } from 'node:net'
import { expect } from 'vitest'
import type { Running, Sandbox } from '../program.ts'

/** A server that runs, as the real program. */
export interface ServedProgram {
  readonly running: Running
  readonly address: string
  readonly port: number
  /** Empty where people sign in otherwise. */
  readonly token: string
  /** The name that it goes by on this machine. */
  readonly host: string
}

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  json(): unknown
}

export interface Ask {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
  /** The address to come from, of this machine. */
  readonly from?: string
  readonly secure?: boolean
}

/** `config`: the text of a configuration, with the port that it listens on, where it has to know that. */
export async function serve(
  sandbox: Sandbox,
  config?: string,
  args: readonly string[] = [],
  env: Readonly<Record<string, string>> = {},
): Promise<ServedProgram> {
  const file = sandbox.path('server.yaml')
  if (config !== undefined) writeFileSync(file, config)
  const listen = /^listen:/m.test(config ?? '') ? [] : ['--listen', '127.0.0.1:0']
  const given = config === undefined ? [] : ['--config', file]
  // Not what an agent of this machine may have kept.
  const own = { JOBMETER_NODE_DB: sandbox.path('node.db') }
  const running = sandbox.start(['serve', ...listen, ...given, ...args], {
    env: { ...own, ...env },
  })
  const said = await running.saw(/^address:/m.test(config ?? '') ? 'listening on ' : '\n')
  const [address = '', port = ''] = /https?:\/\/[\d.]+:(\d+)\S*/.exec(said) ?? []
  const token = /token=(\S+)/.exec(address)?.[1] ?? ''
  return { running, address, port: Number(port), token, host: `127.0.0.1:${port}` }
}

/** A secret in a file that only its owner can read. */
export function secretFile(sandbox: Sandbox, name: string, text: string): string {
  const path = sandbox.path(name)
  writeFileSync(path, text)
  chmodSync(path, 0o600)
  return path
}

/** Asks as a program does that keeps to HTTP. */
export function ask(port: number, path: string, how: Ask = {}): Promise<Answer> {
  const { method = 'GET', headers = {}, body, from, secure = false } = how
  return new Promise((resolve, reject) => {
    const request = (secure ? secureRequest : plainRequest)(
      {
        host: '127.0.0.1',
        port,
        path,
        method,
        headers: {
          ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          ...headers,
        },
        agent: false,
        ...(from === undefined ? {} : { localAddress: from }),
        ...(secure ? { rejectUnauthorized: false } : {}),
      },
      (answer) => {
        const parts: Buffer[] = []
        const tell = () => {
          const text = Buffer.concat(parts).toString()
          const { statusCode: status = 0, headers: got } = answer
          resolve({ status, headers: got, text, json: (): unknown => JSON.parse(text) })
        }
        answer.on('data', (part: Buffer) => parts.push(part)).once('error', reject)
        answer.once('end', tell)
        // A stream has no end.
        if (answer.headers['content-type']?.startsWith('text/event-stream') !== true) return
        tell()
        answer.off('error', reject)
        request.destroy()
      },
    )
    request.once('error', reject)
    request.end(body)
  })
}

/** As a page of the server asks. */
export const act = (
  served: ServedProgram,
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> =>
  ask(served.port, path, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      origin: `http://${served.host}`,
      ...headers,
    },
    body: JSON.stringify(body),
  })

/** The cookies that an answer sets, as a browser sends them back. */
export const cookiesOf = ({ headers }: Answer): string =>
  (headers['set-cookie'] ?? []).map((cookie) => cookie.split(';')[0]).join('; ')

/** Signs in with the token of the address, and answers the cookie. */
export async function cookieFor({ port, token }: ServedProgram): Promise<string> {
  const answer = await ask(port, `/?token=${token}`)
  expect(answer.status).toBe(303)
  return cookiesOf(answer)
}

/** Sends bytes as they are, and answers all that comes back until the other side closes the connection. */
export function sendRaw(
  port: number,
  bytes: string | Uint8Array,
  { end = false }: { readonly end?: boolean } = {},
): Promise<string> {
  return new Promise((resolve) => {
    const socket = connectRaw(port)
    let text = ''
    socket.setEncoding('latin1').on('data', (part: string) => (text += part))
    socket.once('close', () => resolve(text))
    if (end) socket.end(bytes)
    else socket.write(bytes)
  })
}

export function connectRaw(port: number): Socket {
  const socket = connect(port, '127.0.0.1')
  // The server may close it while there is still something to send.
  socket.on('error', () => undefined)
  return socket
}

/** The status of each answer in what came back. */
export const statusesIn = (raw: string): number[] =>
  [...raw.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status))

/** All that the server has said on standard error so far, as objects where it is the log. */
export async function logOf({ running }: ServedProgram): Promise<Record<string, unknown>[]> {
  const said = await running.saw('')
  return said
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Record<string, unknown>)
}

/** The status of an answer of a server that may be gone; 0 where there is none. */
export const statusOf = (to: number): Promise<number> =>
  ask(to, '/healthz').then(
    ({ status }) => status,
    () => 0,
  )

/** In milliseconds: far more than anything takes that tests wait for. */
const patience = 60_000

/** Asks until the answer is as wanted. */
export async function until<T>(
  look: () => Promise<T>,
  isWanted: (found: T) => boolean,
): Promise<T> {
  const began = performance.now()
  for (;;) {
    const found = await look()
    if (isWanted(found)) return found
    if (performance.now() - began > patience)
      throw new Error(`still ${JSON.stringify(found).slice(-1000)}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

/** Follows the events of a server; each is a line of JSON. */
export async function* eventsOf(served: ServedProgram, cookie: string): AsyncGenerator<string> {
  const answer = await fetch(`http://${served.host}/api/v1/events`, { headers: { cookie } })
  const decoder = new TextDecoder()
  for await (const bytes of answer.body ?? []) {
    const lines = decoder.decode(bytes as Uint8Array, { stream: true }).split('\n')
    for (const line of lines) if (line.startsWith('data: ')) yield line.slice('data: '.length)
  }
}
