import type { ApiDocument, ApiOperation, ApiParameter, JsonSchema } from './document.ts'
import { exampleCall } from './example-call.ts'
import { schemaWords } from './schema-words.ts'

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
}
const safe = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => escapes[one] ?? '')
/** What stands between backticks is code. */
const prose = (text: string): string => safe(text).replaceAll(/`([^`]+)`/g, '<code>$1</code>')

interface Listed {
  readonly path: string
  readonly method: string
  readonly operation: ApiOperation
}

/** The document as a page that people read: no script, no style of its own, nothing from elsewhere. */
export function documentPage(document: ApiDocument): string {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): Listed => ({ path, method, operation })),
  )
  const groups = Map.groupBy(all, ({ operation }) => operation.tags?.[0] ?? 'Signing in')
  const { title, version, description = '' } = document.info
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${safe(title)}: the API</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/style.css">
</head>
<body>
<header>
<h1>The API of ${safe(title)} ${safe(version)}</h1>
<p>${prose(description)}</p>
<p>For programs: <a href="/api/openapi.json">openapi.json</a>. The dashboard: <a href="/">here</a>.</p>
<nav aria-label="Groups"><ul>${[...groups.keys()].map((name) => `<li><a href="#${anchor(name)}">${safe(name)}</a></li>`).join('')}</ul></nav>
</header>
<main>
${[...groups].map(([name, members]) => groupPart(name, members)).join('\n')}
<section id="schemas"><h2>What answers are made of</h2>
${Object.entries(document.components?.schemas ?? {})
  .map(([name, schema]) => schemaPart(name, schema))
  .join('\n')}
</section>
</main>
</body>
</html>
`
}

const anchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')

const groupPart = (name: string, members: readonly Listed[]): string =>
  `<section id="${anchor(name)}"><h2>${safe(name)}</h2>\n${members.map(operationPart).join('\n')}\n</section>`

function operationPart({ path, method, operation }: Listed): string {
  const { operationId, summary = '', description, parameters = [], responses } = operation
  return `<article id="${safe(operationId)}">
<h3><span class="method ${safe(method)}">${safe(method.toUpperCase())}</span> <code>${safe(path)}</code></h3>
<p>${prose(summary)}${summary.endsWith('.') ? '' : '.'}${description === undefined ? '' : ` ${prose(description)}`}</p>
${parameterTable(parameters)}${bodyPart(operation)}
<p class="label">Answers</p>
<dl class="answers">${Object.entries(responses)
    .map(
      ([status, { description: says, content = {} }]) =>
        `<dt>${safe(status)}</dt><dd>${prose(says)} ${Object.entries(content)
          .map(
            ([type, { schema }]) =>
              `<code>${safe(type)}</code>${schema === undefined ? '' : ` ${words(schema)}`}`,
          )
          .join(' or ')}</dd>`,
    )
    .join('')}</dl>
<pre><code>${safe(exampleCall(path, method, operation))}</code></pre>
</article>`
}

function parameterTable(parameters: readonly ApiParameter[]): string {
  if (parameters.length === 0) return ''
  const rows = parameters.map(
    ({ name, in: where, required = false, description = '', schema }) =>
      `<tr><th scope="row"><code>${safe(name)}</code>${required ? ' <small>needed</small>' : ''}</th><td>${safe(where)}</td><td>${words(schema)}</td><td>${prose(description)}</td></tr>`,
  )
  return `<table><thead><tr><th scope="col">Parameter</th><th scope="col">In</th><th scope="col">Is</th><th scope="col">Says</th></tr></thead><tbody>${rows.join('')}</tbody></table>\n`
}

function bodyPart({ requestBody }: ApiOperation): string {
  const schema = requestBody?.content['application/json']?.schema
  return schema === undefined ? '' : `<p>Body: ${words(schema)} as JSON.</p>`
}

function schemaPart(name: string, schema: JsonSchema): string {
  const { properties } = schema
  const says = schema.description === undefined ? '' : `<p>${prose(schema.description)}.</p>`
  const rows = Object.entries(properties ?? {}).map(
    ([key, value]) =>
      `<tr><th scope="row"><code>${safe(key)}</code></th><td>${words(value)}</td><td>${prose(value.description ?? '')}</td></tr>`,
  )
  const body =
    properties === undefined
      ? `<p>${words(schema)}</p>`
      : `<table><thead><tr><th scope="col">Key</th><th scope="col">Is</th><th scope="col">Says</th></tr></thead><tbody>${rows.join('')}</tbody></table>`
  return `<article id="schema-${safe(name)}"><h3>${safe(name)}</h3>${says}${body}</article>`
}

/** In words, with links to what is described elsewhere on the page. */
const words = (schema: JsonSchema): string =>
  schemaWords(schema)
    .map((part) =>
      part.kind === 'text'
        ? safe(part.text)
        : `<a href="#schema-${safe(part.name)}">${safe(part.name)}</a>`,
    )
    .join('')
