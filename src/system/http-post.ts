import { failed, ok, type Reading } from '../model/reading.ts'

export interface HttpAnswer {
  readonly status: number
  /** What the server asks for before the next attempt. */
  readonly retryAfterSeconds: number | null
}

export interface PostRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly timeoutSeconds: number
}

/**
 * Sends a text to a server. Errors name what went wrong and never the address, which may be a secret. A redirect is an
 * answer: what is meant for one server is not sent to another.
 */
export async function httpPost(request: PostRequest): Promise<Reading<HttpAnswer>> {
  const { url, headers, body, timeoutSeconds } = request
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutSeconds * 1000),
    })
    // An answer of any length: nobody reads it.
    await response.body?.cancel()
    return ok({ status: response.status, retryAfterSeconds: retryAfter(response) })
  } catch (error) {
    return failed(wordsFor(error, timeoutSeconds))
  }
}

function retryAfter({ headers }: Response): number | null {
  const given = headers.get('retry-after')
  return given !== null && /^\d{1,6}$/.test(given) ? Number(given) : null
}

function wordsFor(error: unknown, timeoutSeconds: number): string {
  if (error instanceof Error && error.name === 'TimeoutError')
    return `no answer within ${timeoutSeconds} s`
  const cause = error instanceof Error ? (error.cause ?? error) : error
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : undefined
  if (code === 'ERR_INVALID_URL') return 'the address is not a URL'
  return code === undefined
    ? 'the server cannot be reached'
    : `the server cannot be reached (${code})`
}
