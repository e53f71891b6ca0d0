import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { sandbox, truth } from '../test/program.ts'
import { cost, entry, prepare, program } from './outside.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * What it costs to watch idle children once a second: from the start of jobmeter to its end, and in the
 * steady state, from the fifth second on. All threads of it count. Against the floor: C that keeps the
 * descriptors of all `stat` files and reads them once a second, and for whole runs a Node that does nothing besides.
 *
 * The verdicts judge the percentages: those are the bars that people asked for. But how fast a machine starts Node and answers
 * from /proc decides what they are: a machine on which they fail may only be slow. The ratios have no bar; they are what to compare
 * between machines.
 */
const rounds = Number(process.env['JOBMETER_ROUNDS'] ?? 3)
const steadyFrom = 5
/** For `run`, such as `--metrics all`. */
const options = process.argv.slice(2)
const cases = [
  { children: 50, seconds: 15, wholePercent: 0.8, steadyPercent: 0.25 },
  { children: 1000, seconds: 20, wholePercent: 2, steadyPercent: 0.8 },
]

prepare()
using box = sandbox()

/** CPU seconds of all threads of a process, to the nanosecond. */
function threadSeconds(pid: number): number {
  const times = readdirSync(`/proc/${pid}/task`).map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'latin1').split(' ', 1)[0]),
  )
  return times.reduce((sum, time) => sum + time, 0) / 1e9
}

/** Most resident memory that a process ever had. */
function peakMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1')
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024
}

/** One run under `measure`, which tells the CPU of the whole; in its midst jobmeter is looked at from outside. */
async function watch(children: number, seconds: number) {
  const [report, told] = [box.path('cost'), box.path('truth')]
  const job = [program('idle-children'), String(children), String(seconds * 1000), told]
  const command = [report, process.execPath, entry, 'run', ...options, '--', ...job]
  const measure = spawn(program('measure'), command, { stdio: 'ignore', env: box.env })
  const ended = once(measure, 'exit')
  await sleep(steadyFrom * 1000)
  const list = readFileSync(`/proc/${measure.pid}/task/${measure.pid}/children`, 'latin1')
  const pid = Number(list.trim())
  const begun = { at: performance.now(), cpu: threadSeconds(pid) }
  await sleep((seconds - steadyFrom - 0.5) * 1000)
  const steady = (threadSeconds(pid) - begun.cpu) / ((performance.now() - begun.at) / 1000)
  const megabytes = peakMegabytes(pid)
  await ended
  const { cpuSeconds } = JSON.parse(readFileSync(report, 'utf8')) as { cpuSeconds: number }
  const whole = (cpuSeconds - truth(told).cpuSeconds) / seconds
  return { whole: whole * 100, steady: steady * 100, megabytes }
}

const bareNodeSeconds = (): number =>
  cost([process.execPath, '-e', '0'], box.path('cost'), box.env).cpuSeconds

/** What C needs to read `stat` of so many processes once a second, in percent of a core. */
async function floorPercent(children: number): Promise<number> {
  const idle = spawn(program('idle-children'), [String(children), '600000', '-'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  await once(idle.stdout, 'data')
  const pids = readFileSync(`/proc/${idle.pid}/task/${idle.pid}/children`)
  const floor = spawn(program('keep-fds'), ['20', 'stat'], { stdio: ['pipe', 'pipe', 'ignore'] })
  floor.stdin.end(pids)
  const [answer] = (await once(floor.stdout, 'data')) as [Buffer]
  idle.kill()
  return (JSON.parse(answer.toString()) as { microseconds: number }).microseconds / 1e4
}

const rows: (string | number)[][] = [
  ['', 'whole run %', 'steady %', 'resident MB', 'C, stat %', 'Node ms', 'whole ×', 'steady ×'],
]
const verdicts: (() => void)[] = []
for (const { children, seconds, wholePercent, steadyPercent } of cases) {
  const runs = []
  const bare: number[] = []
  for (let round = 0; round < rounds; round++) {
    bare.push(bareNodeSeconds())
    runs.push(await watch(children, seconds))
  }
  const whole = median(runs.map((run) => run.whole))
  const steady = median(runs.map((run) => run.steady))
  const megabytes = median(runs.map((run) => run.megabytes))
  const floor = await floorPercent(children)
  const name = `${children} processes, ${seconds} s`
  const node = median(bare)
  const wholeFloor = floor + (node / seconds) * 100
  const figures = [whole, steady, megabytes, floor, node * 1000, whole / wholeFloor, steady / floor]
  rows.push([name, ...figures.map(rounded)])
  verdicts.push(() => {
    verdict(`${name}, start and end included`, whole, wholePercent, ' % of a core')
    verdict(`${name}, from the fifth second on`, steady, steadyPercent, ' % of a core')
    verdict(`${name}, resident`, megabytes, 64, ' MB')
  })
}
printTable(rows)
for (const say of verdicts) say()
