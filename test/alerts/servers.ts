import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { SMTPServer } from 'smtp-server'

export interface Received {
  readonly headers: IncomingHttpHeaders
  readonly body: string
  readonly path: string
}

export interface WebhookBody {
  readonly version: number
  readonly id: string
  readonly alerts: readonly {
    readonly id: string
    readonly alert_id: string
    readonly status: string
    readonly rule: string
    readonly job_name: string | null
    readonly text: string
  }[]
}

/** A real HTTP server. `answer` decides what each request gets; leaving it alone hangs the client. */
export interface HttpDouble extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly all: Received[]
  /** Those that were answered with 200. */
  readonly taken: Received[]
  answer: (response: ServerResponse, request: Received) => 'taken' | 'refused'
  /** Resolves when that holds of what was taken. */
  until(holds: (taken: readonly Received[]) => boolean): Promise<void>
}

export const yes = (response: ServerResponse): 'taken' => {
  response.writeHead(200).end('ok')
  return 'taken'
}
export const busy = (response: ServerResponse): 'refused' => {
  response.writeHead(503).end('later')
  return 'refused'
}
export const silent = (): 'refused' => 'refused'

export async function httpServer(port = 0): Promise<HttpDouble> {
  const all: Received[] = []
  const taken: Received[] = []
  const waiting = new Set<() => void>()
  const sockets = new Set<Socket>()
  const server = createServer((request, response) => {
    let body = ''
    request.setEncoding('utf8').on('data', (text: string) => (body += text))
    request.on('end', () => {
      const received = { headers: request.headers, body, path: request.url ?? '' }
      all.push(received)
      if (double.answer(response, received) === 'taken') taken.push(received)
      for (const check of waiting) check()
    })
  })
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve)
  })
  const bound = (server.address() as AddressInfo).port
  const double: HttpDouble = {
    url: `http://127.0.0.1:${bound}/hook/very-secret-path`,
    port: bound,
    all,
    taken,
    answer: yes,
    until: (holds) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!holds(taken)) return
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => {
        server.close(resolve)
      })
    },
  }
  return double
}

/** All alerts in what a webhook took, one after the other. */
export const alertsIn = (taken: readonly Received[]): WebhookBody['alerts'] =>
  taken.flatMap(({ body }) => (JSON.parse(body) as WebhookBody).alerts)

export interface Mail {
  readonly from: string
  readonly to: readonly string[]
  readonly text: string
  readonly user: string | undefined
  readonly isPrivate: boolean
}

export interface SmtpDouble extends AsyncDisposable {
  readonly port: number
  readonly mails: Mail[]
  /** What clients logged in with, whether or not that was right. */
  readonly passwords: string[]
}

/** A real SMTP server that takes the password `right`. */
export async function smtpServer(): Promise<SmtpDouble> {
  const mails: Mail[] = []
  const passwords: string[] = []
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    onAuth(auth, _session, callback) {
      passwords.push(auth.password ?? '')
      if (auth.password === 'right') callback(null, { user: auth.username ?? '' })
      else callback(new Error(`no: ${auth.password}`))
    },
    onData(stream, session, callback) {
      let text = ''
      stream.setEncoding('utf8').on('data', (part: string) => (text += part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          text,
          user: session.user === undefined ? undefined : String(session.user),
          isPrivate: session.secure,
        })
        callback()
      })
    },
  })
  server.on('error', () => undefined)
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve())
  })
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    mails,
    passwords,
    [Symbol.asyncDispose]: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
