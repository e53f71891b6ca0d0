import * as z from 'zod'
import { computeNodeKey, computeNodeSetting, workflow } from './definition.ts'

export type JsonSchema = z.core.JSONSchema.BaseSchema

/** The JSON Schema (draft 2020-12) of a workflow file, for editors: `jobmeter schema`. */
export function specJsonSchema(): JsonSchema {
  const { $schema, ...rest } = toSchema(workflow)
  const { anyOf = [] } = toSchema(computeNodeSetting)
  return {
    ...($schema === undefined ? {} : { $schema }),
    title: 'jobmeter workflow',
    ...rest,
    patternProperties: { [computeNodeKey.source]: { anyOf } },
  }
}

function toSchema(definition: z.ZodType): JsonSchema {
  return z.toJSONSchema(definition)
}

/** The kinds of value that a schema allows: itself, or each branch of a union. */
export const branches = (schema: JsonSchema): readonly JsonSchema[] => schema.anyOf ?? [schema]

export function propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
  const all = branches(schema).flatMap(({ properties = {} }) => Object.entries(properties))
  return Object.fromEntries(
    all.filter((entry): entry is [string, JsonSchema] => isSchema(entry[1])),
  )
}

export function itemsOf(schema: JsonSchema): JsonSchema | undefined {
  return branches(schema)
    .map(({ items }) => items)
    .find(isSchema)
}

function isSchema(schema: unknown): schema is JsonSchema {
  return typeof schema === 'object' && schema !== null && !Array.isArray(schema)
}

export const allows = (schema: JsonSchema, type: z.core.JSONSchema.SchemaType): boolean =>
  branches(schema).some((branch) => branch.type === type)

/** The schema of the value at a path, as far as the definition knows it. */
export function schemaAt(root: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  return path.reduce<JsonSchema | undefined>((schema, step) => {
    if (schema === undefined) return undefined
    return typeof step === 'number' ? itemsOf(schema) : propertiesOf(schema)[String(step)]
  }, root)
}
