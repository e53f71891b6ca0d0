import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Workflow } from '../../model/workflow.ts'
import { formatSpecError } from './problem.ts'
import { readSpec } from './read-spec.ts'

function workflowOf(document: unknown): Workflow {
  const result = readSpec(JSON.stringify(document), 'w.json')
  if (result.kind === 'ok') return result.workflow
  throw new Error(result.errors.map(formatSpecError).join('\n'))
}

const errorsOf = (document: unknown): string[] => {
  const result = readSpec(JSON.stringify(document), 'w.json')
  return result.kind === 'ok' ? [] : result.errors.map(formatSpecError)
}

const names = ['p', 'q', 'r'] as const
const parameters = fc.dictionary(
  fc.constantFrom(...names),
  fc.oneof(
    fc.tuple(fc.nat(20), fc.nat(6)).map(([from, more]) => `${from}:${from + more}`),
    fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1 }),
  ),
  { minKeys: 1 },
)

describe('a workflow file of very many items', () => {
  it.each([
    ['in a line', `[${'0,'.repeat(1_900_000)}0]`],
    ['on lines of their own', '\n - 0'.repeat(1_300_000)],
  ])('%s is refused before it is read', (_, items) => {
    const startedAt = process.cpuUsage()
    const result = readSpec(`name: w\nmetadata: ${items}\njobs: []\n`, 'w.yaml')
    expect(result).toMatchObject({
      errors: [{ message: expect.stringContaining('more than 1,200,000 items, keys and lines') }],
    })
    // Of our own time: others may have the machine meanwhile.
    const { user, system } = process.cpuUsage(startedAt)
    expect((user + system) / 1000).toBeLessThan(2000)
  })
})

describe('expansion', () => {
  it('has a job for each combination, each with a name of its own, in order', () => {
    fc.assert(
      fc.property(parameters, (spec) => {
        const name = Object.keys(spec)
          .map((each) => `{${each}}`)
          .join('-')
        const { jobs } = workflowOf({ name: 'w', jobs: [{ name, command: 'x', parameters: spec }] })
        const lists = Object.values(spec).map(valuesOf)
        const expected = lists.reduce<string[]>(
          (before, list) => before.flatMap((start) => list.map((each) => `${start}-${each}`)),
          [''],
        )
        expect(jobs.map((job) => `-${job.name}`)).toEqual(expected)
      }),
    )
  })

  function valuesOf(value: string | string[]): string[] {
    if (typeof value !== 'string') return value
    const [from = 0, to = 0] = value.split(':').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => String(from + index))
  }

  it("uses the workflow's parameters that a job mentions, and no others", () => {
    const { jobs } = workflowOf({
      name: 'w',
      parameters: { i: '1:2', j: '1:3' },
      jobs: [
        { name: 'a{i}', command: 'x' },
        { name: 'b{j}', command: 'x {j}' },
        { name: 'c', command: 'x ${i}' },
        { name: 'd{i}', command: 'x', parameters: { i: [9] } },
        { name: 'e{i}{j}', command: 'x', parameters: { i: [9] }, use_parameters: ['j'] },
      ],
    })
    expect(jobs.map(({ name }) => name).join(' ')).toBe('a1 a2 b1 b2 b3 c d9 e91 e92 e93')
  })

  it('puts values into patterns as they are', () => {
    const { jobs } = workflowOf({
      name: 'w',
      jobs: [
        { name: 'prep_{x}', command: 'x', parameters: { x: '[0.1, 0.5]' } },
        { name: 'prep_0x1', command: 'x' },
        {
          name: 'go_{x}',
          command: 'x',
          parameters: { x: [0.1] },
          depends_on_regexes: ['^prep_{x}'],
        },
      ],
    })
    expect(jobs.at(-1)?.dependsOn).toEqual(['prep_0.1'])
  })

  it('shares one list among jobs that wait for the same', () => {
    const { jobs } = workflowOf({
      name: 'w',
      files: [{ name: 'f{i}', path: 'f{i}', parameters: { i: '1:5' } }],
      jobs: [
        { name: 'a{i}', command: '${files.output.f{i}}', parameters: { i: '1:5' } },
        { name: 'b{i}', command: 'x', parameters: { i: '1:5' }, depends_on_regexes: ['^a'] },
        { name: 'c{i}', command: 'x', parameters: { i: '1:5' }, input_file_regexes: ['f'] },
      ],
    })
    const [b1, b2, c1, c2] = [5, 6, 10, 11].map((at) => jobs[at])
    expect(b1?.dependsOn).toHaveLength(5)
    expect(b1?.dependsOn).toBe(b2?.dependsOn)
    expect(c1?.dependsOn).toEqual(b1?.dependsOn)
    expect(c1?.dependsOn).toBe(c2?.dependsOn)
  })
})

describe('cycles', () => {
  const edges = fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 14 })

  it('are found if there are any, and every step of one is a dependency', () => {
    fc.assert(
      fc.property(edges, (pairs) => {
        const waits = (job: number): string[] => [
          ...new Set(pairs.filter(([from]) => from === job).map(([, to]) => `j${to}`)),
        ]
        const jobs = Array.from({ length: 8 }, (_, job) => ({
          name: `j${job}`,
          command: 'x',
          depends_on: waits(job),
        }))
        const errors = errorsOf({ name: 'w', jobs })
        expect(errors.length > 0).toBe(jobs.some((_, job) => reaches(pairs, job, job)))
        for (const error of errors) expectCycle(error, pairs)
      }),
    )
  })

  function reaches(pairs: readonly (readonly number[])[], from: number, to: number): boolean {
    const seen = new Set<number>()
    const next = [from]
    for (const job of next) {
      for (const [start, end] of pairs) {
        if (start !== job || end === undefined || seen.has(end)) continue
        seen.add(end)
        next.push(end)
      }
    }
    return seen.has(to)
  }

  function expectCycle(error: string, pairs: readonly (readonly number[])[]): void {
    const steps = [...(error.split('a cycle:')[1]?.matchAll(/"j(\d)"/g) ?? [])].map((match) =>
      Number(match[1]),
    )
    expect(steps.length).toBeGreaterThan(1)
    expect(steps[0]).toBe(steps.at(-1))
    steps.slice(1).forEach((to, at) => expect(pairs).toContainEqual([steps[at], to]))
  }
})

describe('readSpec', () => {
  it('never throws, whatever the text', () => {
    const text = fc.string({
      unit: fc.constantFrom(
        '{',
        '}',
        '[',
        ']',
        ':',
        '"',
        '-',
        ' ',
        '\n',
        'name',
        'jobs',
        'a',
        '1',
        '&a',
        '*a',
        '<<',
      ),
      maxLength: 40,
    })
    fc.assert(
      fc.property(text, fc.constantFrom('yaml', 'json', 'json5', 'kdl'), (content, extension) => {
        const result = readSpec(content, `w.${extension}`)
        const found = result.kind === 'ok' ? result.workflow.jobs : result.errors
        expect(found.length).toBeGreaterThan(0)
      }),
      { numRuns: 2000 },
    )
  })
})
