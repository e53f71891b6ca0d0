import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { itemsOf, propertiesOf, specJsonSchema } from '../../src/workflow/spec/json-schema.ts'
import { formatSpecError } from '../../src/workflow/spec/problem.ts'
import { readSpec } from '../../src/workflow/spec/read-spec.ts'

const folder = join(import.meta.dirname, 'good')
const features = readdirSync(folder).filter((file) => file.endsWith('.json'))

type Schema = ReturnType<typeof specJsonSchema>

/** The same document with every key that it could have and has not, as null. */
function withNulls(value: unknown, schema: Schema): unknown {
  if (Array.isArray(value)) {
    const items = itemsOf(schema)
    return items === undefined ? value : value.map((each) => withNulls(each, items))
  }
  if (typeof value !== 'object' || value === null) return value
  const known = propertiesOf(schema)
  const nulls = Object.fromEntries(Object.keys(known).map((key) => [key, null]))
  const filled = Object.entries(value).map(([key, each]) => {
    const inside = known[key]
    return [key, inside === undefined ? (each as unknown) : withNulls(each, inside)]
  })
  return { ...nulls, ...Object.fromEntries(filled) }
}

function read(text: string, file: string): unknown {
  const result = readSpec(text, file)
  if (result.kind === 'ok') return result.workflow
  throw new Error(result.errors.map(formatSpecError).join('\n'))
}

describe('null', () => {
  it.each(features)('is as if the key were not there: %s', (file) => {
    const text = readFileSync(join(folder, file), 'utf8')
    const filled = JSON.stringify(withNulls(JSON.parse(text), specJsonSchema()))
    expect(filled.match(/null/g)?.length).toBeGreaterThan(10)
    for (const format of ['json', 'json5', 'yaml'])
      expect(read(filled, `w.${format}`)).toEqual(read(text, file))
  })

  it('is so too where nothing stands after the colon, for keys of any name and of other executors', () => {
    const yaml = `name: w
files:
env: { A: ~, B: 1 }
parameters: { i: null }
compute_node_wait_minutes:
slurm_defaults: { qos: null }
jobs:
  - name: a
    command: x {i}
    depends_on:
    env:
    resource_requirements: { memory:, cpus: 1 }
`
    const plain = `name: w
env: { B: 1 }
parameters: {}
slurm_defaults: {}
jobs: [{ name: a, command: "x {i}", resource_requirements: { cpus: 1 } }]
`
    expect(read(yaml, 'w.yaml')).toEqual(read(plain, 'w.yaml'))
  })

  it('is so in KDL, for each kind of node', () => {
    const kdl = `name "w"
description #null
env A=#null B="1"
parameters #null
file #null
resource_monitor #null
metadata { keep #null; }
job "a" priority=#null depends_on=#null {
  command "x"
  blocked_by #null
  input_file #null
  env #null
  resource_requirements #null
  use_parameters #null
}
`
    const plain = `name "w"
env B="1"
metadata { keep #null; }
job "a" { command "x"; }
`
    expect(read(kdl, 'w.kdl')).toEqual(read(plain, 'w.kdl'))
    expect(read(kdl.replaceAll('#null', 'null'), 'w.kdl')).toEqual(read(plain, 'w.kdl'))
  })

  it("stays what it is in a user's own data", () => {
    const text = `name: w
metadata: { a: null }
user_data: [{ name: d, data: { b: null, c: [null] } }]
jobs: [{ name: a, command: x }]
`
    expect(read(text, 'w.yaml')).toMatchObject({
      metadata: { a: null },
      userData: [{ data: { b: null, c: [null] } }],
    })
  })

  it('is missed where something must be, at the key that has it', () => {
    const text = 'name: w\njobs:\n  - name: a\n    command: null\n'
    const result = readSpec(text, 'w.yaml')
    expect(result.kind === 'invalid' && result.errors.map(formatSpecError)).toEqual([
      'w.yaml:4:5 jobs.a: "command" is missing',
    ])
  })

  it('does not hide a key that nobody knows', () => {
    for (const text of [
      'name: w\ncolour: null\njobs: [{ name: a, command: x, size: ~ }]\n',
      'name "w"\ncolour #null; job "a" { command "x"; size #null; }\n',
    ]) {
      const result = readSpec(text, text.includes(':') ? 'w.yaml' : 'w.kdl')
      const told = result.kind === 'invalid' ? result.errors.map(({ path }) => path) : []
      expect(told).toEqual(['colour', 'jobs.a.size'])
    }
  })

  it('is no item of a list', () => {
    const text = 'name: w\njobs:\n  - name: a\n    command: x\n    depends_on: [~]\n  -\n'
    const result = readSpec(text, 'w.yaml')
    expect(result.kind === 'invalid' && result.errors.map(({ line }) => line)).toEqual([5, 6])
  })
})
