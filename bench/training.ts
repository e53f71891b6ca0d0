import { spawnSync } from 'node:child_process'
import { openSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { ResourceMonitorCallback, type ResourceMonitorOptions } from '../src/index.ts'
import { sandbox } from '../test/program.ts'
import { python } from '../test/python/python.ts'
import { entry, prepare } from './outside.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What ResourceMonitorCallback costs a loop of 10 ms batches, with all defaults: it looks, prints and writes CSV at every tenth. The CPU
 * time inside its hooks is set against the time of the batches, which others on the machine do not disturb; the times of
 * whole loops, alternating with and without it, are shown beside it.
 */
const batches = Number(process.env['JOBMETER_BATCHES'] ?? 300)
const rounds = 4
const batchMs = 10

prepare()
using box = sandbox()
const nowhere = openSync('/dev/null', 'w')

/** Not `threadCpuUsage`: the kernel tells a thread's time as of its last tick, so that the batch's would count as the hook's. */
const cpuMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

let sink = 0
function compute(turns: number): void {
  for (let turn = 0; turn < turns; turn++) sink += Math.sqrt(turn)
}

/** How many turns take one batch of CPU time. */
function calibrated(): number {
  let turns = 1e5
  for (let round = 0; round < 8; round++) {
    const start = cpuMs()
    compute(turns)
    turns = Math.max(1, Math.round((turns * batchMs) / (cpuMs() - start)))
  }
  return turns
}

interface Cost {
  hookMs: number
  loopMs: number
}

async function epoch(options: ResourceMonitorOptions, turns: number, cost: Cost): Promise<void> {
  const print = (text: string): void => void writeSync(nowhere, text)
  const callback = new ResourceMonitorCallback({ timeseriesPath: box.directory, print, ...options })
  await callback.onTrainStart()
  callback.onEpochStart(0)
  const start = performance.now()
  for (let batch = 0; batch < batches; batch++) {
    const before = cpuMs()
    callback.onBatchStart(batch)
    const between = cpuMs()
    compute(turns)
    const after = cpuMs()
    callback.onBatchEnd(batch)
    cost.hookMs += cpuMs() - after + (between - before)
  }
  cost.loopMs += performance.now() - start
  callback.onEpochEnd(0)
  callback.onTrainEnd()
}

/** The same in Python, where a sidecar does the work: what the loop itself pays, and what the sidecar uses beside it. */
function inPython(): { hookPercent: number; sidecarPercent: number } {
  const code = `
import json, os, sys, time
import jobmeter
callback = jobmeter.ResourceMonitorCallback(timeseries_path=sys.argv[1], print=lambda text: None)
callback.on_train_start()
callback.on_epoch_start(0)
ticks = lambda: sum(map(int, open(f"/proc/{jobmeter._shared._process.pid}/stat").read().rsplit(")", 1)[1].split()[11:13]))
began, hooks, used = time.perf_counter(), 0.0, ticks()
for batch in range(${batches}):
    a = time.thread_time()
    callback.on_batch_start(batch)
    b = time.thread_time()
    while time.thread_time() < b + ${batchMs / 1000}:
        pass
    c = time.thread_time()
    callback.on_batch_end(batch)
    hooks += time.thread_time() - c + b - a
loop = time.perf_counter() - began
callback.on_train_end()
print(json.dumps([hooks, (ticks() - used) / os.sysconf("SC_CLK_TCK"), loop]))`
  const ended = spawnSync(python, ['-c', code, box.directory], {
    encoding: 'utf8',
    env: {
      ...box.env,
      JOBMETER_PROGRAM: `${process.execPath} ${entry}`,
      PYTHONPATH: join(import.meta.dirname, '../python'),
    },
  })
  if (ended.status !== 0) throw new Error(ended.stderr)
  const [hooks = NaN, sidecar = NaN, loop = NaN] = JSON.parse(ended.stdout) as number[]
  const whole = (batches * batchMs) / 1000
  return { hookPercent: (100 * hooks) / whole, sidecarPercent: (100 * sidecar) / loop }
}

const turns = calibrated()
const ways = { off: { enabled: false }, on: {} } as const
const costs = { off: { hookMs: 0, loopMs: 0 }, on: { hookMs: 0, loopMs: 0 } }
await epoch(ways.on, turns, { hookMs: 0, loopMs: 0 })
for (let round = 0; round < rounds; round++)
  for (const way of ['off', 'on'] as const) await epoch(ways[way], turns, costs[way])
// Asking for the time costs something itself, which is the same in both.
const wholeMs = rounds * batches * batchMs
const percent = (100 * (costs.on.hookMs - costs.off.hookMs)) / wholeMs
const offPercent = (100 * costs.off.hookMs) / wholeMs
const inPythonLoop = inPython()
printTable([
  ['', '% of the batches', 'ms a batch'],
  [
    'off, with the asking for the time',
    rounded(offPercent),
    rounded(costs.off.loopMs / rounds / batches),
  ],
  ['on', rounded(percent), rounded(costs.on.loopMs / rounds / batches)],
  ['on, in Python', rounded(inPythonLoop.hookPercent), ''],
  ['its sidecar, on another core', rounded(inPythonLoop.sidecarPercent), ''],
])
verdict('cost of the callback', percent, 1, ' % of a loop of 10 ms batches')
verdict('cost in Python', inPythonLoop.hookPercent, 1, ' % of a loop of 10 ms batches')
if (!Number.isFinite(sink)) throw new Error('nothing was computed')
