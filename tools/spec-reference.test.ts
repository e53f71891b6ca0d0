import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readSpec } from '../src/workflow/spec/read-spec.ts'
import { withSpecReference } from './spec-reference.ts'

const document = readFileSync(join(import.meta.dirname, '../docs/spec.md'), 'utf8')

describe('docs/spec.md', () => {
  it('is as the definition has it: else run node tools/spec-reference.ts', () => {
    expect(withSpecReference(document)).toBe(document)
  })

  it('would be found stale', () => {
    const changed = document.replace('| **`jobs`** |', '| **`jbos`** |')
    expect(changed).not.toBe(document)
    expect(withSpecReference(changed)).toBe(document)
  })

  it('shows workflows that are the same in YAML and KDL', () => {
    const [yaml, kdl] = ['yaml', 'kdl'].map((format) => {
      const text = new RegExp(`^\`\`\`${format}\\n(.*?)^\`\`\`$`, 'ms').exec(document)?.[1] ?? ''
      return readSpec(text, `example.${format}`)
    })
    expect(yaml?.kind).toBe('ok')
    expect(kdl).toEqual(yaml)
  })
})
