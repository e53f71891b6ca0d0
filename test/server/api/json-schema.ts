/**
 * Checks values by JSON Schema 2020-12, as far as the OpenAPI document of the server and the published schema of such documents
 * use it. Written here because validators that know that version are a megabyte of packages each; what it does not know is a fault.
 */
export type Schema = boolean | { readonly [keyword: string]: unknown }

export interface Checked {
  readonly errors: readonly string[]
}

interface Found {
  readonly errors: string[]
  /** Names of properties that some keyword has looked at. */
  readonly seen: Set<string>
}

/** What says nothing of values, or is seen to elsewhere. */
const ignored = new Set(
  [
    ['$id', '$schema', '$anchor', '$dynamicAnchor', '$comment', '$defs', 'description', 'title'],
    ['default', 'example', 'examples', 'format', 'deprecated', 'if', 'then', 'else'],
  ].flat(),
)

export class SchemaCheck {
  readonly #root: Schema
  /** Whether keys that a schema does not name are faults, where it says nothing of others. */
  readonly #isClosed: boolean

  constructor(root: Schema, { isClosed }: { readonly isClosed: boolean }) {
    this.#root = root
    this.#isClosed = isClosed
  }

  check(value: unknown, schema: Schema = this.#root): readonly string[] {
    return this.#check(value, schema, '').errors
  }

  #check(value: unknown, schema: Schema, at: string): Found {
    const found: Found = { errors: [], seen: new Set() }
    if (typeof schema === 'boolean') {
      if (!schema) found.errors.push(`${at}: nothing may be here`)
      return found
    }
    const say = (what: string): void => void found.errors.push(`${at || '/'}: ${what}`)
    const join = (other: Found): void => {
      found.errors.push(...other.errors)
      for (const name of other.seen) found.seen.add(name)
    }
    for (const [keyword, given] of Object.entries(schema)) {
      if (ignored.has(keyword) || keyword.startsWith('x-')) continue
      const rule = this.#rules[keyword]
      if (rule === undefined) throw new Error(`${at}: this check does not know ${keyword}`)
      rule.call(this, { value, given, schema, at, say, join })
    }
    if ('if' in schema) {
      const holds = this.#check(value, schema['if'] as Schema, at).errors.length === 0
      const branch = schema[holds ? 'then' : 'else'] as Schema | undefined
      if (branch !== undefined) join(this.#check(value, branch, at))
    }
    this.#rest(value, schema, at, found)
    return found
  }

  /** Keys that nothing else has looked at. */
  #rest(
    value: unknown,
    schema: Exclude<Schema, boolean>,
    at: string,
    { errors, seen }: Found,
  ): void {
    if (!isObject(value)) return
    const isClosed =
      schema['unevaluatedProperties'] === false ||
      (this.#isClosed && 'properties' in schema && !('additionalProperties' in schema))
    if (!isClosed) return
    for (const name of Object.keys(value))
      if (!seen.has(name)) errors.push(`${at || '/'}: ${name} is not described`)
  }

  #of(ref: string): Schema {
    if (ref === '#meta') return { type: ['object', 'boolean'] }
    let found: unknown = this.#root
    for (const step of ref.replace(/^#\/?/, '').split('/').filter(Boolean))
      found = (found as Record<string, unknown> | undefined)?.[
        step.replaceAll('~1', '/').replaceAll('~0', '~')
      ]
    if (found === undefined) throw new Error(`${ref} leads nowhere`)
    return found as Schema
  }

  readonly #rules: Readonly<Record<string, (this: SchemaCheck, one: Rule) => void>> = {
    $ref({ value, given, at, join }) {
      join(this.#check(value, this.#of(String(given)), at))
    },
    $dynamicRef({ value, given, at, join }) {
      join(this.#check(value, this.#of(String(given)), at))
    },
    type({ value, given, say }) {
      const types = [given].flat() as string[]
      if (!types.some((type) => isOfType(value, type))) say(`is not ${types.join(' or ')}`)
    },
    enum({ value, given, say }) {
      if (!(given as unknown[]).includes(value)) say(`${String(value)} is none of ${String(given)}`)
    },
    const({ value, given, say }) {
      if (value !== given) say(`is not ${String(given)}`)
    },
    properties({ value, given, at, join }) {
      if (!isObject(value)) return
      for (const [name, inner] of Object.entries(given as Record<string, Schema>))
        if (Object.hasOwn(value, name)) {
          join({
            errors: this.#check(value[name], inner, `${at}/${name}`).errors,
            seen: new Set([name]),
          })
        }
    },
    patternProperties({ value, given, at, join }) {
      if (!isObject(value)) return
      for (const [pattern, inner] of Object.entries(given as Record<string, Schema>))
        for (const name of Object.keys(value))
          if (new RegExp(pattern, 'u').test(name))
            join({
              errors: this.#check(value[name], inner, `${at}/${name}`).errors,
              seen: new Set([name]),
            })
    },
    additionalProperties({ value, given, schema, at, join }) {
      if (!isObject(value)) return
      const known = Object.keys(schema['properties'] ?? {})
      for (const name of Object.keys(value).filter((one) => !known.includes(one)))
        join({
          errors: this.#check(value[name], given as Schema, `${at}/${name}`).errors,
          seen: new Set([name]),
        })
    },
    unevaluatedProperties() {
      // After everything else.
    },
    propertyNames({ value, given, at, join }) {
      if (!isObject(value)) return
      for (const name of Object.keys(value))
        join({
          errors: this.#check(name, given as Schema, `${at}/${name}`).errors,
          seen: new Set(),
        })
    },
    dependentSchemas({ value, given, at, join }) {
      if (!isObject(value)) return
      for (const [name, inner] of Object.entries(given as Record<string, Schema>))
        if (Object.hasOwn(value, name)) join(this.#check(value, inner, at))
    },
    required({ value, given, say }) {
      if (!isObject(value)) return
      for (const name of given as string[])
        if (!Object.hasOwn(value, name)) say(`${name} is missing`)
    },
    items({ value, given, schema, at, join }) {
      if (!Array.isArray(value)) return
      const first = ((schema['prefixItems'] ?? []) as unknown[]).length
      for (const [index, item] of value.slice(first).entries())
        join({
          errors: this.#check(item, given as Schema, `${at}/${first + index}`).errors,
          seen: new Set(),
        })
    },
    prefixItems({ value, given, at, join }) {
      if (!Array.isArray(value)) return
      for (const [index, inner] of (given as Schema[]).entries())
        join({ errors: this.#check(value[index], inner, `${at}/${index}`).errors, seen: new Set() })
    },
    allOf({ value, given, at, join }) {
      for (const inner of given as Schema[]) join(this.#check(value, inner, at))
    },
    anyOf({ value, given, at, say, join }) {
      this.#some(given as Schema[], value, at, say, join)
    },
    oneOf({ value, given, at, say, join }) {
      this.#some(given as Schema[], value, at, say, join)
    },
    not({ value, given, at, say }) {
      if (this.#check(value, given as Schema, at).errors.length === 0) say('is what it must not be')
    },
    minimum: ({ value, given, say }) =>
      typeof value === 'number' && value < Number(given)
        ? say(`is below ${String(given)}`)
        : undefined,
    maximum: ({ value, given, say }) =>
      typeof value === 'number' && value > Number(given)
        ? say(`is above ${String(given)}`)
        : undefined,
    exclusiveMinimum: ({ value, given, say }) =>
      typeof value === 'number' && value <= Number(given)
        ? say(`is not above ${String(given)}`)
        : undefined,
    minLength: ({ value, given, say }) =>
      typeof value === 'string' && value.length < Number(given) ? say('is too short') : undefined,
    maxLength: ({ value, given, say }) =>
      typeof value === 'string' && value.length > Number(given) ? say('is too long') : undefined,
    minItems: ({ value, given, say }) =>
      Array.isArray(value) && value.length < Number(given) ? say('has too few') : undefined,
    maxItems: ({ value, given, say }) =>
      Array.isArray(value) && value.length > Number(given) ? say('has too many') : undefined,
    minProperties: ({ value, given, say }) =>
      isObject(value) && Object.keys(value).length < Number(given) ? say('has too few') : undefined,
    maxProperties: ({ value, given, say }) =>
      isObject(value) && Object.keys(value).length > Number(given)
        ? say('has too many')
        : undefined,
    uniqueItems: ({ value, say }) =>
      Array.isArray(value) && new Set(value.map((one) => JSON.stringify(one))).size < value.length
        ? say('says something twice')
        : undefined,
    pattern: ({ value, given, say }) =>
      typeof value === 'string' && !new RegExp(String(given), 'u').test(value)
        ? say(`does not match ${String(given)}`)
        : undefined,
  }

  #some(
    choices: readonly Schema[],
    value: unknown,
    at: string,
    say: (what: string) => void,
    join: (found: Found) => void,
  ): void {
    const all = choices.map((inner) => this.#check(value, inner, at))
    const right = all.find(({ errors }) => errors.length === 0)
    if (right !== undefined) join(right)
    else say(`fits none: ${all.map(({ errors }) => errors[0]).join('; ')}`)
  }
}

interface Rule {
  readonly value: unknown
  readonly given: unknown
  readonly schema: Exclude<Schema, boolean>
  readonly at: string
  readonly say: (what: string) => void
  readonly join: (found: Found) => void
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isObject(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}
