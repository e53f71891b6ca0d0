import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { NvmlCards } from '../src/sensors/gpu/nvml-cards.ts'
import { realSystem } from '../src/system/real.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * One look at every card with processes on it, against one `nvidia-smi`. What is dear is timed apart: the energy counter and
 * the like, which are read every ten seconds, the counters of its units, every two, and the shares of processes, every two
 * while jobs share a card. A process that computes and one that only holds the card are started for it, which takes python3
 * with PyTorch.
 */
const rounds = 200
const mostMilliseconds = 0.1

const system = realSystem({ ownsProcess: false })
const opened = system.nvml.isLikely() ? await NvmlCards.open(system) : undefined
if (opened?.kind !== 'ok') {
  const why = opened?.kind === 'failed' ? opened.error : (opened?.why ?? 'no NVIDIA driver')
  console.log(`Not measured: ${why}`)
  process.exit(0)
}
const source = opened.value
const cards = source.cards.length

/** Milliseconds for each card. */
function timed(times: number, work: () => void): number {
  const each = Array.from({ length: times }, () => {
    const begun = performance.now()
    work()
    return performance.now() - begun
  })
  return median(each) / cards
}

/** Returns when both are on the card, or cannot be; the answer ends them. */
async function startLoads(): Promise<() => void> {
  const loads = ['matrix_product', 'idle_holder'].map((load) => {
    const path = join(import.meta.dirname, `../test/gpu/loads/${load}.py`)
    const child = spawn('python3', [path, '60'], { stdio: 'ignore' })
    // Without python3 it has no pid, which is seen below.
    return child.on('error', () => {})
  })
  const until = performance.now() + 30_000
  while (performance.now() < until) {
    const isOver = loads.every(({ pid, exitCode }) => pid === undefined || exitCode !== null)
    source.look(false)
    if (isOver || processesSeen() >= loads.length) break
    await new Promise((resolve) => setTimeout(resolve, 200))
  }
  return () => {
    for (const load of loads) load.kill()
  }
}

const processesSeen = (): number =>
  source.cards.reduce((sum, card) => sum + card.processes.count, 0)

const endLoads = await startLoads()
const processes = processesSeen()
source.look(true)
source.lookAtActivity(source.cards)
const look = timed(rounds, () => source.look(false))
const seldom = timed(20, () => source.look(true))
const activity = timed(20, () => source.lookAtActivity(source.cards))
const shares = timed(20, () => {
  for (const card of source.cards) source.lookAtShares(card)
})
const smi =
  timed(5, () => {
    spawnSync('nvidia-smi', ['--query-gpu=utilization.gpu,memory.used', '--format=csv'])
  }) * cards
endLoads()
source.close()

console.log(`${cards} cards, ${processes} processes on them`)
if (processes === 0) console.log('No process could be put on a card: a look without any is timed.')
printTable([
  ['', 'ms a card'],
  ['a look, with the processes', rounded(look)],
  ['with the energy counter', rounded(seldom)],
  ['counters of its units', rounded(activity)],
  ['shares of processes', rounded(shares)],
  ['one nvidia-smi, all cards', rounded(smi)],
  ['nvidia-smi ÷ a look', rounded(smi / (look * cards))],
])
verdict('a look at one card', look, mostMilliseconds, ' ms')
