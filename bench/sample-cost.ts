import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { Meter } from '../src/meter/meter.ts'
import { realSystem } from '../src/system/real.ts'
import type { System } from '../src/system/system.ts'
import { prepare, program } from './outside.ts'
import { median } from './statistics.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * One look at 1,000 idle processes, through the meter that `jobmeter run` uses, against a C program
 * that keeps its descriptors and reads the same files: `stat` at each look, `io` once a second. The
 * meter looks for new processes, at the whole machine and at memory marks besides.
 */
const processes = 1000
const rounds = 15
const looksPerRound = 20

/** A machine whose clock leaps ahead at each look, so that looks follow at once and yet seem a time apart. */
function leapingSystem(): { system: System; leap: (seconds: number) => void } {
  const real = realSystem({ ownsProcess: false })
  let ahead = 0
  const clock = { ...real.clock, monotonicSeconds: () => real.clock.monotonicSeconds() + ahead }
  return { system: { ...real, clock }, leap: (seconds) => (ahead += seconds) }
}

function floorMicroseconds(pids: string, files: readonly string[]): number {
  const args = [String(looksPerRound), ...files]
  const ended = spawnSync(program('keep-fds'), args, { input: pids, encoding: 'utf8' })
  if (ended.status !== 0) throw new Error(`keep-fds ended with ${ended.status}`)
  const answer = JSON.parse(ended.stdout) as { processes: number; microseconds: number }
  if (answer.processes !== processes) throw new Error(`the floor saw ${answer.processes} processes`)
  return answer.microseconds
}

/** CPU time, as the floor's: what else the machine does at the time matters less then. */
function lookMicroseconds(apartSeconds: number): number {
  const before = process.cpuUsage()
  for (let look = 0; look < looksPerRound; look++) {
    leap(apartSeconds)
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
const pids = readFileSync(`/proc/${rootPid}/task/${rootPid}/children`, 'utf8')
const { system: machine, leap } = leapingSystem()
const meter = new Meter(machine)
const job = meter.follow({
  rootPid,
  intervalSeconds: 1e6,
  mark: null,
  cgroup: null,
  origin: 'running',
  launcherBytes: 0,
  onSamples: () => undefined,
})
const floors = [
  { name: 'C, stat', files: ['stat'], costs: [] as number[] },
  { name: 'C, stat and io', files: ['stat', 'io'], costs: [] as number[] },
]
const looks = [
  { name: 'jobmeter, 10 looks a second', apartSeconds: 0.1, costs: [] as number[] },
  { name: 'jobmeter, a look a second', apartSeconds: 1, costs: [] as number[] },
]
for (let round = 0; round <= rounds; round++) {
  for (const { files, costs } of floors) costs.push(floorMicroseconds(pids, files))
  for (const { apartSeconds, costs } of looks) costs.push(lookMicroseconds(apartSeconds))
  // The first round only warms up.
  if (round === 0) for (const { costs } of [...floors, ...looks]) costs.length = 0
}
const seen = job.members.liveProcesses
meter.close()
idle.kill()
if (seen !== processes + 1) throw new Error(`the meter saw ${seen} processes`)

const [statFloor = Number.NaN, bothFloor = Number.NaN] = floors.map(({ costs }) => median(costs))
const [often = Number.NaN, seldom = Number.NaN] = looks.map(({ costs }) => median(costs))
printTable([
  ['', 'µs a look', 'µs a process', '× C, stat', '× C, stat and io'],
  ...[...floors, ...looks].map(({ name, costs }) => {
    const cost = median(costs)
    const ratios = [rounded(cost / statFloor), rounded(cost / bothFloor)]
    return [name, rounded(cost), rounded(cost / processes), ...ratios]
  }),
])
verdict('a look at 10 Hz against C that reads stat', often / statFloor, 2, ' ×')
verdict('a look at 1 Hz against C that reads stat and io', seldom / bothFloor, 2, ' ×')
