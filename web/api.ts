/** Why there is no answer, in words for people. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, detail: string) {
    super(detail)
    this.status = status
  }
}

/** Asks the server. */
export async function ask<T>(path: string, options: RequestInit = {}): Promise<T> {
  const answer = await reached(`/api/v1${path}`, options)
  if (answer.ok) return (await answer.json()) as T
  throw new ApiError(answer.status, await detailOf(answer))
}

/** Asks for a text. */
export async function askText(path: string, options: RequestInit = {}): Promise<string> {
  const answer = await reached(`/api/v1${path}`, options)
  if (answer.ok) return answer.text()
  throw new ApiError(answer.status, await detailOf(answer))
}

/** Does something. */
export const act = <T>(path: string, body: unknown = {}): Promise<T> =>
  ask<T>(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

async function reached(path: string, options: RequestInit): Promise<Response> {
  try {
    return await fetch(path, options)
  } catch (error) {
    if (options.signal?.aborted === true) throw error
    throw new ApiError(0, 'The server cannot be reached. Is `jobmeter serve` still running?')
  }
}

async function detailOf(answer: Response): Promise<string> {
  try {
    const { detail } = (await answer.json()) as { detail?: string }
    return detail ?? answer.statusText
  } catch {
    return answer.statusText
  }
}
