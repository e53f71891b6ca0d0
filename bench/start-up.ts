import { sandbox } from '../test/program.ts'
import { cost, entry, prepare } from './outside.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/** `jobmeter run -- true`, with everything recorded, against a Node that does nothing at all. */
const rounds = Number(process.env['JOBMETER_ROUNDS'] ?? 60)
const warmUps = 3

prepare()
using box = sandbox()
const node = process.execPath
const racers = [
  { name: 'node -e 0', command: [node, '-e', '0'], walls: [] as number[], cpus: [] as number[] },
  { name: 'run -- true', command: [node, entry, 'run', '--', 'true'], walls: [], cpus: [] },
  { name: '--version', command: [node, entry, '--version'], walls: [], cpus: [] },
] satisfies { name: string; command: string[]; walls: number[]; cpus: number[] }[]

for (let round = 0; round < rounds + warmUps; round++) {
  for (const racer of racers) {
    const { wallSeconds, cpuSeconds } = cost(racer.command, box.path('cost'), box.env)
    if (round < warmUps) continue
    racer.walls.push(wallSeconds * 1000)
    racer.cpus.push(cpuSeconds * 1000)
  }
}

const recorded = (await box.history()).length
const [floor, run, version] = racers.map(({ walls }) => median(walls))
if (floor === undefined || run === undefined || version === undefined) throw new Error('no rounds')
printTable([
  ['', 'wall ms', 'CPU ms', '× node -e 0'],
  ...racers.map(({ name, walls, cpus }) => [
    name,
    rounded(median(walls)),
    rounded(median(cpus)),
    rounded(median(walls) / floor),
  ]),
])
console.log(`${rounds} interleaved rounds, medians; ${recorded} records kept`)
verdict('jobmeter run -- true against node -e 0', run / floor, 1.6, ' ×')
if (recorded !== rounds + warmUps) throw new Error('not every run left a record')
