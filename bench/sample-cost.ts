import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { realSystem } from '../src/system/real.ts'
import type { System } from '../src/system/system.ts'
import { followed } from './followed.ts'
import { floorMicroseconds, prepare, program } from './outside.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * One look at 1,000 idle processes, through the meter that `jobmeter run` uses, against a C program
 * that keeps its descriptors and reads the same files: `stat` at each look, `io` once a second. The
 * meter looks for new processes, at the whole machine and at memory marks besides. Of processes that
 * do nothing it reads neither file; how it would fare with busy ones shows where it cannot tell.
 */
const processes = 1000
const rounds = 15
const looksPerRound = 20

const real = realSystem({ ownsProcess: false })
let ahead = 0

/** A machine whose clock leaps ahead at each look, so that looks follow at once and yet seem a time apart. */
function leapingSystem(tellsWhoRests: boolean): System {
  const clock = { ...real.clock, monotonicSeconds: () => real.clock.monotonicSeconds() + ahead }
  const open = (path: string): number =>
    path.endsWith('/schedstat') && !tellsWhoRests ? -1 : real.files.open(path)
  return { ...real, clock, files: { ...real.files, open } }
}

/** CPU time, as the floor's: what else the machine does at the time matters less then. */
function lookMicroseconds(
  { meter, job }: ReturnType<typeof followed>,
  apartSeconds: number,
): number {
  const before = process.cpuUsage()
  for (let look = 0; look < looksPerRound; look++) {
    ahead += apartSeconds
    meter.refresh(job)
  }
  const { user, system } = process.cpuUsage(before)
  return (user + system) / looksPerRound
}

prepare()
const idle = spawn(program('idle-children'), [String(processes), '600000', '-'], {
  stdio: ['ignore', 'pipe', 'inherit'],
})
await once(idle.stdout, 'data')
const rootPid = idle.pid ?? 0
const family = { parentPid: rootPid, children: processes }
const busy = followed(leapingSystem(false), rootPid)
const idleJob = followed(leapingSystem(true), rootPid)
const floors = [
  { name: 'C, stat', files: ['stat'], costs: [] as number[] },
  { name: 'C, stat and io', files: ['stat', 'io'], costs: [] as number[] },
]
const looks = [
  { name: 'jobmeter, 10 looks a second', at: busy, apartSeconds: 0.1, costs: [] as number[] },
  { name: 'jobmeter, a look a second', at: busy, apartSeconds: 1, costs: [] as number[] },
  { name: 'jobmeter, a look a second, idle', at: idleJob, apartSeconds: 1, costs: [] as number[] },
]
for (let round = 0; round <= rounds; round++) {
  for (const { files, costs } of floors) costs.push(floorMicroseconds(family, files, looksPerRound))
  for (const { at, apartSeconds, costs } of looks) costs.push(lookMicroseconds(at, apartSeconds))
  // The first round only warms up.
  if (round === 0) for (const { costs } of [...floors, ...looks]) costs.length = 0
}
for (const { meter, job } of [busy, idleJob]) {
  const seen = job.livingProcesses
  if (seen !== processes + 1) throw new Error(`the meter saw ${seen} processes`)
  meter.close()
}
idle.kill()

const [statFloor = Number.NaN, bothFloor = Number.NaN] = floors.map(({ costs }) => median(costs))
const [often, seldom, resting] = looks.map(({ costs }) => median(costs))
printTable([
  ['', 'µs a look', 'µs a process', '× C, stat', '× C, stat and io'],
  ...[...floors, ...looks].map(({ name, costs }) => {
    const cost = median(costs)
    const ratios = [rounded(cost / statFloor), rounded(cost / bothFloor)]
    return [name, rounded(cost), rounded(cost / processes), ...ratios]
  }),
])
const over = (cost = Number.NaN, floor: number): number => cost / floor
verdict('a look at 10 Hz against C that reads stat', over(often, statFloor), 2, ' ×')
verdict('a look at 1 Hz against C that reads stat and io', over(seldom, bothFloor), 2, ' ×')
verdict('the same at idle processes', over(resting, bothFloor), 1, ' ×')
