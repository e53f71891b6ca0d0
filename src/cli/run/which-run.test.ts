import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runDefinition } from './run-definition.ts'
import { runSpecDefinition } from './run-spec-definition.ts'
import { namesWorkflow } from './which-run.ts'

type Options = typeof runDefinition.options | typeof runSpecDefinition.options

const kindsOf = (options: Options): [name: string, type: string][] =>
  Object.entries(options).map(([name, { type }]: [string, { type: string }]) => [name, type])

/** One of its options as people type it, with a value where it takes one. */
const anyOption = (options: Options): fc.Arbitrary<string[]> =>
  fc.constantFrom(...kindsOf(options)).chain(([name, type]): fc.Arbitrary<string[]> => {
    if (type === 'boolean') return fc.constant([`--${name}`])
    const value = { choice: 'json', number: '1', bytes: '1GB', duration: '1s' }[type]
    return fc.constantFrom([`--${name}`, value ?? 'x.yaml'], [`--${name}=${value ?? 'x.yaml'}`])
  })

const anyOptions = (options: Options): fc.Arbitrary<string[]> =>
  fc.array(anyOption(options), { maxLength: 4 }).map((all) => all.flat())

describe('run', () => {
  it('is about a workflow where its first word is a workflow file', () => {
    fc.assert(
      fc.property(anyOptions(runSpecDefinition.options), (options) => {
        expect(namesWorkflow([...options, 'flow.kdl'])).toBe(true)
        expect(namesWorkflow([...options, 'flow.kdl', '--', 'true'])).toBe(true)
      }),
    )
  })

  it('is about a command where that is not a workflow file, whatever its options are called', () => {
    fc.assert(
      fc.property(anyOptions(runDefinition.options), (options) => {
        expect(namesWorkflow([...options, 'python3', 'flow.yaml'])).toBe(false)
        expect(namesWorkflow([...options, '--', 'flow.yaml'])).toBe(false)
      }),
    )
  })

  it.each([
    [['--resume']],
    [['--resume', 'x']],
    [['--resume', '3']],
    [['--resume=3']],
    [['-q', '--resume', '3', '--use', 'stored']],
  ])('is about a workflow: %s', (argv) => expect(namesWorkflow(argv)).toBe(true))

  it('has options of one kind for both', () => {
    const ofCommands = new Map(kindsOf(runDefinition.options))
    for (const [name, type] of kindsOf(runSpecDefinition.options))
      expect([name, ofCommands.get(name) ?? type]).toEqual([name, type])
  })
})
