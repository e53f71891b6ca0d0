import { useSignal } from '@preact/signals'
import { act, ApiError } from '../api.ts'
import { useAsked } from '../asked.ts'
import { findMe } from '../me.ts'
import { Title } from '../parts/title.tsx'
import { path, query, setQuery } from '../route.ts'

interface Ways {
  readonly ways: readonly ('token' | 'oidc' | 'proxy')[]
  readonly address: string | null
}

/** For who comes without a cookie. */
export default function SignIn() {
  const { value } = useAsked<Ways>('/sign-in').value
  return (
    <div class="sign-in">
      <Title name="Sign in" />
      {value?.address && (
        <p>
          <a
            class="button strong-button"
            href={`${value.address}?next=${encodeURIComponent(here())}`}
          >
            Sign in with your organisation
          </a>
        </p>
      )}
      {value?.ways.includes('token') === true && <TokenForm />}
      {value?.ways.join() === 'proxy' && (
        <p class="lead">
          The server in front of this one says who you are, and did not: open the address that your
          administrator gave you.
        </p>
      )}
    </div>
  )
}

const here = (): string => {
  const asked = query.value.toString()
  return asked === '' ? path.value : `${path.value}?${asked}`
}

const oldTokenWords =
  'The token in the address is not the one that `jobmeter serve` printed when it last started.'

/** The address that `serve` printed has a token in it. */
function TokenForm() {
  const token = useSignal('')
  const refused = useSignal<string | null>(
    query.value.get('wrong') === 'token' ? oldTokenWords : null,
  )
  const isWaiting = useSignal(false)
  const signIn = async (): Promise<void> => {
    isWaiting.value = true
    refused.value = null
    try {
      await act('/sign-in', { token: tokenIn(token.value) })
      setQuery({ wrong: null })
      await findMe()
    } catch (error) {
      refused.value = error instanceof ApiError ? error.message : String(error)
    }
    isWaiting.value = false
  }
  return (
    <>
      <p class="lead">
        Open the address that <code>jobmeter serve</code> printed when it started: it has a token in
        it, which signs you in. Or paste the token, or the whole address, here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void signIn()
        }}
      >
        <label for="token">Token</label>
        <input
          id="token"
          type="password"
          autocomplete="off"
          required
          value={token.value}
          aria-describedby={refused.value === null ? undefined : 'refused'}
          onInput={({ currentTarget }) => (token.value = currentTarget.value)}
        />
        <button type="submit" class="strong-button" disabled={isWaiting.value}>
          Sign in
        </button>
      </form>
      {refused.value !== null && (
        <p id="refused" class="problem" role="alert">
          {refused.value}
        </p>
      )}
    </>
  )
}

/** The token of a whole address, or what was typed. */
function tokenIn(typed: string): string {
  const [, token] = /[?&]token=([^&\s]+)/.exec(typed) ?? []
  return token ?? typed.trim()
}
