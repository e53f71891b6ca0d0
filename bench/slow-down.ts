import { readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { sandbox } from '../test/program.ts'
import { cost, entry, prepare, program } from './outside.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { rankSumTest } from '../src/analysis/statistics/rank-test.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * Does a CPU-bound job take longer when it is watched? It keeps every core busy, so jobmeter has no
 * idle one to hide on, and it times itself, so that starting Node is not part of it.
 */
const rounds = Number(process.env['JOBMETER_ROUNDS'] ?? 20)
const millions = 1200

prepare()
using box = sandbox()
const job = [
  program('fixed-work'),
  String(millions),
  String(availableParallelism()),
  box.path('wall'),
]
const watched = [process.execPath, entry, 'run', '--interval', '1', '--', ...job]
const wallOf = (command: readonly string[]): number => {
  cost(command, box.path('cost'), box.env)
  return (JSON.parse(readFileSync(box.path('wall'), 'utf8')) as { wallSeconds: number }).wallSeconds
}

const alone: number[] = []
const under: number[] = []
wallOf(job)
for (let round = 0; round < rounds; round++) {
  // Who goes first changes, lest a machine that warms up or tires favour one of them.
  if (round % 2 === 0) alone.push(wallOf(job))
  under.push(wallOf(watched))
  if (round % 2 === 1) alone.push(wallOf(job))
}

const spread = (values: readonly number[]) => rounded(Math.max(...values) / Math.min(...values))
const ratio = median(under) / median(alone)
const probability = rankSumTest(alone, under)?.pValue ?? NaN
printTable([
  ['', 'median s', 'slowest / fastest'],
  ['alone', rounded(median(alone)), spread(alone)],
  ['under jobmeter at 1 Hz', rounded(median(under)), spread(under)],
])
console.log(`ratio of the medians ${ratio.toFixed(4)}; rank-sum p = ${probability.toFixed(3)}`)
// A target of the form "at most": 1 - p at most 0.95 says that the two cannot be told apart.
verdict('certainty that there is a difference', 1 - probability, 0.95, '')
