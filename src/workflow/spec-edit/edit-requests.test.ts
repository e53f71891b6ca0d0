import { describe, expect, it } from 'vitest'
import { noRequirements } from '../../model/job.ts'
import { readSpec } from '../spec/read-spec.ts'
import { editRequests, type SpecEdit, type WantedRequest } from './edit-requests.ts'
import { writtenNames, writtenRequests } from './written-requests.ts'

const gigabyte = 2 ** 30

type Wanted = Partial<Record<keyof WantedRequest['wanted'], number>>

const named = (name: string, wanted: Wanted, mayLower = true): WantedRequest => {
  const figure = (value: number | undefined) => (value === undefined ? null : { value, mayLower })
  return {
    kind: 'named',
    name,
    wanted: {
      cpus: figure(wanted.cpus),
      memoryBytes: figure(wanted.memoryBytes),
      runtimeSeconds: figure(wanted.runtimeSeconds),
    },
  }
}
const own = (name: string, wanted: Wanted, mayLower = true): WantedRequest => ({
  ...named(name, wanted, mayLower),
  kind: 'own',
})

function edited(text: string, file: string, requests: readonly WantedRequest[]): string {
  const edit = editRequests(text, file, requests)
  if (edit.kind === 'refused') throw new Error(edit.why)
  return edit.text
}

/** The lines that differ, as they are now; the texts must have as many lines. */
function differences(before: string, after: string): string[] {
  const [old, now] = [before.split('\n'), after.split('\n')]
  expect(now).toHaveLength(old.length)
  return now.filter((line, index) => line !== old[index])
}

const specs = {
  'pipeline.yaml': `# The nightly pipeline
name: "nightly"   # quoted

jobs:
  - name: train_{i}
    command: python train.py {i}   # long
    parameters: { i: "1:3" }
    resource_requirements: big
  - name: own_{k}
    command: own {k}
    parameters:
      k: [1, 2]
    resource_requirements:   # its own
      cpus: 4      # from a guess
      memory: "8g" # in quotes
      runtime: PT2H

resource_requirements:
  # first guess
  - name: big
    num_cpus: 8
    memory: 8g        # ← too low
    runtime: PT2H     # ← too low
  - { name: small, num_cpus: 2, memory: 512M, runtime: 30m }   # in one line
`,
  'pipeline.json': `{
  "name": "nightly",
  "jobs": [
    {"name": "train_{i}", "command": "python train.py {i}", "parameters": {"i": "1:3"}, "resource_requirements": "big"},
    {"name": "own_{k}", "command": "own {k}", "parameters": {"k": [1, 2]},
     "resource_requirements": {"cpus": 4, "memory": "8g", "runtime": "PT2H"}}
  ],
  "resource_requirements": [
    {
      "name": "big",
      "num_cpus": 8,
      "memory": "8g",
      "runtime": "PT2H"
    },
    { "name":"small", "num_cpus":2, "memory":"512M", "runtime":"30m" }
  ]
}
`,
  'pipeline.json5': `// The nightly pipeline
{
  name: 'nightly', /* single quotes */
  jobs: [
    { name: 'train_{i}', command: "python train.py {i}", parameters: { i: '1:3' }, resource_requirements: 'big' },
    { name: 'own_{k}', command: 'own {k}', parameters: { k: [1, 2] },
      resource_requirements: { cpus: +4, memory: '8g', runtime: 'PT2H', } }, // trailing comma
  ],
  resource_requirements: [
    {
      name: 'big',
      num_cpus: 8, // CPUs
      memory: '8g', // too low
      runtime: "PT2H" // double quotes
    },
    { name: 'small', num_cpus: 0x2, memory: '512M', runtime: '30m' },
  ],
}
`,
  'pipeline.kdl': `// The nightly pipeline
name "nightly"
job "train_{i}" {
  command "python train.py {i}" // long
  parameters { i "1:3" }
  resource_requirements "big"
}
job "own_{k}" {
  command "own {k}"
  parameters { k 1 2 }
  resource_requirements cpus=4 memory="8g" runtime="PT2H" // properties
}
resource_requirements "big" {
  num_cpus 8 // CPUs
  memory "8g" /* too low */
  runtime "PT2H"
}
resource_requirements "small" { num_cpus 2; memory "512M"; runtime "30m"; }
`,
} as const

const bigRequest = { cpus: 3, memoryBytes: 13 * gigabyte, runtimeSeconds: 3 * 3600 + 18 * 60 }
const ownRequest = { cpus: 2, memoryBytes: 3 * gigabyte, runtimeSeconds: 600 }
const wanted = [
  named('big', bigRequest),
  named('small', { cpus: 1, memoryBytes: 600 * 2 ** 20, runtimeSeconds: 45 }),
  own('own_{k}', ownRequest),
]

const files = Object.entries(specs)

/** The lines that change, as they stand afterwards. */
const changed: Readonly<Record<string, readonly string[]>> = {
  'pipeline.yaml': [
    '      cpus: 2      # from a guess',
    '      memory: "3g" # in quotes',
    '      runtime: PT10M',
    '    num_cpus: 3',
    '    memory: 13g        # ← too low',
    '    runtime: PT3H18M     # ← too low',
    '  - { name: small, num_cpus: 1, memory: 600M, runtime: 45s }   # in one line',
  ],
  'pipeline.json': [
    '     "resource_requirements": {"cpus": 2, "memory": "3g", "runtime": "PT10M"}}',
    '      "num_cpus": 3,',
    '      "memory": "13g",',
    '      "runtime": "PT3H18M"',
    '    { "name":"small", "num_cpus":1, "memory":"600M", "runtime":"45s" }',
  ],
  'pipeline.json5': [
    "      resource_requirements: { cpus: 2, memory: '3g', runtime: 'PT10M', } }, // trailing comma",
    '      num_cpus: 3, // CPUs',
    "      memory: '13g', // too low",
    '      runtime: "PT3H18M" // double quotes',
    "    { name: 'small', num_cpus: 1, memory: '600M', runtime: '45s' },",
  ],
  'pipeline.kdl': [
    '  resource_requirements cpus=2 memory="3g" runtime="PT10M" // properties',
    '  num_cpus 3 // CPUs',
    '  memory "13g" /* too low */',
    '  runtime "PT3H18M"',
    '  resource_requirements "small" { num_cpus 1; memory "600M"; runtime "45s"; }'.trimStart(),
  ],
}

/** The same after the first line with memory and the last runtime were taken out. */
const added: Readonly<Record<string, readonly string[]>> = {
  'pipeline.yaml': [
    '      runtime: PT10M\n      memory: 3g\n\n',
    '{ name: small, num_cpus: 1, memory: 600M, runtime: PT45S }   # in one line\n',
  ],
  'pipeline.json': [
    '      "runtime": "PT3H18M",\n      "memory": "13g"\n    },\n',
    '{ "name":"small", "num_cpus":1, "memory":"600M", "runtime":"PT45S" }\n',
  ],
  'pipeline.json5': [
    '      runtime: "PT3H18M", // double quotes\n      memory: "13g"\n    },\n',
    `{ name: 'small', num_cpus: 1, memory: '600M', runtime: "PT45S" },\n`,
  ],
  'pipeline.kdl': [
    '  runtime "PT3H18M"\n  memory "13g"\n}\n',
    '{ num_cpus 1; memory "600M"; runtime "PT45S"; }\n',
  ],
}

describe.each(files)('%s', (file, text) => {
  it('changes the numbers and nothing else', () => {
    const after = edited(text, file, wanted)
    expect(differences(text, after)).toEqual(changed[file])
    // With the numbers taken out of the lines of requests, both are the same text.
    const bare = (each: string) => each.replaceAll(/(cpus|memory|runtime)([^\w+]+)[\w+]+/g, '$1$2')
    expect(bare(after)).toBe(bare(text))
  })

  it('says afterwards what was wanted, to all the jobs', () => {
    const read = readSpec(edited(text, file, wanted), file)
    if (read.kind === 'invalid') throw new Error(read.errors[0]?.message)
    const requests = Object.fromEntries(
      read.workflow.jobs.map(({ name, requirements }) => [name, requirements]),
    )
    const big = { ...noRequirements, ...bigRequest }
    const mine = { ...noRequirements, ...ownRequest }
    expect(requests).toEqual({ train_1: big, train_2: big, train_3: big, own_1: mine, own_2: mine })
  })

  it('changes nothing the second time', () => {
    const once = edited(text, file, wanted)
    const twice = editRequests(once, file, wanted)
    expect(twice).toEqual({ kind: 'ok', text: once, changes: [], missing: [] })
  })

  it('tells its changes by line', () => {
    const edit = editRequests(text, file, wanted)
    if (edit.kind === 'refused') throw new Error(edit.why)
    const lines = text.split('\n')
    for (const { line, before, after } of edit.changes) {
      expect(lines[line]).toBe(before)
      expect(after).toHaveLength(1)
      lines[line] = after.join('\n')
    }
    expect(lines.join('\n')).toBe(edit.text)
  })

  it('keeps the line breaks of Windows', () => {
    const after = edited(text.replaceAll('\n', '\r\n'), file, wanted)
    expect(after).toBe(edited(text, file, wanted).replaceAll('\n', '\r\n'))
  })

  it('adds what is missing next to the others', () => {
    const without = text
      .replace(/^ *"?memory"?.*\n/m, '')
      .replace(/(, |; | )"?(runtime"?:? ?"30m"|runtime: ?'30m'|runtime: 30m)/, '')
    const after = edited(without, file, wanted)
    expect(after).not.toBe(without)
    for (const piece of added[file] ?? []) expect(after).toContain(piece)
    const read = readSpec(after, file)
    expect(read.kind).toBe('ok')
  })

  it('finds every request with the jobs that it rules', () => {
    expect(
      writtenRequests(text, file).map(({ kind, name, jobs }) => ({ kind, name, jobs })),
    ).toEqual([
      { kind: 'named', name: 'big', jobs: ['train_1', 'train_2', 'train_3'] },
      { kind: 'named', name: 'small', jobs: [] },
      { kind: 'own', name: 'own_{k}', jobs: ['own_1', 'own_2'] },
    ])
  })
})

describe('editRequests', () => {
  const yaml = (request: string): string =>
    `name: n\nbase: &base { memory: 1g }\njobs:\n  - name: a\n    command: x\n    resource_requirements: ${request}\n`.replace(
      /^base:/m,
      'metadata:',
    )

  it('leaves alone what already says so in other words', () => {
    const text = yaml('{ cpus: 2.0, memory: 1024m, runtime: 3600 }')
    expect(
      edited(text, 'a.yml', [own('a', { cpus: 2, memoryBytes: gigabyte, runtimeSeconds: 3600 })]),
    ).toBe(text)
  })

  it('writes in the way that the user does', () => {
    const text = yaml('{ cpus: 2, memory: 8 GiB, runtime: "02:30:00" }')
    const request = own('a', { memoryBytes: 13 * gigabyte, runtimeSeconds: 5400 })
    expect(edited(text, 'a.yaml', [request])).toBe(
      yaml('{ cpus: 2, memory: 13 GiB, runtime: "01:30:00" }'),
    )
    const seconds = yaml('{ cpus: 2, memory: 512MB, runtime: 7200 }')
    const after = edited(seconds, 'a.yaml', [
      own('a', { memoryBytes: 700 * 2 ** 20, runtimeSeconds: 45 }),
    ])
    expect(after).toBe(yaml('{ cpus: 2, memory: 700MB, runtime: 45 }'))
  })

  it('does not change what others share: an alias becomes a number, a merged key is written out', () => {
    const merged = edited(yaml('{ <<: *base, cpus: 2 }'), 'a.yaml', [
      own('a', { memoryBytes: 2 * gigabyte }),
    ])
    expect(merged).toBe(yaml('{ <<: *base, cpus: 2, memory: 2g }'))
    const text =
      'name: n\nmetadata: &m 1g\njobs:\n  - name: a\n    command: x\n    resource_requirements:\n      memory: *m\n'
    expect(edited(text, 'a.yaml', [own('a', { memoryBytes: 2 * gigabyte })])).toBe(
      text.replace('*m', '2g'),
    )
  })

  it('edits a mapping that jobs share once, and fills an empty one', () => {
    const shared =
      'name: n\njobs:\n  - name: a\n    command: x\n    resource_requirements: &r\n      cpus: 4\n  - name: b\n    command: x\n    resource_requirements: *r\n'
    expect(writtenRequests(shared, 'a.yaml').map(({ jobs }) => jobs)).toEqual([['a', 'b']])
    expect(edited(shared, 'a.yaml', [own('a', { cpus: 2 })])).toBe(shared.replace('4', '2'))
    const request = [own('a', { cpus: 2, memoryBytes: gigabyte })]
    expect(edited(yaml('{}'), 'a.yaml', request)).toBe(yaml('{num_cpus: 2, memory: 1g}'))
    const json = '{"name":"n","jobs":[{"name":"a","command":"x","resource_requirements":{}}]}'
    expect(edited(json, 'a.json', request)).toBe(
      json.replace('{}', '{"num_cpus": 2, "memory": "1g"}'),
    )
  })

  it('does not lower what it may only raise', () => {
    const text = yaml('{ cpus: 4, memory: 1g }')
    const request = own('a', { cpus: 2, memoryBytes: 2 * gigabyte }, false)
    expect(edited(text, 'a.yaml', [request])).toBe(yaml('{ cpus: 4, memory: 2g }'))
  })

  it('names the requests that the file does not have, and files of no known kind', () => {
    const text = yaml('{ cpus: 2 }')
    const edit: SpecEdit = editRequests(text, 'a.yaml', [named('nobody', { cpus: 4 })])
    expect(edit).toEqual({ kind: 'ok', text, changes: [], missing: ['nobody'] })
    expect(editRequests(text, 'a.txt', []).kind).toBe('refused')
  })

  it('refuses to leave a file that is wrong', () => {
    const text = yaml('{ cpus: 2 }').replace('name: n', 'nane: n')
    expect(editRequests(text, 'a.yaml', [own('a', { cpus: 4 })]).kind).toBe('refused')
  })
})

describe('a request that is null', () => {
  const rest = { job: 'jobs: [{ name: a, command: x, resource_requirements: big }]' }
  it.each([
    [
      'flow.yaml',
      `name: w\nresource_requirements: [{ name: big, num_cpus: 1, cpus: null, memory: ~ }]\n${rest.job}\n`,
    ],
    [
      'block.yaml',
      `name: w\nresource_requirements:\n  - name: big\n    memory:\n    cpus: 1\n${rest.job}\n`,
    ],
    [
      'last.yaml',
      `name: w\nresource_requirements:\n  - name: big\n    cpus: 1\n    memory:\n${rest.job}\n`,
    ],
    [
      'w.json',
      '{"name":"w","resource_requirements":[{"name":"big","cpus":1,"memory":null}],"jobs":[{"name":"a","command":"x","resource_requirements":"big"}]}',
    ],
    [
      'w.kdl',
      'name "w"\nresource_requirements "big" { memory #null; cpus 1; }\njob "a" { command "x"; resource_requirements "big"; }\n',
    ],
  ])('is replaced: %s', (file, text) => {
    const now = edited(text, file, [named('big', { cpus: 2, memoryBytes: 2 * gigabyte })])
    const result = readSpec(now, file)
    expect(result.kind === 'ok' && result.workflow.jobs[0]?.requirements).toMatchObject({
      cpus: 2,
      memoryBytes: 2 * gigabyte,
    })
    expect(now.match(/memory/g)).toHaveLength(1)
  })
})

describe('what a job is called in its file', () => {
  it.each([
    [
      'a.yaml',
      'name: a\njobs:\n  - { name: "t_{m}_{i:02d}", command: x, parameters: { m: [s, l], i: "1:2" } }\n  - { name: end, command: x }\n',
    ],
    [
      'a.json',
      '{"name":"a","jobs":[{"name":"t_{m}_{i:02d}","command":"x","parameters":{"m":["s","l"],"i":"1:2"}},{"name":"end","command":"x"}]}',
    ],
  ])('is known for each job that came of it: %s', (file, text) => {
    expect(Object.fromEntries(writtenNames(text, file))).toEqual({
      t_s_01: 't_{m}_{i:02d}',
      t_s_02: 't_{m}_{i:02d}',
      t_l_01: 't_{m}_{i:02d}',
      t_l_02: 't_{m}_{i:02d}',
      end: 'end',
    })
  })

  it('is not known where the file cannot be read', () => {
    expect(writtenNames('{', 'a.json').size).toBe(0)
    expect(writtenNames('name: a', 'a.unknown').size).toBe(0)
  })
})
