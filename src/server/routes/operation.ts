import { createRoute, z, type OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Viewer } from '../access/viewer.ts'
import { jsonAnswer } from '../json-answer.ts'
import { onlyKnown } from '../schemas/only-known.ts'
import { refusals } from '../schemas/problem.ts'
import type { ServerEnv } from '../served.ts'

/** What the readable page groups them by. */
export type Tag = 'Server' | 'Jobs' | 'Workflows' | 'Analyses' | 'Nodes' | 'Alerts' | 'Live'

type Shape = Readonly<Record<string, z.ZodType>>
type Given<S extends Shape> = z.output<z.ZodObject<S>>

/** An answer that is not JSON, or not the usual one. */
export interface OtherAnswer {
  readonly description: string
  readonly content?: Readonly<Record<string, { readonly schema: z.ZodType }>>
}

/** One thing that can be asked of the server: the document and the checks of what is sent are both made of it. */
export interface Operation<Query extends Shape, Params extends Shape, Body extends z.ZodType> {
  readonly id: string
  readonly method?: 'get' | 'post'
  readonly path: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  readonly query?: Query
  readonly params?: Params
  readonly body?: Body
  /** What is answered as JSON; none where `others` say it all. */
  readonly answer?: z.ZodType
  /** 202 for what only begins. */
  readonly status?: 200 | 202
  readonly others?: Readonly<Record<number, OtherAnswer>>
  /** Which refusals cannot be: nobody has to sign in, nothing is named. */
  readonly never?: readonly (keyof typeof refusals)[]
}

export interface Asked<Query, Params, Body> {
  readonly query: Query
  readonly params: Params
  readonly body: Body
  /** Undefined only where a route is open to all. */
  readonly viewer: Viewer
  readonly context: Context<ServerEnv>
  /** Aborted when whoever asks must say again who they are: no stream goes on beyond that. */
  stay(): AbortSignal
}

type Handler<Query extends Shape, Params extends Shape, Body extends z.ZodType> = (
  asked: Asked<Given<Query>, Given<Params>, z.output<Body>>,
) => object | Response | Promise<object | Response>

/** No parameter at all. */
type Nothing = Readonly<Record<string, never>>

/** Keeps the types of what is asked. */
export const operation = <
  Query extends Shape = Nothing,
  Params extends Shape = Nothing,
  Body extends z.ZodType = z.ZodUndefined,
>(
  definition: Operation<Query, Params, Body>,
): Operation<Query, Params, Body> => definition

/** Has an operation answered by a function. What that returns is sent as JSON, unless it is a whole answer. */
export function serve<Query extends Shape, Params extends Shape, Body extends z.ZodType>(
  api: OpenAPIHono<ServerEnv>,
  definition: Operation<Query, Params, Body>,
  handle: Handler<Query, Params, Body>,
): void {
  const { query, params, body, status = 200 } = definition
  const answer = async (context: Context<ServerEnv>): Promise<Response> => {
    // zod-openapi has put what it checked there; its types say so only for a route that is written out.
    const valid = (what: 'query' | 'param' | 'json'): unknown => context.req.valid(what as never)
    const answered = await handle({
      query: (query === undefined ? {} : valid('query')) as Given<Query>,
      params: (params === undefined ? {} : valid('param')) as Given<Params>,
      body: (body === undefined ? undefined : valid('json')) as z.output<Body>,
      viewer: context.get('viewer'),
      context,
      stay: () => context.get('asker')?.stay() ?? AbortSignal.abort(),
    })
    return answered instanceof Response ? answered : jsonAnswer(context, answered, status)
  }
  api.openapi(routeOf(definition), answer as never)
}

function routeOf<Query extends Shape, Params extends Shape, Body extends z.ZodType>(
  definition: Operation<Query, Params, Body>,
) {
  const { id, method = 'get', path, tag, summary, description, query, params, body } = definition
  return createRoute({
    operationId: id,
    method,
    path,
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    request: {
      query: onlyKnown('parameter', query ?? {}),
      ...(params === undefined ? {} : { params: z.object(params) }),
      ...(body === undefined
        ? {}
        : { body: { required: true, content: { 'application/json': { schema: body } } } }),
    },
    responses: answersOf(definition),
  })
}

/** What only those can be refused for who send something, or do something. */
const ofPosts: ReadonlySet<string> = new Set(['409', '411', '413', '415'])

function answersOf<Query extends Shape, Params extends Shape, Body extends z.ZodType>({
  method = 'get',
  status = 200,
  summary,
  answer,
  others,
  never = [],
}: Operation<Query, Params, Body>): Record<string, OtherAnswer> {
  const refused = Object.entries(refusals).filter(
    ([code]) =>
      !never.some((one) => String(one) === code) && (method === 'post' || !ofPosts.has(code)),
  )
  return {
    ...(answer === undefined
      ? {}
      : {
          [status]: { description: summary, content: { 'application/json': { schema: answer } } },
          ...(method === 'get' ? { 304: { description: 'It is as you have it (ETag).' } } : {}),
        }),
    ...others,
    ...Object.fromEntries(refused),
  }
}
