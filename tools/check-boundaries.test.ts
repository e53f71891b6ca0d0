import { describe, expect, it } from 'vitest'
import { checkBoundaries } from './check-boundaries.ts'
import type { Boundaries } from './check-boundaries.ts'

const rules: Boundaries = {
  rooms: {
    model: [],
    system: ['model'],
    store: ['model'],
    analysis: ['model'],
    render: ['analysis', 'model'],
    index: ['render', 'model'],
    server: ['store', 'model'],
    web: ['render', 'server/schemas'],
  },
  packages: { system: ['node:*', 'koffi'], 'store/sqlite': ['node:sqlite'] },
  testOnly: ['system/fake.ts', 'system/fake-clock.ts'],
}

const check = (tree: Record<string, string>): string[] =>
  checkBoundaries(new Map(Object.entries(tree)), rules)

describe('checkBoundaries', () => {
  it('is content with imports that keep to the table', () => {
    const problems = check({
      'src/index.ts': "export { a } from './render/a.ts'",
      'src/render/a.ts': "import { b } from './text/b.ts'\nimport type { c } from '../model/c.ts'",
      'src/render/text/b.ts': "import { d } from '../../analysis/d.ts'",
      'src/system/real.ts': "import { readFileSync } from 'node:fs'\nimport('koffi')",
      'src/store/sqlite/open.ts': "import { DatabaseSync } from 'node:sqlite'",
    })
    expect(problems).toEqual([])
  })

  it.each([
    ["import { a } from '../store/a.ts'", ':1:1 render may not import store'],
    ["\n\nimport type { a } from '../store/a.ts'", ':3:1 render may not import store'],
    ["export * from '../store/a.ts'", ':1:1 render may not import store'],
    ["void import('../store/a.ts')", ':1:6 render may not import store'],
    ["import '../index.ts'", ':1:1 render may not import index'],
  ])('names the place and the rule for %j', (source, expected) => {
    expect(check({ 'src/render/x.ts': source })).toEqual([
      `src/render/x.ts${expected} (allowed: analysis, model)`,
    ])
  })

  it('keeps web to the folders that it may see', () => {
    expect(
      check({
        'web/pages/a.tsx':
          "import type { b } from '../../src/server/schemas/b.ts'\nimport './a.css'",
        'web/c.ts': "import { d } from '../src/server/d.ts'\nimport 'node:fs'",
        'src/server/schemas/b.ts': "import { e } from '../../../web/c.ts'",
      }),
    ).toEqual([
      'web/c.ts:1:1 web may not import server (allowed: render, server/schemas)',
      'web/c.ts:2:1 web may not use node:fs (allowed packages: none)',
      'src/server/schemas/b.ts:1:1 server may not import web (allowed: model, store)',
    ])
  })

  it('keeps packages and builtins to the rooms that have them', () => {
    expect(
      check({
        'src/store/a.ts': "import 'node:sqlite'",
        'src/store/sqlite/b.ts': "import 'node:fs'",
        'src/model/c.ts': "import 'fs'\nimport 'lodash'",
      }),
    ).toEqual([
      'src/store/a.ts:1:1 src/store may not use node:sqlite (allowed packages: none)',
      'src/store/sqlite/b.ts:1:1 src/store/sqlite may not use node:fs (allowed packages: node:sqlite)',
      'src/model/c.ts:1:1 src/model may not use fs (allowed packages: none)',
      'src/model/c.ts:2:1 src/model may not use lodash (allowed packages: none)',
    ])
  })

  it('lets tests use packages, fixtures and the fake system, but import no other room', () => {
    const source = `import 'vitest'
import 'node:fs'
import '../system/fake.ts'
import '../../test/contracts/store.ts'
import '../render/a.ts'`
    expect(check({ 'src/analysis/a.test.ts': source })).toEqual([
      'src/analysis/a.test.ts:5:1 analysis may not import render (allowed: model)',
    ])
  })

  it('lets the parts of the fake system import each other', () => {
    expect(check({ 'src/system/fake.ts': "import './fake-clock.ts'" })).toEqual([])
    expect(check({ 'src/system/a.ts': "import './fake-clock.ts'" })).toEqual([
      'src/system/a.ts:1:1 only tests may import src/system/fake-clock.ts',
    ])
  })

  it('keeps the fake system and what is outside src from the rest', () => {
    const source = "import './fake.ts'\nimport '../../tools/check.ts'"
    expect(check({ 'src/system/a.ts': source })).toEqual([
      'src/system/a.ts:1:1 only tests may import src/system/fake.ts',
      'src/system/a.ts:2:1 system may not import tools/check.ts, which is outside src',
    ])
  })

  it('refuses a folder that the table does not know', () => {
    expect(check({ 'src/utils/a.ts': '', 'src/other.ts': '' })).toEqual([
      'src/utils/a.ts:1:1 utils is not a room of boundaries.json',
      'src/other.ts:1:1 other is not a room of boundaries.json',
    ])
  })

  it('finds circles of files, of types too', () => {
    expect(
      check({
        'src/model/a.ts': "import './b.ts'",
        'src/model/b.ts': "import type { C } from './c.ts'",
        'src/model/c.ts': "\nexport { a } from './a.ts'",
        'src/model/d.ts': "import './a.ts'\nimport './d.ts'",
      }),
    ).toEqual([
      'src/model/c.ts:2:1 import cycle: src/model/a.ts → src/model/b.ts → src/model/c.ts → src/model/a.ts',
      'src/model/d.ts:2:1 import cycle: src/model/d.ts → src/model/d.ts',
    ])
  })
})
