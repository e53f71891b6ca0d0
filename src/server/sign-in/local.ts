import type { Context } from 'hono'
import type { Viewer } from '../access/viewer.ts'
import { Problem } from '../problem.ts'
import type { ServerEnv } from '../served.ts'
import { countAttempt } from './asker.ts'
import { howToSignIn, type SignIn } from './sign-in.ts'

/** Signs in whoever has the token that `serve` printed: sets the cookie of a session. */
export function signInLocally(
  signIn: SignIn,
  context: Context<ServerEnv>,
  offered: string,
): Viewer {
  const { local, sessions, cookies } = signIn
  if (local === null) throw new Problem(404, howToSignIn(signIn))
  if (!local.secret.is(offered)) {
    countAttempt(signIn, context)
    throw new Problem(401, 'This token is not the one that `serve` printed.', {}, 'a wrong token')
  }
  const { viewer } = local
  const id = sessions.begin(viewer.user, () => viewer)
  cookies.setSession(context, id, sessions.lastsSeconds)
  return viewer
}
