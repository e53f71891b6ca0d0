import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readSpec, type SpecResult } from '../../src/workflow/spec/read-spec.ts'
import { sandbox } from '../program.ts'

const extensions = ['yaml', 'json', 'json5', 'kdl'] as const
type Extension = (typeof extensions)[number]

/** Words of a programmer's that no user should see, or none at all. */
const strangeWords = /^$|undefined|\[object|is not a function|Cannot read|call stack/

/**
 * It must answer: with a workflow, or with errors that have a place and a message in people's words; what is wrong with them
 * is the answer here.
 */
function read(text: string, extension: Extension): { result: SpecResult; faults: unknown[] } {
  const result = readSpec(text, `w.${extension}`)
  if (result.kind === 'ok') return { result, faults: [] }
  const faults = result.errors.filter(
    ({ line, column, message }) => !(line >= 1 && column >= 1) || strangeWords.test(message),
  )
  return { result, faults: result.errors.length === 0 ? ['no errors'] : faults }
}

const deep = 100_000
const bombs: readonly (readonly [string, Extension, string])[] = [
  ['lists in lists', 'yaml', '['.repeat(deep)],
  ['lists in lists, closed', 'yaml', '['.repeat(deep) + ']'.repeat(deep)],
  ['maps in maps', 'yaml', '{a: '.repeat(deep)],
  ['dashes in dashes', 'yaml', '- '.repeat(deep)],
  ['questions in questions', 'yaml', '? '.repeat(20_000)],
  [
    'ever deeper blocks',
    'yaml',
    Array.from({ length: 1000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
  ],
  ['lists in lists', 'json', '['.repeat(deep)],
  ['maps in maps', 'json', '{"a":'.repeat(deep)],
  ['lists in lists', 'json5', '['.repeat(deep) + ']'.repeat(deep)],
  ['comments in a row', 'json5', '/**/'.repeat(deep)],
  ['blanks and comments', 'json5', ' /* */ // \n'.repeat(deep)],
  ['nodes in nodes', 'kdl', 'a {'.repeat(deep)],
  ['nodes in nodes, closed', 'kdl', 'a {\n'.repeat(2000) + '}\n'.repeat(2000)],
  ['comments in comments', 'kdl', '/*'.repeat(deep)],
  ['slashed nodes', 'kdl', '/- '.repeat(deep)],
  ['a long line of signs', 'kdl', '#'.repeat(deep)],
  ['open quotes', 'kdl', '"'.repeat(deep)],
  ['lists in a parameter', 'yaml', `name: w\nparameters: {i: "${'['.repeat(deep)}"}\njobs: []`],
  [
    'a list in a list in a parameter',
    'yaml',
    `name: w\nparameters: {i: "${'['.repeat(300)}${']'.repeat(300)}"}\njobs: []`,
  ],
  ['JSON in KDL', 'kdl', `name "w"\nmetadata (json)"${'['.repeat(deep)}"`],
  [
    'a billion laughs',
    'yaml',
    `name: w\nmetadata:\n  a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, i) => `  a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]`).join('\n')}\njobs: []`,
  ],
  [
    'merges of merges',
    'yaml',
    `name: w\nmetadata:\n  a0: &a0 {k: 1}\n${Array.from({ length: 40 }, (_, i) => `  a${i + 1}: &a${i + 1} {<<: [*a${i}, *a${i}], b${i}: *a${i}}`).join('\n')}\njobs: []`,
  ],
  ['an alias of itself', 'yaml', 'a: &a [*a]'],
  [
    'ten million values',
    'json',
    `{"name":"w","jobs":[{"name":"a{i}","command":"x","parameters":{"i":"[${'1,'.repeat(1_100_000)}1]"}}]}`,
  ],
  ['a million keys of one name', 'yaml', 'a:\n'.repeat(2_100_000)],
  ['nothing but lines', 'yaml', '\n'.repeat(5_000_000)],
  ['nothing but values', 'kdl', `a ${'1 '.repeat(4_100_000)}`],
  ['nothing but values', 'json', `[${'1,'.repeat(4_100_000)}1]`],
  ['tags of tags', 'yaml', '! '.repeat(4_100_000)],
  [
    'a regex for ever',
    'yaml',
    `name: w\njobs:\n  - {name: ${'a'.repeat(40)}, command: x}\n  - {name: b, command: x, depends_on_regexes: ["^(a+)+$b"]}`,
  ],
]

describe('a file that is made to hang us', () => {
  it.each(bombs)('%s (%s) ends in errors', (_, extension, text) => {
    expect(read(text, extension)).toMatchObject({ result: { kind: 'invalid' }, faults: [] })
  })
})

/** Keys that every object has by itself. */
const inherited = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'valueOf',
  '__defineGetter__',
  'prototype',
]

describe('a key that every object has', () => {
  const places: readonly ((key: string) => object)[] = [
    (key) => ({ [key]: 1 }),
    (key) => ({ [key]: { name: 'x' } }),
    (key) => ({ env: Object.fromEntries([[key, 'v']]) }),
    (key) => ({ metadata: Object.fromEntries([[key, { a: [1] }]]) }),
    (key) => ({ parameters: Object.fromEntries([[key, '1:3']]) }),
    (key) => ({ variables: Object.fromEntries([[key, 'v']]) }),
    (key) => ({
      jobs: [
        Object.fromEntries([
          ['name', 'a'],
          ['command', `echo {${key}}`],
          [key, 1],
        ]),
      ],
    }),
    (key) => ({
      jobs: [
        { name: key, command: 'x' },
        { name: 'b', command: 'x', depends_on: [key] },
      ],
    }),
    (key) => ({
      jobs: [
        { name: 'b', command: `x \${files.${key}.a} \${files.input.${key}}`, depends_on: [key] },
      ],
    }),
    (key) => ({
      jobs: [
        {
          name: 'b',
          command: 'x',
          resource_requirements: key,
          failure_handler: key,
          scheduler: key,
        },
      ],
    }),
    (key) => ({ jobs: [{ name: 'b{i}', command: 'x', use_parameters: [key] }] }),
    (key) => ({
      resource_requirements: [
        Object.fromEntries([
          ['name', 'r'],
          [key, 1],
        ]),
      ],
    }),
    (key) => ({ resource_monitor: Object.fromEntries([[key, 1]]) }),
    (key) => ({ resource_monitor: { granularity: key, enforce: [key] } }),
  ]
  const job = { name: 'a', command: 'true' }
  for (const key of inherited)
    it(`is a key like any other, or an error: ${key}`, () => {
      for (const [index, place] of places.entries()) {
        const text = JSON.stringify({ name: 'w', jobs: [job], ...place(key) })
        for (const extension of ['json', 'json5', 'yaml'] as const) {
          const { result, faults } = read(text, extension)
          expect(faults).toEqual([])
          // Reached through the object that all have, a key would mean something that nobody wrote.
          const environment =
            result.kind === 'ok' ? Object.entries(result.workflow.environment) : []
          const isKept = index === 2 && key !== '__proto__'
          expect(environment).toEqual(isKept ? [[key, 'v']] : [])
          expect(result.kind === 'ok' && key === '__proto__' && index < 7).toBe(false)
        }
      }
      for (const text of [
        `name "w"\n${key} 1`,
        `name "w"\n${key} { a 1 }`,
        `name "w"\njob "a" {\n command "x"\n ${key} 1\n}`,
        `name "w"\njob "a" command="x" ${key}=1`,
        `name "w"\nenv { ${key} "v" }\njob "a" { command "x"; }`,
        `name "w"\njobs { ${key} { command "x"; }; }`,
        `name "w"\nresource_monitor { ${key} 1; }\njob "a" { command "x"; }`,
      ])
        expect(read(text, 'kdl')).toMatchObject({
          faults: [],
          result: { kind: text.includes('env') && key !== '__proto__' ? 'ok' : 'invalid' },
        })
      expect(Object.keys(Object.prototype)).toEqual([])
    })
})

describe('any text', () => {
  const signs = `{ } [ ] : , - ? " ' | > &a *a << # // /* */ /- !! %YAML ---`
  const words =
    'name jobs command parameters job files path env depends_on_regexes resource_requirements metadata user_data'
  const values =
    '1:3 0:1e300:1e-300 1:99999999 1e999 -0 0x . \\u \\ {i} {i:9999d} ${files.input.a} (json) true null'
  const blanks = ['\n', '  ', ': ', '- ', '? ', '\ud800', '\u0000', '\ufeff']
  const token = fc.constantFrom(
    ...`${signs} ${words} ${values}`.split(' ').concat(blanks, inherited),
  )
  const text = fc.array(token, { maxLength: 60 }).map((tokens) => tokens.join(''))
  it.each(extensions)('as %s is a workflow or wrong, and soon', (extension) => {
    fc.assert(
      fc.property(text, fc.boolean(), (tokens, isHeaded) => {
        const heads = {
          yaml: 'name: w\njobs:\n',
          json: '{"name":"w","jobs":[',
          json5: '{name:"w",jobs:[',
          kdl: 'name "w"\njob "a" {',
        }
        expect(read((isHeaded ? heads[extension] : '') + tokens, extension).faults).toEqual([])
      }),
      { seed: 11, numRuns: 1500 },
    )
  })

  /** A sound document with something else in one place. */
  it('in any place of a sound file is a workflow or wrong', () => {
    const odd = fc.oneof(
      fc.constantFrom<unknown>(
        null,
        true,
        0,
        -1,
        1e308,
        '',
        ' ',
        '{i}',
        '1:1000001',
        '(',
        [],
        {},
        [[]],
        [null],
        '\u0000',
        '[1,',
        '0:1:0',
        'x'.repeat(5000),
      ),
      fc.jsonValue(),
    )
    const path = fc.array(
      fc.oneof(
        fc.constantFrom(
          'name',
          'jobs',
          'command',
          'parameters',
          'depends_on_regexes',
          'files',
          'path',
          'env',
          'actions',
          'user_data',
          'data',
          'failure_handlers',
          'rules',
          'i',
          ...inherited,
        ),
        fc.nat(2),
      ),
      { minLength: 1, maxLength: 4 },
    )
    fc.assert(
      fc.property(
        path,
        odd,
        fc.constantFrom('json', 'yaml', 'json5'),
        (place, value, extension) => {
          const sound: Record<string, unknown> = JSON.parse(
            '{"name":"w","files":[{"name":"f{i}","path":"p{i}","parameters":{"i":"1:3"}}],"jobs":[{"name":"a{i}","command":"x {i}","parameters":{"i":"1:3"},"depends_on_regexes":["b$"],"env":{"A":"1"}},{"name":"b","command":"x"}],"actions":[{"trigger_type":"on_workflow_complete","action_type":"run_commands","commands":["x"]}]}',
          )
          let at: object = sound
          for (const step of place.slice(0, -1)) {
            const inside: unknown = Object.hasOwn(at, step) ? Reflect.get(at, step) : undefined
            if (typeof inside !== 'object' || inside === null) break
            at = inside
          }
          Object.defineProperty(at, place.at(-1) ?? 'x', {
            value,
            enumerable: true,
            configurable: true,
            writable: true,
          })
          expect(read(JSON.stringify(sound), extension).faults).toEqual([])
        },
      ),
      { seed: 5, numRuns: 600 },
    )
  })
})

describe('a file of 100 MB', () => {
  it.each(['yaml', 'json', 'json5', 'kdl'])('as %s is refused, not read', async (extension) => {
    using box = sandbox()
    const path = box.path(`large.${extension}`)
    expect(spawnSync('truncate', ['-s', '100M', path]).status).toBe(0)
    const ended = await box.jobmeter(['workflows', 'plan', path])
    expect(ended.code).toBe(2)
    expect(ended.stderr).toContain('has more than 32 MB')
  })

  it('is seen by what is read of it: a device has no size', async () => {
    using box = sandbox()
    expect(spawnSync('ln', ['-s', '/dev/zero', box.path('zero.yaml')]).status).toBe(0)
    const ended = await box.jobmeter(['workflows', 'plan', box.path('zero.yaml')])
    expect(ended).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('has more than 32 MB'),
    })
  })
})
