import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import * as library from '../../src/index.ts'
import { repository } from '../workloads/compile.ts'
import { documentExamples, examplesOf, exportedNames, type Example } from './examples.ts'
import { runExamples, type Outcome } from './run-examples.ts'

/**
 * Every name that the library exports has a doc comment with an `@example`: a ```ts block that imports what it needs from
 * 'jobmeter' and stands alone. A type may instead name another export whose example mentions it: `@see measure`. These
 * and all ```ts blocks of the documents are compiled and run as they stand.
 */
const names = exportedNames()
const examplesByName = new Map(names.map((exported) => [exported.name, examplesOf(exported)]))

const ofNames = [...examplesByName.values()].flatMap((found): Example[] =>
  Array.isArray(found) ? found : [],
)
const documents = readdirSync(join(repository, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`)
const ofDocuments = ['README.md', ...documents].flatMap(documentExamples)
const examples = [...ofNames, ...ofDocuments]

describe('the examples of the library', () => {
  let outcome: Outcome
  beforeAll(async () => {
    outcome = await runExamples(examples)
  })

  it('are there for every name that is exported', () => {
    const values = names.filter(({ isType }) => !isType).map(({ name }) => name)
    expect(values.toSorted()).toEqual(Object.keys(library).toSorted())
    const missing = [...examplesByName.values()].filter((found) => typeof found === 'string')
    expect(missing).toEqual([])
  })

  it('mention the names that they are examples of', () => {
    const silent = names.flatMap(({ name }) => {
      const found = examplesByName.get(name)
      if (found === undefined || typeof found === 'string') return []
      const own = Array.isArray(found) ? found : examplesByName.get(found.shares)
      const mention = new RegExp(`\\b${name}\\b`)
      const isMentioned = Array.isArray(own) && own.some(({ code }) => mention.test(code))
      return isMentioned ? [] : [Array.isArray(found) ? name : `${name} (in ${found.shares})`]
    })
    expect(silent).toEqual([])
  })

  it('fit the types of the library', () => {
    expect(outcome.typeErrors).toBe('')
  })

  it('run without an error, and let the program end', () => {
    const failed = Object.entries(outcome.thrown).filter(([, error]) => error !== null)
    expect(failed).toEqual([])
    expect(Object.keys(outcome.thrown)).toEqual(examples.map(({ place }) => place))
    expect(outcome.exitCode, outcome.stderr).toBe(0)
    expect(outcome.stderr).toBe('')
  })
})

describe('whoever checks the examples', () => {
  it('finds one that does not fit the types, one that throws, and what is printed as an error', async () => {
    const outcome = await runExamples([
      { place: 'typed.md:1', code: "import { measure } from 'jobmeter'\nmeasure('true')\n" },
      { place: 'thrown.md:2', code: "console.error('oh')\nthrow new Error('no')\n" },
      { place: 'good.md:3', code: "import { usageKeys } from 'jobmeter'\nusageKeys.at(0)\n" },
    ])
    expect(outcome.typeErrors).toMatch(/^typed\.md:1.*TS2345/)
    expect(outcome.thrown).toMatchObject({
      'thrown.md:2': expect.stringContaining('Error: no') as string,
      'good.md:3': null,
    })
    expect(outcome.stderr).toContain('oh')
  })
})
