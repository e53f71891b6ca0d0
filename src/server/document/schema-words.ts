import type { JsonSchema } from './document.ts'

/** Words, or the name of a schema that is described elsewhere. */
export type Words =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'schema'; readonly name: string }

const text = (words: string): Words => ({ kind: 'text', text: words })

/** `list of`, `number or null`: a schema as people read it, without what is inside an object. */
export function schemaWords(schema: JsonSchema): readonly Words[] {
  if (schema.$ref !== undefined)
    return [{ kind: 'schema', name: schema.$ref.split('/').at(-1) ?? '' }]
  const choices = schema.anyOf ?? schema.oneOf
  if (choices !== undefined) return joined(choices.map(schemaWords))
  if (schema.enum !== undefined) return [text(schema.enum.map(String).join(' | '))]
  const types = [schema.type ?? []].flat()
  if (types.length === 0) return [text('anything')]
  return [...joined(types.map((type) => typeWords(type, schema))), ...boundWords(schema)]
}

function typeWords(type: string, { items, additionalProperties }: JsonSchema): readonly Words[] {
  if (type === 'array' && items !== undefined) return [text('list of '), ...schemaWords(items)]
  if (type === 'object' && typeof additionalProperties === 'object')
    return [text('map of names to '), ...schemaWords(additionalProperties)]
  return [text(type)]
}

const joined = (parts: readonly (readonly Words[])[]): readonly Words[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [text(' or '), ...part]))

function boundWords({ minimum, maximum, default: usual }: JsonSchema): readonly Words[] {
  const safe = Number.MAX_SAFE_INTEGER
  const bounds = [
    minimum === undefined || minimum === -safe ? '' : `, from ${minimum}`,
    maximum === undefined || maximum === safe ? '' : `, up to ${maximum}`,
    usual === undefined ? '' : `, else ${String(usual)}`,
  ].join('')
  return bounds === '' ? [] : [text(bounds)]
}
