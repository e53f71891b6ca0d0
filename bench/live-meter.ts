import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { median } from '../src/analysis/statistics/median.ts'
import { LiveMeter } from '../src/profile/live-meter.ts'
import { ResourceProfiler } from '../src/profile/resource-profiler.ts'
import { backgroundSystem } from '../src/system/background-system.ts'
import type { System } from '../src/system/system.ts'
import { prepare, program } from './outside.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * One look at this process from inside it, with all metrics, against reading /proc/self/stat once through a descriptor that is
 * kept; the same with 50 idle children and one that computes; and what a profiler with the default interval takes of a core.
 */
const rounds = 15
const looksPerRound = 200
const idleChildren = 50
const warmSeconds = 3
const profiledSeconds = 10

let ahead = 0

/** A machine whose clock leaps ahead at each look, so that looks follow at once and yet seem half a second apart. */
function leapingSystem(): System {
  const real = backgroundSystem()
  const clock = { ...real.clock, monotonicSeconds: () => real.clock.monotonicSeconds() + ahead }
  return { ...real, clock }
}

/** CPU time of this process for each call: what else the machine does at the time matters less then. */
function cpuMicroseconds(calls: number, call: () => void): number {
  const before = process.cpuUsage()
  for (let at = 0; at < calls; at++) call()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / calls
}

function medianOf(calls: number, call: () => void): number {
  cpuMicroseconds(calls * 3, call)
  return median(Array.from({ length: rounds }, () => cpuMicroseconds(calls, call)))
}

function floorMicroseconds(): number {
  const descriptor = openSync('/proc/self/stat', 'r')
  const into = new Uint8Array(4096)
  const cost = medianOf(5000, () => readSync(descriptor, into, 0, into.length, 0))
  closeSync(descriptor)
  return cost
}

function lookMicroseconds(metrics?: readonly string[]): number {
  const meter = new LiveMeter(leapingSystem(), {
    intervalSeconds: Infinity,
    ...(metrics === undefined ? {} : { metrics }),
  })
  const cost = medianOf(looksPerRound, () => {
    ahead += 0.5
    meter.look()
  })
  meter.stop()
  return cost
}

/** What this process takes while it waits, in percent of a core. */
async function idlePercent(): Promise<number> {
  await delay(warmSeconds * 1000)
  const before = process.cpuUsage()
  await delay(profiledSeconds * 1000)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e4 / profiledSeconds
}

async function profilerPercent(): Promise<number> {
  const profiler = new ResourceProfiler()
  profiler.startProfiling()
  await profiler.ready()
  const percent = await idlePercent()
  profiler.stopProfiling()
  return percent
}

async function busyTree(): Promise<readonly ChildProcess[]> {
  const idle = spawn(program('idle-children'), [String(idleChildren), '600000', '-'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(idle.stdout, 'data')
  return [idle, spawn('sh', ['-c', 'while :; do :; done'], { stdio: 'ignore' })]
}

prepare()
const floor = floorMicroseconds()
const alone = lookMicroseconds()
const memoryAlone = lookMicroseconds(['memory'])
const idleShare = await idlePercent()
const profiledShare = await profilerPercent()
const tree = await busyTree()
const withTree = lookMicroseconds()
const treeShare = await profilerPercent()
for (const child of tree) child.kill('SIGKILL')
await Promise.all(tree.map((child) => once(child, 'exit')))

const row = (what: string, cost: number) => [what, `${rounded(cost)} µs`, rounded(cost / floor)]
printTable([
  ['', 'CPU time', 'times the floor'],
  row('the floor: one read of /proc/self/stat', floor),
  row('a look at this process', alone),
  row("a look at its memory and the machine's", memoryAlone),
  row(`a look with ${idleChildren} idle children and a busy one`, withTree),
])
printTable([
  ['at 0.5 s', 'percent of a core'],
  ['this process without a profiler', rounded(idleShare)],
  ['with one', rounded(profiledShare)],
  [`with one, ${idleChildren} idle children and a busy one`, rounded(treeShare)],
])
verdict('a look at this process', alone / floor, 40, ' times the floor')
verdict('a look with a tree, for each process', withTree / (idleChildren + 3) / floor, 4, ' times')
verdict('a profiler', profiledShare - idleShare, 0.3, ' % of a core')
verdict('a profiler of a tree', treeShare - idleShare, 0.6, ' % of a core')
