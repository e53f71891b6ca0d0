import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatSpecError } from '../../src/workflow/spec/problem.ts'
import { readSpec } from '../../src/workflow/spec/read-spec.ts'

type Item = Record<string, unknown>
type List = 'jobs' | 'files' | 'resource_requirements' | 'failure_handlers' | 'actions'
type Spec = Record<List, Item[]> & Record<'parameters' | 'variables', Item> & { name: string }

/** What is wrong, and a text that stands on its line of the file and on no other. */
interface Planted {
  readonly mark: string
  readonly says: RegExp
  /** Lines from the mark to the place that is told. */
  readonly off?: number
}

/** A workflow with nothing wrong, of jobs that wait for earlier ones in every way there is. */
const validSpec: fc.Arbitrary<Spec> = fc
  .array(fc.record({ waits: fc.nat(5), way: fc.nat(4), many: fc.boolean() }), {
    minLength: 1,
    maxLength: 7,
  })
  .map((made) => ({
    name: 'planted',
    variables: { place: '/data' },
    parameters: { shared: '1:3' },
    files: made.map((_, at) => ({ name: `file_${at}`, path: `{place}/f_${at}` })),
    resource_requirements: [{ name: 'small', num_cpus: 1, memory: '1g' }],
    failure_handlers: [{ name: 'again', rules: [{ exit_codes: [1] }] }],
    actions: [{ trigger_type: 'on_workflow_start', action_type: 'run_commands', commands: ['x'] }],
    jobs: made.map(({ waits, way, many }, at) => ({
      name: many ? `job_${at}_{i}` : `job_${at}_1`,
      command: many ? 'x {i}' : `x \${files.output.file_${at}}`,
      resource_requirements: 'small',
      failure_handler: 'again',
      ...(many ? { parameters: { i: '1:2' } } : {}),
      ...(at === 0 ? {} : relation(way, waits % at)),
    })),
  }))

function relation(way: number, to: number): Item {
  if (way === 0) return { depends_on: [`job_${to}_1`] }
  if (way === 1) return { blocked_by: `job_${to}_1` }
  if (way === 2) return { depends_on_regexes: [`^job_${to}_`] }
  return way === 3 ? { input_files: [`file_${to}`] } : {}
}

const job = (name: string, more: Item = {}): Item => ({ name, command: 'x', ...more })

/** Each plants one fault; `id` makes it another than those of the same kind. */
const faults: Readonly<Record<string, (spec: Spec, id: string) => Planted>> = {
  'a value of the wrong kind': (spec, id) => {
    spec.jobs.push(job(`kind_${id}`, { priority: `soon_${id}` }))
    return { mark: `soon_${id}`, says: /expected a number/ }
  },
  'an unknown key': (spec, id) => {
    spec.jobs.push(job(`key_${id}`, { [`colour_${id}`]: 1 }))
    return { mark: `colour_${id}`, says: /unknown key/ }
  },
  'a key with a letter wrong': (spec, id) => {
    spec.jobs.push({ ...job(`slip_${id}`), comand: `slip_${id}!` })
    return { mark: `slip_${id}!`, says: /unknown key\. Did you mean "command"\?/ }
  },
  'a dependency that is not there': (spec, id) => {
    spec.jobs.push(job(`waits_${id}`, { depends_on: ['job_0_1', `nowhere_${id}`] }))
    return { mark: `nowhere_${id}`, says: /no job is named/ }
  },
  'a dependency with a letter wrong': (spec, id) => {
    spec.jobs.push(job(`target_${id}`), job(`misses_${id}`, { depends_on: [`tarket_${id}`] }))
    return { mark: `tarket_${id}`, says: /no job is named .* Did you mean "target_/ }
  },
  'a cycle': (spec, id) => {
    spec.jobs.push(
      job(`turn_${id}`, { depends_on: [], blocked_by: `back_${id}` }),
      job(`back_${id}`, { depends_on: [`turn_${id}`] }),
    )
    return { mark: `"blocked_by": "back_${id}"`, says: /a cycle: "turn_/ }
  },
  'a broken pattern': (spec, id) => {
    spec.jobs.push(job(`broken_${id}`, { depends_on_regexes: ['^job_0', `(open_${id}`] }))
    return { mark: `(open_${id}`, says: /is not a valid RE2 regular expression/ }
  },
  'a pattern that matches nothing': (spec, id) => {
    spec.jobs.push(job(`vain_${id}`, { depends_on_regexes: [`^nothing_${id}`] }))
    return { mark: `^nothing_${id}`, says: /no job matches/ }
  },
  'a broken pattern before a good one': (spec, id) => {
    spec.jobs.push(job(`first_${id}`, { input_file_regexes: [`[a_${id}`, '^file_0'] }))
    return { mark: `[a_${id}`, says: /is not a valid RE2 regular expression/ }
  },
  'a job without a command': (spec, id) => {
    spec.jobs.push({ name: `idle_${id}` }, job(`after_${id}`, { depends_on: [`idle_${id}`] }))
    return { mark: `"name": "idle_${id}"`, says: /"command" is missing/, off: -1 }
  },
  'a job without a name': (spec, id) => {
    spec.jobs.push({ command: `nameless_${id}` })
    return { mark: `nameless_${id}`, says: /"name" is missing/, off: -1 }
  },
  'a list as a command': (spec, id) => {
    spec.jobs.push({ name: `list_${id}`, command: [`x_${id}!`], depends_on: 'job_0_1' })
    return { mark: `x_${id}!`, says: /expected text, found a list/, off: -1 }
  },
  'a name that is there twice': (spec, id) => {
    spec.jobs.push(job(`twin_${id}`), { name: `twin_${id}`, command: `second_${id}` })
    return { mark: `second_${id}`, says: /is also the name of jobs\.twin_/, off: -1 }
  },
  'a file that is not there': (spec, id) => {
    spec.jobs.push(job(`reads_${id}`, { input_files: ['file_0', `lost_${id}`] }))
    return { mark: `lost_${id}`, says: /no file is named/ }
  },
  'a file that is not there, in a command': (spec, id) => {
    spec.jobs.push({ name: `cat_${id}`, command: `cat \${files.input.gone_${id}}` })
    return { mark: `files.input.gone_${id}`, says: /no file is named/ }
  },
  'a file without a path': (spec, id) => {
    spec.files.push({ name: `pathless_${id}` })
    spec.jobs.push(job(`uses_${id}`, { input_files: [`pathless_${id}`] }))
    return { mark: `"name": "pathless_${id}"`, says: /"path" is missing/, off: -1 }
  },
  'a request that is not there': (spec, id) => {
    spec.jobs.push(job(`asks_${id}`, { resource_requirements: `huge_${id}` }))
    return { mark: `huge_${id}`, says: /no resource requirements named/ }
  },
  'a size that is none': (spec, id) => {
    spec.resource_requirements.push({ name: `fat_${id}`, memory: `8q_${id}` })
    spec.jobs.push(job(`eats_${id}`, { resource_requirements: `fat_${id}` }))
    return { mark: `8q_${id}`, says: /is not a size/ }
  },
  'a size that is none, in a job': (spec, id) => {
    spec.jobs.push(job(`own_${id}`, { resource_requirements: { cpus: 1, memory: `9q_${id}` } }))
    return { mark: `9q_${id}`, says: /is not a size/ }
  },
  'a failure handler without rules': (spec, id) => {
    spec.failure_handlers.push({ name: `handler_${id}`, rules: [] })
    spec.jobs.push(job(`fails_${id}`, { failure_handler: `handler_${id}` }))
    return { mark: `"name": "handler_${id}"`, says: /must not be empty/, off: 1 }
  },
  'a name of the environment that is none': (spec, id) => {
    spec.jobs.push(job(`env_${id}`, { env: { [`A-${id}`]: 1, B: 2 } }))
    return { mark: `A-${id}`, says: /must be a word/ }
  },
  'a parameter of a job without values': (spec, id) => {
    spec.jobs.push(
      job(`range_${id}_{i}`, { parameters: { [`p_${id}`]: 1, i: [] }, depends_on: ['job_0_1'] }),
      job(`behind_${id}`, { depends_on: [`range_${id}_1`], blocked_by_regexes: `^range_${id}_` }),
    )
    return { mark: `"p_${id}"`, says: /has no values/, off: 1 }
  },
  'a dependency of many that is not there': (spec, id) => {
    spec.jobs.push(
      job(`sweep_${id}_{i}`, { parameters: { i: '1:2' }, depends_on: [`far_${id}_{i}`, 'job_0_1'] }),
    )
    return { mark: `far_${id}_`, says: /no job is named .* \(and 1 more like it/ }
  },
  "one of the workflow's parameters": (spec, id) => {
    spec.parameters[`range_${id}`] = { from: `one_${id}` }
    spec.jobs.push(
      job(`each_${id}_{range_${id}}`),
      job(`all_${id}`, { depends_on: [`each_${id}_7`], depends_on_regexes: [`^each_${id}_`] }),
    )
    return { mark: `one_${id}`, says: /found a mapping/, off: -1 }
  },
  'a variable that is a list': (spec, id) => {
    spec.variables[`root_${id}`] = [`r_${id}`]
    spec.files.push({ name: `at_{root_${id}}`, path: 'x' })
    spec.jobs.push(job(`from_${id}`, { input_files: `at_home_${id}` }))
    return { mark: `r_${id}`, says: /found a list/, off: -1 }
  },
  'an action of a job that is not there': (spec, id) => {
    const when = { trigger_type: 'on_jobs_ready', action_type: 'run_commands', commands: ['x'] }
    spec.actions.push({ ...when, jobs: ['job_0_1', `none_${id}`] })
    return { mark: `none_${id}`, says: /no job is named/ }
  },
  'an action with nothing to do': (spec, id) => {
    const when = { trigger_type: 'on_workflow_start', action_type: 'run_commands' }
    spec.actions.push({ scheduler_type: `s_${id}`, ...when })
    return { mark: `s_${id}`, says: /run_commands needs "commands"/, off: -1 }
  },
  'a file that two write': (spec, id) => {
    spec.files.push({ name: `both_${id}`, path: 'x' })
    spec.jobs.push(
      job(`one_${id}`, { output_files: [`both_${id}`] }),
      job(`other_${id}`, { output_files: [`both_${id}`] }),
    )
    return { mark: `"name": "other_${id}"`, says: /writes the file/, off: -1 }
  },
  'a list with a mapping in it': (spec, id) => {
    spec.jobs.push(job(`mixed_${id}`, { depends_on: [{ [`m_${id}`]: 1 }, 'job_0_1'] }))
    return { mark: `m_${id}`, says: /expected text, found a mapping/, off: -1 }
  },
}

const kinds = Object.keys(faults)

function lineOf(text: string, { mark, off = 0 }: Planted): number {
  const lines = text.split('\n')
  const found = lines.flatMap((line, at) => (line.includes(mark) ? [at + 1] : []))
  if (found.length !== 1) throw new Error(`${mark} stands on ${found.length} lines`)
  return (found[0] ?? 0) + off
}

describe('faults that were planted in a workflow file', () => {
  it('of which there are none, are not found', () => {
    fc.assert(
      fc.property(validSpec, (spec) => {
        expect(readSpec(JSON.stringify(spec), 'w.json')).toMatchObject({ kind: 'ok' })
      }),
      { seed: 4, numRuns: 100 },
    )
  })

  const planted = fc.array(fc.constantFrom(...kinds), { minLength: 1, maxLength: 9 })
  // The text of a JSON document is YAML and JSON5 too.
  const formats = fc.constantFrom('json', 'json5', 'yaml')

  /** What is not as planted: faults that were not told on their line, and what was told besides. */
  const differences = (spec: Spec, chosen: readonly string[], format: string): string[] => {
    const made = chosen.flatMap((kind, at) => faults[kind]?.(spec, `${at}${at}x`) ?? [])
    const text = JSON.stringify(spec, null, 1)
    const result = readSpec(text, `w.${format}`)
    const left = result.kind === 'ok' ? [] : [...result.errors]
    const untold = made.filter((each) => {
      const line = lineOf(text, each)
      const told = left.findIndex(
        (error) => error.line === line && each.says.test(formatSpecError(error)),
      )
      if (told >= 0) left.splice(told, 1)
      return told < 0
    })
    return [
      ...untold.map((each) => `not told: ${each.mark} in line ${lineOf(text, each)}`),
      ...left.map((error) => `told besides: ${formatSpecError(error)}`),
    ]
  }

  const someSpec = (): Spec => {
    const [spec] = fc.sample(validSpec, { numRuns: 1, seed: 5 })
    if (spec === undefined) throw new Error('no sample')
    return spec
  }

  it.each(kinds)('are found one by one: %s', (kind) => {
    expect(differences(someSpec(), [kind], 'json')).toEqual([])
  })

  it.each(kinds)('are found beside every other: %s', (kind) => {
    for (const other of kinds)
      expect(differences(someSpec(), [kind, other], 'yaml'), other).toEqual([])
  })

  it('are found all at once, each on its line, and nothing else is', () => {
    fc.assert(
      fc.property(validSpec, planted, formats, (spec, chosen, format) => {
        expect(differences(spec, chosen, format)).toEqual([])
      }),
      { seed: 7, numRuns: 300 },
    )
  })
})
