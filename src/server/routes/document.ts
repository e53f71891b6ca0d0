import { z, type OpenAPIHono } from '@hono/zod-openapi'
import { documentOf, type ApiDocument } from '../document/document.ts'
import { documentPage } from '../document/page.ts'
import { pageStyle } from '../document/page-style.ts'
import type { Served, ServerEnv } from '../served.ts'
import { operation, serve } from './operation.ts'

const never = [400, 401, 403, 404] as const

const getDocument = operation({
  id: 'getDocument',
  path: '/api/openapi.json',
  tag: 'Server',
  summary: 'This document, as OpenAPI 3.1',
  answer: z.record(z.string(), z.unknown()).openapi('Document'),
  never,
})

const text = (type: string) => ({
  200: { description: 'The page.', content: { [type]: { schema: z.string() } } },
})

const getDocumentPage = operation({
  id: 'getDocumentPage',
  path: '/api',
  tag: 'Server',
  summary: 'The same for people',
  others: text('text/html'),
  never,
})

const getDocumentStyle = operation({
  id: 'getDocumentStyle',
  path: '/api/style.css',
  tag: 'Server',
  summary: 'The style sheet of that page',
  others: text('text/css'),
  never,
})

const page = (type: string, body: string): Response =>
  new Response(body, {
    headers: { 'content-type': `${type}; charset=utf-8`, 'cache-control': 'no-cache' },
  })

export function documentRoutes(api: OpenAPIHono<ServerEnv>, { version }: Served): void {
  let made: ApiDocument | undefined
  // Only when all routes are there.
  const document = (): ApiDocument => (made ??= documentOf(api, version))
  serve(api, getDocument, document)
  serve(api, getDocumentPage, () => page('text/html', documentPage(document())))
  serve(api, getDocumentStyle, () => page('text/css', pageStyle))
}
