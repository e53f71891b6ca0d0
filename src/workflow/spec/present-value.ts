import { itemsOf, propertiesOf, type JsonSchema } from './json-schema.ts'
import { plainValue, type MapNode, type SpecNode } from './spec-node.ts'

/**
 * The value of a document in which a key whose value is null is not there: people write `memory: null`, or leave what
 * comes after the colon out. What may be anything (`metadata`, `data` of user data) is kept as it is, and so is a key
 * that nobody knows, which is reported.
 */
export function presentValue(root: SpecNode, makeSchema: () => JsonSchema): unknown {
  // Most documents have no null, and making the schema takes longer than all else that is done to a small one.
  return hasNull(root) ? new Presence().valueOf(root, makeSchema()) : plainValue(root)
}

function hasNull(node: SpecNode): boolean {
  if (node.kind === 'scalar') return node.value === null
  if (node.kind === 'list') return node.items.some(hasNull)
  for (const { value } of node.entries.values()) if (hasNull(value)) return true
  return false
}

class Presence {
  /** Asked for each of 100,000 jobs, and the same for all. */
  readonly #known = new Map<JsonSchema, Readonly<Record<string, JsonSchema>>>()

  valueOf(node: SpecNode, schema: JsonSchema): unknown {
    if (node.kind === 'scalar') return node.value
    if (schema.type === undefined && schema.anyOf === undefined) return plainValue(node)
    if (node.kind === 'map') return this.#map(node, schema)
    const items = itemsOf(schema) ?? {}
    return node.items.map((item) => this.valueOf(item, items))
  }

  #map({ entries }: MapNode, schema: JsonSchema): Record<string, unknown> {
    const known = this.#propertiesOf(schema)
    const others = Object.keys(schema.patternProperties ?? {}).map((text) => new RegExp(text))
    const takesAny = Object.keys(known).length === 0
    const isKey = (key: string): boolean =>
      takesAny || Object.hasOwn(known, key) || others.some((pattern) => pattern.test(key))
    const there = [...entries].filter(
      ([key, { value }]) => value.kind !== 'scalar' || value.value !== null || !isKey(key),
    )
    return Object.fromEntries(
      there.map(([key, { value }]) => {
        // Whatever is wrong with what stands where nothing is expected, it is not that something is null.
        const inside = Object.hasOwn(known, key) ? known[key] : undefined
        return [key, inside === undefined ? plainValue(value) : this.valueOf(value, inside)]
      }),
    )
  }

  #propertiesOf(schema: JsonSchema): Readonly<Record<string, JsonSchema>> {
    const found = this.#known.get(schema) ?? propertiesOf(schema)
    this.#known.set(schema, found)
    return found
  }
}
