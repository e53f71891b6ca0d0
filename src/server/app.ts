import { OpenAPIHono } from '@hono/zod-openapi'
import { compress } from 'hono/compress'
import { HTTPException } from 'hono/http-exception'
import { matchedRoutes } from 'hono/route'
import { StoreError } from '../store/errors.ts'
import { UserError } from '../service/user-error.ts'
import { rules, type Rule } from './access/rules.ts'
import type { Viewer } from './access/viewer.ts'
import { DeskBusy } from './desk/desk.ts'
import { Problem, problemResponse } from './problem.ts'
import { observeRequests } from './observe.ts'
import { addRoutes } from './routes/all.ts'
import type { Served, ServerEnv } from './served.ts'
import { wall, type WallSettings } from './limits/wall.ts'
import { signInRoutes } from './sign-in/routes.ts'
import { howToSignIn } from './sign-in/sign-in.ts'
import { webPage } from './web-page.ts'

export interface AppSettings extends WallSettings {
  /** Told of every answer that is a fault of ours. */
  readonly onFault: (error: unknown) => void
}

/** Everything that is served, from the first look at a request to its answer. */
export function serverApp(served: Served, settings: AppSettings): OpenAPIHono<ServerEnv> {
  const app = new OpenAPIHono<ServerEnv>({
    defaultHook: (result) => {
      if (!result.success) throw new Problem(400, sayWhatIsWrong(result.error.issues))
    },
  })
  app.use(...wall(settings))
  app.use(observeRequests(served), compress())
  const byRoute = new Map<string, Rule>()
  app.use(async (context, next) => {
    const rule = matchedRoutes(context)
      .map(({ method, path }) => byRoute.get(`${method} ${path}`))
      .find((found) => found !== undefined)
    if (rule !== undefined && rule.serves !== 'open')
      context.set('viewer', admitted(rule, context.var.asker?.viewer, settings))
    return next()
  })
  signInRoutes(app, settings.signIn)
  addRoutes(app, served)
  addRules(app, byRoute)
  app.get('*', webPage(served.web))
  app.notFound(() => problemResponse(new Problem(404, 'There is nothing at this address.')))
  app.onError((error, context) => {
    const problem = asProblem(error, settings.onFault)
    if (problem.reason !== null) context.set('refusal', problem.reason)
    return problemResponse(problem)
  })
  return app
}

/** A route that no rule is about is a fault that shows before anything is served. */
function addRules(app: OpenAPIHono<ServerEnv>, byRoute: Map<string, Rule>): void {
  for (const definition of app.openAPIRegistry.definitions) {
    if (definition.type !== 'route') continue
    const { operationId = '', method, path } = definition.route
    const rule = rules[operationId]
    if (rule === undefined) throw new Error(`no rule says who may call ${method} ${path}`)
    byRoute.set(`${method.toUpperCase()} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`, rule)
  }
}

function admitted(
  { serves, scope }: Rule,
  viewer: Viewer | undefined,
  { signIn }: AppSettings,
): Viewer {
  if (viewer === undefined)
    throw new Problem(401, howToSignIn(signIn), { 'www-authenticate': 'Bearer' })
  if (serves === 'administrator' && viewer.role !== 'administrator')
    throw new Problem(403, 'Only administrators may see this.')
  if (scope !== null && !viewer.scopes.has(scope))
    throw new Problem(403, `This needs a token with the scope ${scope}.`)
  return viewer
}

const statusFor = { usage: 400, state: 404, machine: 503 } as const

function asProblem(error: unknown, onFault: (error: unknown) => void): Problem {
  if (error instanceof Problem) return error
  if (error instanceof UserError) return new Problem(statusFor[error.kind], error.message)
  // What hono itself refuses, such as a body that is not JSON.
  if (error instanceof HTTPException && error.status < 500)
    return new Problem(error.status, error.message)
  if (error instanceof DeskBusy)
    return new Problem(503, error.message, { 'retry-after': String(error.retrySeconds) })
  if (error instanceof StoreError) return new Problem(503, error.message, {}, error.message)
  onFault(error)
  return new Problem(500, 'This is a fault of jobmeter. Its log says more.')
}

const sayWhatIsWrong = (
  issues: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[],
): string =>
  issues
    .map(({ path, message }) => (path.length === 0 ? message : `${path.join('.')}: ${message}`))
    .join('; ')
