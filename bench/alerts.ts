import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { JobWatch } from '../src/alert/evaluate/job-watch.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { sampleIndex, sampleNames } from '../src/model/sample.ts'
import { realSystem } from '../src/system/real.ts'
import type { System } from '../src/system/system.ts'
import { facts, rulesOf } from '../test/alerts/synthetic-load.ts'
import { sandbox } from '../test/program.ts'
import { followed } from './followed.ts'
import { cost, entry, prepare } from './outside.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What judging a look by all shipped rules costs, against the look itself at a job of one process, the cheapest there is;
 * and what a short job pays: nothing where no alerts are set up, and the reading of the file where they are.
 */
const rounds = 15
const looksPerRound = 500

const real = realSystem({ ownsProcess: false })
let ahead = 0
const leaping: System = {
  ...real,
  clock: { ...real.clock, monotonicSeconds: () => real.clock.monotonicSeconds() + ahead },
}

function microseconds(work: () => void): number {
  const before = process.cpuUsage()
  for (let look = 0; look < looksPerRound; look++) work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / looksPerRound
}

const child = spawn('sleep', ['600'])
const { meter, job } = followed(leaping, child.pid ?? 0)
const rules = rulesOf()
const watch = new JobWatch(rules, { facts, intervalSeconds: 1 })
const row = new Float64Array(sampleNames.length)
let at = 0

/** A job that works, so that every rule has something to compute. */
function judge(): void {
  at += 1
  row.fill(at)
  row[sampleIndex.memory_bytes] = 5e8 + 1e5 * at
  row[sampleIndex.machine_memory_bytes] = 8e9
  watch.samples(row, 1, sampleNames)
}

const looks: number[] = []
const judged: number[] = []
for (let round = 0; round <= rounds; round++) {
  const look = microseconds(() => {
    ahead += 1
    meter.refresh(job)
  })
  const judging = microseconds(judge)
  // The first round only warms up.
  if (round === 0) continue
  looks.push(look)
  judged.push(judging)
}
meter.close()
child.kill()
const [look, judging] = [median(looks), median(judged)]
printTable([
  ['', 'µs'],
  ['a look at one process', rounded(look)],
  [`judging it by ${rules.length} rules`, rounded(judging)],
])
verdict('judging a look against the look', judging / look, 0.2, ' ×')

prepare()
using box = sandbox()
writeFileSync(box.path('alerts.yaml'), 'rules: []\n')
const command = [process.execPath, entry, 'run', '-q', '--', 'true']
const racers = [
  { name: 'run -- true', env: box.env, walls: [] as number[] },
  {
    name: 'the same with alerts',
    env: { ...box.env, JOBMETER_ALERTS: box.path('alerts.yaml') },
    walls: [] as number[],
  },
]
for (let round = 0; round < 23; round++)
  for (const { env, walls } of racers) {
    const { wallSeconds } = cost(command, box.path('cost'), env)
    if (round >= 3) walls.push(wallSeconds * 1000)
  }
printTable([['', 'wall ms'], ...racers.map(({ name, walls }) => [name, rounded(median(walls))])])
