import type { ApiOperation, JsonSchema } from './document.ts'

/** A command line that asks for it, for who has the token in $TOKEN. */
export function exampleCall(path: string, method: string, operation: ApiOperation): string {
  const { parameters = [], requestBody, responses } = operation
  const examples = new Map(
    parameters.filter((one) => one.in === 'path').map((one) => [one.name, example(one.schema)]),
  )
  const asked = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => examples.get(name) ?? name)
  const needed = parameters
    .filter((one) => one.in === 'query' && one.required === true)
    .map((one) => `${one.name}=${encodeURIComponent(example(one.schema))}`)
  const query = needed.length === 0 ? '' : `?${needed.join('&')}`
  const streams = 'text/event-stream' in (responses['200']?.content ?? {})
  return [
    `curl ${streams ? '-N ' : ''}-H "Authorization: Bearer $TOKEN"`,
    ...(method === 'post' ? ['-X POST'] : []),
    ...(requestBody === undefined ? [] : [`-H 'Content-Type: application/json'`, `-d @body.json`]),
    `'http://127.0.0.1:7411${asked}${query}'`,
  ].join(' ')
}

function example(schema: JsonSchema): string {
  if (schema.example !== undefined) return [schema.example].flat().join(' ')
  if (schema.enum !== undefined) return schema.enum.slice(0, 1).join('')
  return schema.type === 'string' ? 'TEXT' : '1'
}
