import { request, type IncomingMessage } from 'node:http'
import { failed, ok, unavailable, type Reading } from '../model/reading.ts'

/** An answer takes milliseconds; one that is not whole after so long never will be, though a byte comes now and then. */
const longestMs = 10_000
/** The longest known answer, of a container with hundreds of mounts, has a tenth of it. */
const mostBytes = 4 * 2 ** 20

/** HTTP over a socket of this machine, as the daemons of containers speak it. */
export interface ApiSocket {
  /** The answer as JSON. `unavailable`: nobody listens there, or what was asked for is not there (404). */
  get(path: string): Promise<Reading<unknown>>
  post(path: string): Promise<Reading<true>>
  delete(path: string): Promise<Reading<true>>
  /** Hears lines as they come, until the daemon closes or `close` is called. What goes wrong ends it too. */
  lines(path: string, onLine: (line: string) => void, onEnd: () => void): Listening
}

/** Lines that are being heard. */
export interface Listening {
  close(): void
  /** Waiting for the next line does not keep the program alive. */
  unref(): void
}

/** Nothing is opened until something is asked. Paths are made by the caller, who escapes what is in them. */
export function apiSocket(socketPath: string, answerMs = longestMs): ApiSocket {
  return {
    get: async (path) => {
      const answer = await ask(socketPath, 'GET', path, answerMs)
      return answer.kind === 'ok' ? parseJson(answer.value) : answer
    },
    post: (path) => tell(socketPath, 'POST', path, answerMs),
    delete: (path) => tell(socketPath, 'DELETE', path, answerMs),
    lines: (path, onLine, onEnd) => listen(socketPath, path, onLine, onEnd),
  }
}

/** Of what is done, nothing but that it is done is of interest. */
async function tell(
  socketPath: string,
  method: 'POST' | 'DELETE',
  path: string,
  answerMs: number,
): Promise<Reading<true>> {
  const answer = await ask(socketPath, method, path, answerMs)
  return answer.kind === 'ok' ? ok(true) : answer
}

function ask(
  socketPath: string,
  method: 'GET' | 'POST' | 'DELETE',
  path: string,
  answerMs: number,
): Promise<Reading<string>> {
  const { promise, resolve } = Promise.withResolvers<Reading<string>>()
  const asked = request(
    { socketPath, method, path, agent: false, headers: { host: 'localhost' } },
    (response) => void gather(response).then(resolve, (error) => resolve(asReading(error))),
  )
  const late = setTimeout(
    () => asked.destroy(new Error(`no whole answer in ${answerMs / 1000} s`)),
    answerMs,
  )
  asked.on('error', (error) => resolve(asReading(error)))
  asked.end()
  return promise.finally(() => clearTimeout(late))
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
): Listening {
  let isOpen = true
  const end = (): void => {
    if (isOpen) onEnd()
    isOpen = false
  }
  const asked = request(
    { socketPath, path, agent: false, headers: { host: 'localhost' } },
    (response) => {
      response.setEncoding('utf8')
      let rest = ''
      response.on('data', (part: string) => {
        const lines = (rest + part).split('\n')
        rest = lines.pop() ?? ''
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

const absent = new Set(['ENOENT', 'ECONNREFUSED', 'EACCES', 'EPERM', 'ENOTSOCK'])

function asReading(error: unknown): Reading<never> {
  const { code, message } = error as NodeJS.ErrnoException
  return code !== undefined && absent.has(code) ? unavailable(message) : failed(message)
}

function parseJson(text: string): Reading<unknown> {
  try {
    return ok(JSON.parse(text) as unknown)
  } catch {
    return failed('the answer is not JSON')
  }
}

/** Daemons explain themselves with `{"message": …}`. */
function messageIn(text: string): string {
  const parsed = parseJson(text)
  const { message } = ((parsed.kind === 'ok' ? parsed.value : null) ?? {}) as { message?: unknown }
  return typeof message === 'string' ? message : text.slice(0, 200)
}
