import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { sandbox } from '../test/program.ts'
import { entry, findOnPath } from './outside.ts'
import { median } from './statistics.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * `true` many times, two at a time: a workflow with every job measured and its result kept, against tools that
 * keep nothing. Each round has folders of its own that are deleted only at the very end: ext4 passes over recently
 * deleted inodes, which makes creating files several times as slow. TMPDIR says where the folders are made.
 */
const jobs = Number(process.env['JOBMETER_JOBS'] ?? 10_000)
const rounds = Number(process.env['JOBMETER_ROUNDS'] ?? 3)

using box = sandbox()
const numbers = `${Array.from({ length: jobs }, (_, index) => index + 1).join('\n')}\n`
writeFileSync(
  box.path('flow.yaml'),
  `name: many\njobs: [{ name: "j{i}", command: "true", parameters: { i: "1:${jobs}" } }]\n`,
)
const targets = numbers
  .trimEnd()
  .split('\n')
  .map((number) => `t${number}`)
writeFileSync(box.path('Makefile'), `all: ${targets.join(' ')}\n${targets.join(' ')}:\n\t@true\n`)

interface Racer {
  readonly name: string
  command(directory: string): string[]
  readonly seconds: number[]
}

const jobmeter = {
  name: 'jobmeter run',
  command: (directory: string) => [
    process.execPath,
    entry,
    'run',
    box.path('flow.yaml'),
    '--quiet',
    '--max-parallel-jobs=2',
    '--cpus=2',
    `--db=${directory}/ledger.db`,
    `--output-dir=${directory}/output`,
  ],
  seconds: [],
} satisfies Racer
const xargs = {
  name: 'xargs -P2 -n1',
  command: () => ['xargs', '-P2', '-n1', 'true'],
  seconds: [],
} satisfies Racer
const others: Racer[] = [
  {
    name: 'make -j2',
    command: () => ['make', '-s', '-j2', '-f', box.path('Makefile')],
    seconds: [],
  },
  { name: 'parallel -j2', command: () => ['parallel', '-j2', 'true'], seconds: [] },
]
const racers: Racer[] = [xargs, jobmeter, ...others].filter(({ name, command }) => {
  const here = findOnPath(command('')[0]?.split('/').at(-1) ?? '') !== undefined
  if (!here) console.log(`${name.split(' ')[0]} is not on the path: left out`)
  return here
})

for (let round = 0; round < rounds; round++)
  for (const { name, command, seconds } of racers) {
    const directory = box.path(`${round}-${name.replaceAll(' ', '')}`)
    mkdirSync(directory)
    const [file = '', ...args] = command(directory)
    const env = { ...box.env, PATH: process.env['PATH'] }
    const startedAt = performance.now()
    const { status, stderr } = spawnSync(file, args, { input: numbers, env, cwd: directory })
    seconds.push((performance.now() - startedAt) / 1000)
    if (status !== 0) throw new Error(`${name}: ${status} ${String(stderr)}`)
  }

const rate = (racer: Racer): number => jobs / median(racer.seconds)
printTable([
  ['', 'seconds', 'jobs/s', 'jobmeter : it'],
  ...racers.map((racer) => [
    racer.name,
    rounded(median(racer.seconds)),
    Math.round(rate(racer)),
    rounded(rate(jobmeter) / rate(racer)),
  ]),
])
// Of each round, for the machine may be busier in one than in the next.
const ratios = jobmeter.seconds.map(
  (seconds, round) => seconds / (xargs.seconds[round] ?? Number.NaN),
)
console.log(`${rounds} interleaved rounds of ${jobs} jobs, medians`)
verdict('time against xargs (1 / 0.6)', median(ratios), 1.67, ' ×')
