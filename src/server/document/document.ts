import type { OpenAPIHono } from '@hono/zod-openapi'
import { rules } from '../access/rules.ts'
import type { ServerEnv } from '../served.ts'

/** What the readable page needs of the document. */
export interface ApiDocument {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string }
  readonly paths: Readonly<Record<string, Readonly<Record<string, ApiOperation>>>>
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> }
}

export interface ApiOperation {
  readonly operationId: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly ApiParameter[]
  readonly requestBody?: { readonly content: ApiContent }
  readonly responses: Readonly<Record<string, ApiResponse>>
}

export interface ApiParameter {
  readonly name: string
  readonly in: 'query' | 'path' | 'header'
  readonly required?: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface ApiResponse {
  readonly description: string
  readonly content?: ApiContent
}

type ApiContent = Readonly<Record<string, { readonly schema?: JsonSchema }>>

export interface JsonSchema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly (string | number | boolean | null)[]
  readonly items?: JsonSchema
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly anyOf?: readonly JsonSchema[]
  readonly oneOf?: readonly JsonSchema[]
  readonly default?: string | number | boolean
  readonly example?: string | number | readonly string[]
  readonly description?: string
  readonly minimum?: number
  readonly maximum?: number
}

const description =
  'What jobs did with the machine. Keys are those of `jobmeter … --format json`; what was not measured is null. ' +
  'Objects that somebody may not see are not there (404). Errors are problem documents (RFC 9457).'

/** The document of all that is served, made of the same definitions as the checks of what is sent. */
export function documentOf(app: OpenAPIHono<ServerEnv>, version: string): ApiDocument {
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'http',
    scheme: 'bearer',
    description:
      'The token in the address that `jobmeter serve` printed, or one that `jobmeter tokens create` made.',
  })
  app.openAPIRegistry.registerComponent('securitySchemes', 'session', {
    type: 'apiKey',
    in: 'cookie',
    name: 'jobmeter',
    description: 'The cookie of a browser that has signed in; its name goes on with the port.',
  })
  const made = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'jobmeter', version, description },
    servers: [{ url: '/' }],
  }) as unknown as ApiDocument
  return { ...made, paths: withSecurity(made.paths) }
}

/** What a route needs is said by the table of rules alone. */
function withSecurity(paths: ApiDocument['paths']): ApiDocument['paths'] {
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(
        Object.entries(item).map(([method, operation]) => [
          method,
          { ...operation, ...needs(operation.operationId) },
        ]),
      ),
    ]),
  )
}

function needs(operationId: string): object {
  const rule = rules[operationId]
  if (rule === undefined || rule.serves === 'open') return { security: [] }
  return {
    security: [{ token: [] }, { session: [] }],
    'x-serves': rule.serves,
    'x-scope': rule.scope,
  }
}
