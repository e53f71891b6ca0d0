import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** An answer that is no answer, as RFC 9457 has it. */
export class Problem extends Error {
  readonly status: ContentfulStatusCode
  readonly headers: Readonly<Record<string, string>>
  /** For the log, which must not quote what was asked; null: what the status says is enough. */
  readonly reason: string | null

  constructor(
    status: ContentfulStatusCode,
    detail: string,
    headers: Readonly<Record<string, string>> = {},
    reason: string | null = null,
  ) {
    super(detail)
    this.status = status
    this.headers = headers
    this.reason = reason
  }
}

const titles: Readonly<Record<number, string>> = {
  400: 'Bad request',
  401: 'Sign in first',
  403: 'Not allowed',
  404: 'Not found',
  405: 'Method not allowed',
  408: 'Too slow',
  409: 'Conflict',
  411: 'Length required',
  413: 'Too large',
  414: 'Address too long',
  415: 'Unsupported media type',
  416: 'Range not satisfiable',
  421: 'Misdirected request',
  429: 'Too many requests',
  431: 'Headers too large',
  500: 'A fault of jobmeter',
  503: 'Not now',
}

export interface ProblemJson {
  readonly type: 'about:blank'
  readonly title: string
  readonly status: number
  readonly detail: string
}

export const titleOf = (status: number): string => titles[status] ?? 'Refused'

export const problemJson = (status: number, detail: string): ProblemJson => ({
  type: 'about:blank',
  title: titleOf(status),
  status,
  detail,
})

/** The same as what a handler may return or throw. */
export const problemResponse = ({ status, message, headers }: Problem): Response =>
  Response.json(problemJson(status, message), {
    status,
    headers: { ...headers, 'content-type': 'application/problem+json' },
  })
