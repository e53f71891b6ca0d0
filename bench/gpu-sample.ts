import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { median } from '../src/analysis/statistics/median.ts'
import type { Gauge } from '../src/meter/gauges/gauge.ts'
import { gpuGauge } from '../src/meter/gauges/gpu.ts'
import { shippedGauges } from '../src/meter/gauges/shipped.ts'
import { Meter } from '../src/meter/meter.ts'
import { NvmlCards } from '../src/sensors/gpu/nvml-cards.ts'
import { NvmlProcess } from '../src/sensors/gpu/nvml-process.ts'
import { realSystem } from '../src/system/real.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * One look at every card with processes on it, against one `nvidia-smi`: how long it holds up the look of a meter, which asks
 * before it reads the processes of a job and takes the answer after that, and how long an answer takes. A meter looks now and
 * then, when caches are cold and CPUs asleep: so do we, and without pauses for comparison. What is dear is timed apart: the
 * energy counter and the like, which are read every ten seconds, the counters of its units, every two, and the shares of
 * processes, every two while jobs share a card. A process that computes and one that only holds the card are started for it,
 * which takes python3 with PyTorch.
 */
const rounds = 200
const pausedRounds = 60
const pauseSeconds = 0.1
const mostMilliseconds = 0.1

const system = realSystem({ ownsProcess: false })
const opened = system.nvml.isLikely() ? await NvmlProcess.open(system) : undefined
if (opened?.kind !== 'ok') {
  const why = opened?.kind === 'failed' ? opened.error : (opened?.why ?? 'no NVIDIA driver')
  console.log(`Not measured: ${why}`)
  process.exit(0)
}
const source = opened.value
const cards = source.cards.length
/** The same without a process of its own, which is what that costs. */
const direct = await NvmlCards.open(system)

function millisecondsOf(work: () => unknown): number {
  const begun = performance.now()
  work()
  return performance.now() - begun
}

/** Milliseconds for each card. */
function timed(times: number, work: () => unknown): number {
  return median(Array.from({ length: times }, () => millisecondsOf(work))) / cards
}

/** The same, at the pace of a meter. */
async function timedWithPauses(work: () => unknown): Promise<number> {
  const each: number[] = []
  while (each.length < pausedRounds) {
    await setTimeout(pauseSeconds * 1000)
    each.push(millisecondsOf(work))
  }
  return median(each) / cards
}

/** How long looks of a meter are held up for each card. Those that are not `full` read less of the job besides. */
async function heldUp(rootPid: number, looks: 'full' | 'quick'): Promise<number> {
  const each: number[] = []
  let asking = 0
  const timedGauge: Gauge<never> = {
    name: 'gpu',
    columns: [],
    figures: [],
    follow: () => ({
      ask: () => (asking = millisecondsOf(() => source.ask(false))),
      glance: () => source.look(false),
      look(_row, _at, _elapsedSeconds, isFull) {
        const taking = millisecondsOf(() => source.look(false))
        if (isFull === (looks === 'full')) each.push(asking + taking)
      },
      figures: () => ({}),
    }),
  }
  const others = shippedGauges.filter((gauge) => gauge !== gpuGauge)
  const meter = new Meter(system, [...others, timedGauge])
  meter.follow({
    rootPid,
    intervalSeconds: pauseSeconds,
    looksEvenly: looks === 'full',
    mark: null,
    cgroup: null,
    origin: 'running',
    launcherBytes: 0,
    onSamples: () => undefined,
  })
  while (each.length < pausedRounds) await setTimeout(pauseSeconds * 1000)
  meter.close()
  return median(each) / cards
}

/** Returns when both are on the card, or cannot be; the answer tells one of them, and ends them. */
async function startLoads() {
  const loads = ['matrix_product', 'idle_holder'].map((load) => {
    const path = join(import.meta.dirname, `../test/gpu/loads/${load}.py`)
    const child = spawn('python3', [path, '120'], { stdio: 'ignore' })
    // Without python3 it has no pid, which is seen below.
    return child.on('error', () => {})
  })
  const until = performance.now() + 30_000
  while (performance.now() < until) {
    const isOver = loads.every(({ pid, exitCode }) => pid === undefined || exitCode !== null)
    source.look(false)
    if (isOver || processesSeen() >= loads.length) break
    await setTimeout(200)
  }
  const running = loads.find(({ pid, exitCode }) => pid !== undefined && exitCode === null)
  return {
    pid: running?.pid ?? process.pid,
    end() {
      for (const load of loads) load.kill()
    },
  }
}

const processesSeen = (): number =>
  source.cards.reduce((sum, card) => sum + card.processes.count, 0)

const loads = await startLoads()
const processes = processesSeen()
source.look(true)
source.lookAtActivity(source.cards)
const held = await heldUp(loads.pid, 'full')
const heldQuick = await heldUp(loads.pid, 'quick')
const answer = await timedWithPauses(() => source.look(false))
const answerAtOnce = timed(rounds, () => source.look(false))
const lookDirectly = () => (direct.kind === 'ok' ? direct.value.look(false) : undefined)
const directAnswer = await timedWithPauses(lookDirectly)
const directAtOnce = timed(rounds, lookDirectly)
const seldom = timed(20, () => source.look(true))
const activity = timed(20, () => source.lookAtActivity(source.cards))
const shares = timed(20, () => {
  for (const card of source.cards) source.lookAtShares(card)
})
const toolWords = ['--query-gpu=utilization.gpu,memory.used', '--format=csv']
const hasTool = spawnSync('nvidia-smi', toolWords).status === 0
const smi = hasTool ? timed(5, () => spawnSync('nvidia-smi', toolWords)) * cards : Number.NaN
loads.end()
source.close()
if (direct.kind === 'ok') direct.value.close()

const row = (what: string, figure: number): readonly (string | number)[] => [
  what,
  rounded(figure),
  rounded(figure / mostMilliseconds),
  rounded(smi / (figure * cards)),
]
console.log(`${cards} cards, ${processes} processes on them`)
if (processes === 0) console.log('No process could be put on a card: a look without any is timed.')
if (!hasTool) console.log('There is no nvidia-smi to compare with.')
if (direct.kind !== 'ok') console.log('Within our process nothing could be opened.')
printTable([
  ['', 'ms a card', `÷ ${mostMilliseconds} ms`, 'nvidia-smi ÷ it'],
  row('a look of a meter is held up', held),
  row('a quick look is held up', heldQuick),
  row('from request to answer', answer),
  row('from request to answer, no pauses', answerAtOnce),
  row('within our process', directAnswer),
  row('within our process, no pauses', directAtOnce),
  row('with the energy counter, no pauses', seldom),
  row('counters of its units, no pauses', activity),
  row('shares of processes, no pauses', shares),
  row('one nvidia-smi, all cards', smi / cards),
])
verdict('a full sample of one card, without pauses', directAtOnce, mostMilliseconds, ' ms')
verdict('how long a look is held up, ÷ asking within our process', held / directAnswer, 1, '')
