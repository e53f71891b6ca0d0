import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { computed, findImports } from './imports.ts'

const specifiers = (source: string): string[] => findImports(source).map((found) => found.specifier)

describe('findImports', () => {
  it.each([
    ["import 'x'"],
    ["import a from 'x'"],
    ['import a from "x"'],
    ["import from from 'x'"],
    ["import * as a from 'x'"],
    ["import a, { b as c, type d } from 'x'"],
    ["import {\n  a,\n  b, // why\n} from 'x'"],
    ["import { 'a b' as c } from 'x'"],
    ["import type { a } from 'x'"],
    ["import type a from 'x'"],
    ["import{a}from'x'"],
    ["import a from /* here */ 'x'"],
    ["import data from 'x' with { type: 'json' }"],
    ["export * from 'x'"],
    ["export * as a from 'x'"],
    ["export { a as b } from 'x'"],
    ["export type { a } from 'x'"],
    ["export type * from 'x'"],
    ["const a = await import('x')"],
    ['const a = await import(`x`)'],
    ["const a = () => import(\n  'x',\n)"],
    ["let a: typeof import('x')"],
    ["let a: import('x').B"],
    ["const a = `${await import('x')}`"],
    ["const a = `a${`b${(await import('x')).c}`}`"],
    ["const a = require('x')"],
    ["const a = b / c\nimport('x') / d"],
    ["const a = /['\"`]/g\nimport b from 'x'"],
    ["const a = [/[/']/]\nimport b from 'x'"],
    ["const a = `${b}` / 2\nimport c from 'x'"],
    ["const a = '\\''\nimport b from 'x'"],
    ["export { a }\nimport b from 'x'"],
    ["export const a = 1\nimport b from 'x'"],
  ])('sees the one in %j', (source) => {
    expect(specifiers(source)).toEqual(['x'])
  })

  it.each([
    ["// import 'x'"],
    ["/* import 'x'\n import 'x' */"],
    ['const a = "import \'x\'"'],
    ["const a = `import 'x' from 'x'`"],
    ["const a = /import 'x'/"],
    ['const a = import.meta.url'],
    ["const a = { import: 'x', from: 'x' }"],
    ["a.import('x')"],
    ["a.require('x')"],
    ["export { a }\nconst from = 'x'"],
    ["export const from = 'x'"],
    ["export default { from: 'x' }"],
    ["const a = `${`import 'x'`} import 'x'`"],
  ])('sees none in %j', (source) => {
    expect(specifiers(source)).toEqual([])
  })

  it.each([['await import(name)'], ['import(`./${name}.ts`)'], ["import('a' + b)"]])(
    'sees that %j cannot be followed',
    (source) => {
      expect(specifiers(source)).toEqual([computed])
    },
  )

  it('says where', () => {
    expect(findImports("import 'a'\n\n  import('b')")).toEqual([
      { specifier: 'a', line: 1, column: 1 },
      { specifier: 'b', line: 3, column: 3 },
    ])
  })

  it('finds every import among anything else, and ends on any text', () => {
    const noise = fc.constantFrom(
      "const a = 'import'",
      "// from 'b'",
      '/* ` */',
      'f(`${{ a: `}` }}`)',
      'const r = /`"/',
      'const n = 1 / 2 / 3',
      "const o = { from: 'a' }",
      'export { o }',
    )
    fc.assert(
      fc.property(fc.array(noise), fc.array(noise), (before, after) => {
        expect(specifiers([...before, "import a from 'x'", ...after].join('\n'))).toEqual(['x'])
      }),
    )
    const pieces = fc.constantFrom(
      '`',
      '${',
      '}',
      '{',
      "'",
      '"',
      '/',
      '//',
      'import',
      '(',
      '\\',
      '\n',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join('')),
        ),
        (source) => {
          expect(Array.isArray(findImports(source))).toBe(true)
        },
      ),
    )
  })
})
