/**
 * Writes the tables of docs/spec.md from the one definition of a workflow file.
 * `node tools/spec-reference.ts` updates the file; with `--check` it fails where the file is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  allows,
  branches,
  itemsOf,
  propertiesOf,
  specJsonSchema,
  type JsonSchema,
} from '../src/workflow/spec/json-schema.ts'

const beginMark = '<!-- Below: written by tools/spec-reference.ts. Do not edit by hand. -->'
const endMark = '<!-- Above: written by tools/spec-reference.ts. -->'

/** The document with its generated part as the definition has it now. */
export function withSpecReference(document: string): string {
  const begin = document.indexOf(beginMark)
  const end = document.indexOf(endMark)
  if (begin < 0 || end < begin) throw new Error('docs/spec.md has lost its marks')
  const head = document.slice(0, begin + beginMark.length)
  return `${head}\n\n${reference()}\n${document.slice(end)}`
}

function reference(): string {
  const schema = specJsonSchema()
  const parts = Object.entries(propertiesOf(schema)).flatMap(([key, value]) =>
    sectionsOf(key, value),
  )
  return [section('Top level', schema), ...parts].join('\n')
}

/** A section for every mapping with keys of its own, and for those within it. */
function sectionsOf(path: string, schema: JsonSchema): string[] {
  const items = itemsOf(schema)
  const [shown, inner] = items === undefined ? [path, schema] : [`${path}[]`, items]
  const properties = propertiesOf(inner)
  if (Object.keys(properties).length === 0) return []
  const within = Object.entries(properties)
    // A job's own requirements have the keys that the list of them has.
    .filter(([key]) => key !== 'resource_requirements')
    .flatMap(([key, value]) => sectionsOf(`${shown}.${key}`, value))
  return [section(`\`${shown}\``, inner), ...within]
}

function section(title: string, schema: JsonSchema): string {
  const required = new Set(schema.required)
  const rows = Object.entries(propertiesOf(schema)).map(([key, value]) => {
    const name = required.has(key) ? `**\`${key}\`**` : `\`${key}\``
    return `| ${name} | ${kindOf(value)} | ${value.description ?? ''} |`
  })
  const about = schema.description === undefined ? [] : [schema.description, '']
  return [
    `## ${title}`,
    '',
    ...about,
    '| key | value | meaning |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}

function kindOf(schema: JsonSchema): string {
  const kinds = branches(schema).map((branch) => {
    if (branch.enum !== undefined)
      return branch.enum.map((each) => `\`${String(each)}\``).join(', ')
    if (branch.type === 'array') return listKind(branch)
    return kindNames[String(branch.type)] ?? 'anything'
  })
  return [...new Set(kinds)].join(' or ')
}

function listKind(schema: JsonSchema): string {
  const items = itemsOf(schema)
  if (items?.enum !== undefined) return `list of ${kindOf(items)}`
  return items !== undefined && allows(items, 'object') ? 'list of mappings' : 'list'
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'number',
  integer: 'whole number',
  boolean: 'true or false',
  object: 'mapping',
}

if (import.meta.main) {
  const path = join(import.meta.dirname, '../docs/spec.md')
  const found = readFileSync(path, 'utf8')
  const wanted = withSpecReference(found)
  if (!process.argv.includes('--check')) writeFileSync(path, wanted)
  else if (found !== wanted) {
    console.error('docs/spec.md is stale: run node tools/spec-reference.ts')
    process.exitCode = 1
  }
}
