import type { ApiError } from '../api.ts'
import { Title } from './title.tsx'

/** Why something cannot be shown, and what to do about it. */
export function ProblemNote({
  error,
  retry,
}: {
  readonly error: ApiError
  readonly retry?: (() => void) | undefined
}) {
  return (
    <div class="problem" role="alert">
      <strong>{titleOf(error.status)}</strong>
      <p>{error.message}</p>
      {retry !== undefined && error.status !== 404 && (
        <button type="button" onClick={retry}>
          Try again
        </button>
      )}
    </div>
  )
}

/** The same where there is nothing else on the page. */
export function ProblemPage({
  error,
  retry,
  all: [to, name] = ['/jobs', 'All jobs'],
}: Parameters<typeof ProblemNote>[0] & {
  /** Where there are others like it. */
  readonly all?: readonly [to: string, name: string]
}) {
  return (
    <>
      <Title name={titleOf(error.status)} />
      <p class="lead">{error.message}</p>
      {error.status === 404 ? (
        <p>
          <a href={to}>{name}</a>
        </p>
      ) : (
        retry !== undefined && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )
      )}
    </>
  )
}

function titleOf(status: number): string {
  if (status === 0) return 'The server does not answer'
  if (status === 401) return 'You are not signed in'
  if (status === 403) return 'You may not see this'
  if (status === 404) return 'Not found'
  return status >= 500 ? 'The server could not answer' : 'That did not work'
}
