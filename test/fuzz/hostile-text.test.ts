import { mkdirSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { sandbox, type Ended } from '../program.ts'

/** What a terminal obeys, or shows other than it is. */
const hostile = [
  '\u001b[2J',
  '\u001b]0;owned\u0007',
  '\u001b[31m',
  '\u001b]8;;http://x\u001b\\',
  '\u009b2J',
  '\u0085',
  '\r',
  '\b\b',
  '\u007f',
  '\u0001',
  '\u202e',
  '\u2066',
  '\u200b',
  '\u2028',
  '\ufeff',
  '\u00ad',
  '\u{e0041}',
] as const
const unsafe = /[^\P{Cc}\n\t]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u

const plain = fc.array(fc.constantFrom('a', 'ü', '=', ' ', '"', "'", '{', '%'), { maxLength: 2 })
/** All of it in each, in any order: every command is a process of its own, and takes longer than the longest text. */
const text = fc
  .tuple(fc.shuffledSubarray([...hostile], { minLength: hostile.length }), fc.array(plain))
  .map(
    ([pieces, between]) =>
      `x${pieces.map((one, at) => one + (between[at] ?? []).join('')).join('')}`,
  )
/** Names of files have no slash and are short; names of jobs are one line. */
const line = text.map((given) => given.replaceAll(/\p{Cc}/gu, '') + '\u202e')

/** What it printed that a terminal would obey, with all around it. */
function harmIn(args: readonly string[], { stdout, stderr }: Ended): string[] {
  return [stdout, stderr]
    .filter((output) => unsafe.test(output))
    .map((output) => `${JSON.stringify(args)} printed ${JSON.stringify(output.slice(0, 2000))}`)
}

const seed = 20_260

it('is never printed as it is: commands, names, options, ids', async () => {
  using box = sandbox()
  const samples = fc.sample(fc.tuple(text, text, text), { seed, numRuns: 2 })
  for (const [name, word, other] of samples) {
    const all = [
      [
        'run',
        '--name',
        name,
        '--tag',
        word,
        '--param',
        `${word}=${other}`,
        '--tool',
        other,
        '--script',
        name,
        '--',
        'true',
        word,
      ],
      ['run', '--', name, word],
      ['run', '--output-dir', `/dev/null/${name}`, '--', 'true'],
      ['run', `--${name}`, '--', 'true'],
      ['run', '--memory', name, '--', 'true'],
      ['run', '--format', name, '--', 'true'],
      ['run', `${name}.yaml`],
      ['run', '--db', `/dev/null/${name}/x.db`, '--', 'true'],
      [name],
      ['show', name],
      ['show', 'last'],
      ['show', 'last', '--format', 'json'],
      ['history'],
      ['history', '--format', 'json'],
      ['history', '--since', name],
      ['history', '--tool', other],
      ['stats'],
      ['export'],
      ['series', 'last'],
      ['series', name],
      ['logs', name],
      ['watch', '--pid', name],
      ['doctor', '--db', `/dev/null/${name}`],
      ['report', name],
      ['report', 'last', '-o', `/dev/null/${name}`],
      ['report', 'last', '-o', box.path(`${name.replaceAll('/', '')}.html`)],
      ['plot-resources', name, '-o', word],
      ['reports', 'job', 'last', '--format', 'csv'],
      ['reports', 'job', 'last', '--format', 'markdown'],
      ['reports', 'compare', `name:${name}`, `tag:${word}`],
      ['reports', 'scaling', name],
      ['reports', 'recommend', name, '--write', word],
      ['workflows', name],
      ['workflows', 'show', name],
      ['prune', '--older-than', name],
    ]
    for (const args of all) expect(harmIn(args, await box.jobmeter(args))).toEqual([])
  }
}, 240_000)

it('is never printed as it is: workflow files, right and wrong', async () => {
  using box = sandbox()
  const samples = fc.sample(fc.tuple(text, text, line), { seed, numRuns: 2 })
  for (const [index, [wrong, word, name]] of samples.entries()) {
    const file = box.path(`spec${index}${word.replaceAll('/', '')}.json`)
    mkdirSync(box.path(`o${index}`))
    const good = {
      name,
      user: word,
      description: word,
      project: word,
      metadata: { [word]: word },
      env: { A: word },
      files: [{ name: `f${name}`, path: word }],
      resource_requirements: [{ name: `r${name}`, num_cpus: 1, memory: '1g' }],
      jobs: [
        {
          name: `j${name}`,
          command: `printf '%s\\n' '${word.replaceAll("'", '')}' >&2; exit 3`,
          env: { B: word },
          resource_requirements: `r${name}`,
        },
        { name: `k${name}`, command: 'true', depends_on: [`j${name}`] },
      ],
    }
    writeFileSync(file, JSON.stringify(good))
    const out = box.path(`o${index}`)
    const id = String(index + 1)
    const runs = [
      ['workflows', 'plan', file],
      ['workflows', 'plan', file, '--format', 'dot'],
      ['workflows', 'plan', file, '--format', 'mermaid'],
      ['workflows', 'plan', file, '--format', 'json'],
      ['run', file, '--output-dir', out],
      ['workflows', 'list'],
      ['workflows', 'show', id],
      ['workflows', 'status', id],
      ['jobs', 'list', id],
      ['results', 'list', id],
      ['results', 'list', id, '--format', 'csv'],
      ['reports', 'utilization', id],
      ['reports', 'utilization', id, '--format', 'csv'],
      ['reports', 'recommend', id],
      ['reports', 'recommend', id, '--write', file, '--dry-run'],
      ['reports', 'job', `j${name}`],
      ['logs', wrong],
    ]
    for (const args of runs) expect(harmIn(args, await box.jobmeter(args))).toEqual([])
    const broken = [
      { ...good, [wrong]: 1 },
      { ...good, name: wrong },
      { ...good, jobs: [{ name: 'a', command: 'true', [wrong]: 1, depends_on: [wrong] }] },
      {
        ...good,
        jobs: [
          {
            name: 'a',
            command: 'true',
            depends_on: [wrong],
            depends_on_regexes: [`${wrong}(`],
            resource_requirements: wrong,
          },
        ],
      },
      {
        ...good,
        parameters: { i: `[${wrong}`, [wrong]: '1:0' },
        resource_requirements: [{ name: wrong, memory: wrong, runtime: wrong }],
      },
    ]
    for (const document of broken) {
      writeFileSync(file, JSON.stringify(document))
      expect(harmIn([file], await box.jobmeter(['workflows', 'plan', file]))).toEqual([])
    }
    for (const extension of ['yaml', 'json5', 'kdl', 'json']) {
      const path = box.path(`broken.${extension}`)
      writeFileSync(path, `${wrong}: { ${word} [\n"${wrong}`)
      const ended = await box.jobmeter(['workflows', 'plan', path])
      expect(harmIn([path], ended)).toEqual([])
      expect(ended.code).toBe(2)
    }
  }
}, 240_000)
