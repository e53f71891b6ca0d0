import { describe, expect, it } from 'vitest'
import { itemsOf, propertiesOf, schemaAt, specJsonSchema, type JsonSchema } from './json-schema.ts'

describe('specJsonSchema', () => {
  const schema = specJsonSchema()

  it('is of draft 2020-12, strict, and lets settings of compute nodes through', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema')
    expect(schema.additionalProperties).toBe(false)
    expect(schema.required).toEqual(['name', 'jobs'])
    expect(Object.keys(schema.patternProperties ?? {})).toEqual(['^compute_node_'])
  })

  it('describes every key of a job', () => {
    const job = schemaAt(schema, ['jobs', 0])
    const texts = Object.values(propertiesOf(job ?? {})).map(({ description }) => description)
    expect(texts.length).toBeGreaterThan(20)
    expect(texts).not.toContain(undefined)
  })

  it('refuses unknown keys in every mapping with keys of its own', () => {
    const loose: string[] = []
    const walk = (part: JsonSchema, path: string): void => {
      for (const branch of part.anyOf ?? [part]) {
        if (branch.properties !== undefined && branch.additionalProperties !== false)
          loose.push(path)
      }
      for (const [key, inside] of Object.entries(propertiesOf(part))) walk(inside, `${path}.${key}`)
      const items = itemsOf(part)
      if (items !== undefined) walk(items, `${path}[]`)
    }
    walk(schema, '')
    expect(loose).toEqual([])
  })
})
