import { request, type IncomingMessage } from 'node:http'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'
import { AnswerTime } from './answer-time.ts'

/** The longest known answer, of a container with hundreds of mounts, has a tenth of it. */
const mostBytes = 4 * 2 ** 20

/** HTTP over a socket of this machine, as the daemons of containers speak it. */
export interface ApiSocket {
  /** The answer as JSON. `unavailable`: the daemon says that what was asked for is not there (404). Of one that does not answer, nothing is known: `failed`. */
  get(path: string): Promise<Reading<unknown>>
  /** The same, of an answer that is not one piece of JSON. */
  getText(path: string): Promise<Reading<string>>
  post(path: string): Promise<Reading<true>>
  delete(path: string): Promise<Reading<true>>
  /**
   * Hears lines as they come, until the daemon closes or `close` is called. What goes wrong ends it too. `onOpen`: the daemon
   * has agreed to tell.
   */
  lines(
    path: string,
    onLine: (line: string) => void,
    onEnd: () => void,
    onOpen?: () => void,
  ): Listening
}

/** Lines that are being heard. */
export interface Listening {
  close(): void
  /** Waiting for the next line does not keep the program alive. */
  unref(): void
}

/** Nothing is opened until something is asked. Paths are made by the caller, who escapes what is in them. */
export function apiSocket(socketPath: string, time = new AnswerTime()): ApiSocket {
  return {
    get: async (path) => {
      const answer = await ask(socketPath, 'GET', path, time)
      return answer.kind === 'ok' ? parseJson(answer.value) : answer
    },
    getText: (path) => ask(socketPath, 'GET', path, time),
    post: (path) => tell(socketPath, 'POST', path, time),
    delete: (path) => tell(socketPath, 'DELETE', path, time),
    lines: (path, onLine, onEnd, onOpen) => listen(socketPath, path, onLine, onEnd, onOpen),
  }
}

/** Of what is done, nothing but that it is done is of interest. */
async function tell(
  socketPath: string,
  method: 'POST' | 'DELETE',
  path: string,
  time: AnswerTime,
): Promise<Reading<true>> {
  const answer = await ask(socketPath, method, path, time)
  return answer.kind === 'ok' ? ok(true) : answer
}

function ask(
  socketPath: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  time: AnswerTime,
): Promise<Reading<string>> {
  if (time.spent !== null) return Promise.resolve(failed(time.spent))
  const { promise, resolve } = Promise.withResolvers<Reading<string>>()
  const asked = request(
    { socketPath, method, path, agent: false, headers: { host: 'localhost' } },
    (response) =>
      void gather(response).then(resolve, ({ message }: Error) => resolve(failed(message))),
  )
  const end = time.begin((why) => asked.destroy(new Error(why)))
  asked.on('error', ({ message }) => resolve(failed(message)))
  asked.end()
  return promise.finally(end)
}

async function gather(response: IncomingMessage): Promise<Reading<string>> {
  const { statusCode = 0 } = response
  response.setEncoding('utf8')
  let text = ''
  for await (const part of response) {
    text += String(part)
    if (text.length > mostBytes) {
      response.destroy()
      return failed(`the answer is longer than ${mostBytes} bytes`)
    }
  }
  // 304: what was asked for is so already.
  if ((statusCode >= 200 && statusCode < 300) || statusCode === 304) return ok(text)
  const why = `HTTP ${statusCode}: ${messageIn(text)}`
  return statusCode === 404 ? unavailable(why) : failed(why)
}

function listen(
  socketPath: string,
  path: string,
  onLine: (line: string) => void,
  onEnd: () => void,
  onOpen: () => void = () => {},
): Listening {
  let isOpen = true
  const end = (): void => {
    if (isOpen) onEnd()
    isOpen = false
  }
  const asked = request(
    { socketPath, path, agent: false, headers: { host: 'localhost' } },
    (response) => {
      if (response.statusCode === 200) onOpen()
      response.setEncoding('utf8')
      let rest = ''
      response.on('data', (part: string) => {
        // Only what is new is looked through: a line may come byte by byte.
        const [head = '', ...more] = part.split('\n')
        const lines = more.length === 0 ? [] : [rest + head, ...more.slice(0, -1)]
        rest = more.at(-1) ?? rest + head
        if (rest.length > mostBytes) asked.destroy()
        for (const line of lines) if (isOpen && line.trim() !== '') onLine(line)
      })
      response.on('error', end)
      response.on('close', end)
    },
  )
  asked.on('error', end)
  asked.end()
  return {
    close: () => {
      isOpen = false
      asked.destroy()
    },
    unref: () => void asked.once('socket', (socket) => socket.unref()),
  }
}

function parseJson(text: string): Reading<unknown> {
  try {
    return ok(JSON.parse(text) as unknown)
  } catch {
    return failed('the answer is not JSON')
  }
}

/** Daemons explain themselves with `{"message": …}`, in as many lines as they like: it is told in one, among other words. */
function messageIn(text: string): string {
  const parsed = parseJson(text)
  const { message } = ((parsed.kind === 'ok' ? parsed.value : null) ?? {}) as { message?: unknown }
  const words = typeof message === 'string' ? message : text.slice(0, 200)
  return words.replaceAll(/\s+/g, ' ').trim()
}
