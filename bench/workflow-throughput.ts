import { mkdirSync, writeFileSync } from 'node:fs'
import { sandbox } from '../test/program.ts'
import { cost, entry, findOnPath, prepare, type Cost } from './outside.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * `true` many times, two at a time: a workflow with every job measured and its result kept, against tools that
 * keep nothing, and against a shell that writes two logs for each job. Each round has folders of its own that are deleted
 * only at the very end: ext4 passes over recently deleted inodes, which makes creating files several times as slow.
 * TMPDIR says where the folders are made.
 */
const jobs = Number(process.env['JOBMETER_JOBS'] ?? 10_000)
const rounds = Number(process.env['JOBMETER_ROUNDS'] ?? 3)

prepare()
using box = sandbox()
const numbers = Array.from({ length: jobs }, (_, index) => index + 1)
writeFileSync(box.path('numbers'), `${numbers.join('\n')}\n`)
writeFileSync(
  box.path('flow.yaml'),
  `name: many\njobs: [{ name: "j{i}", command: "true", parameters: { i: "1:${jobs}" } }]\n`,
)
const targets = numbers.map((number) => `t${number}`).join(' ')
writeFileSync(box.path('Makefile'), `all: ${targets}\n${targets}:\n\t@true\n`)

interface Racer {
  readonly name: string
  command(directory: string): string[]
  readonly costs: Cost[]
}

const racer = (name: string, command: Racer['command']): Racer => ({ name, command, costs: [] })

const jobmeter = racer('jobmeter run', (directory) => [
  process.execPath,
  entry,
  'run',
  box.path('flow.yaml'),
  '--quiet',
  '--max-parallel-jobs=2',
  '--cpus=2',
  `--db=${directory}/ledger.db`,
  `--output-dir=${directory}/output`,
])
const twoAtATime = ['xargs', '-a', box.path('numbers'), '-P2', '-n1']
const xargs = racer('xargs -P2 -n1', () => [...twoAtATime, 'true'])
const logging = racer('xargs, two logs', (directory) => [
  ...twoAtATime,
  'sh',
  '-c',
  `exec true > ${directory}/$0.o 2> ${directory}/$0.e`,
])
const make = racer('make -j2', () => ['make', '-s', '-j2', '-f', box.path('Makefile')])
const parallel = racer('parallel -j2', () => ['parallel', '-a', box.path('numbers'), '-j2', 'true'])
const racers = [xargs, jobmeter, logging, make, parallel].filter(({ name, command }) => {
  const here = findOnPath(command('')[0]?.split('/').at(-1) ?? '') !== undefined
  if (!here) console.log(`${name.split(' ')[0]} is not on the path: left out`)
  return here
})

for (let round = 0; round < rounds; round++)
  for (const { name, command, costs } of racers) {
    const directory = box.path(`${round}-${name.replaceAll(/[ ,]/g, '')}`)
    mkdirSync(directory)
    costs.push(cost(command(directory), `${directory}/cost`, box.env))
  }

const middle = ({ costs }: Racer, figure: keyof Cost): number =>
  median(costs.map((each) => each[figure]))
/** How many times as much jobmeter took; of each round, for the machine may be busier in one than in the next. */
const against = (other: Racer, figure: keyof Cost): number =>
  median(jobmeter.costs.map((ours, round) => ours[figure] / (other.costs[round]?.[figure] ?? NaN)))

printTable([
  ['', 'seconds', 'CPU seconds', 'jobs/s', 'our rate : its', 'our CPU : its'],
  ...racers.map((each) => [
    each.name,
    rounded(middle(each, 'wallSeconds')),
    rounded(middle(each, 'cpuSeconds')),
    Math.round(jobs / middle(each, 'wallSeconds')),
    rounded(1 / against(each, 'wallSeconds')),
    rounded(against(each, 'cpuSeconds')),
  ]),
])
console.log(`${rounds} interleaved rounds of ${jobs} jobs, medians`)
verdict('time against xargs (1 / 0.6)', against(xargs, 'wallSeconds'), 1.67, ' ×')
verdict('against xargs with two logs (1 / 0.85)', against(logging, 'wallSeconds'), 1.18, ' ×')
