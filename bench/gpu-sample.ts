import { spawnSync } from 'node:child_process'
import { NvmlCards } from '../src/sensors/gpu/nvml-cards.ts'
import { realSystem } from '../src/system/real.ts'
import { median } from '../src/analysis/statistics/median.ts'
import { printTable, rounded, verdict } from './verdict.ts'

/**
 * One look at every card with all processes on it, against one `nvidia-smi`. What is dear is timed apart: the energy counter
 * and the like, which are read every ten seconds, and the counters of its units, every two.
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

source.look(true)
source.lookAtActivity(source.cards)
const look = timed(rounds, () => source.look(false))
const seldom = timed(20, () => source.look(true))
const activity = timed(20, () => source.lookAtActivity(source.cards))
const smi =
  timed(5, () => {
    spawnSync('nvidia-smi', ['--query-gpu=utilization.gpu,memory.used', '--format=csv'])
  }) * cards
const processes = source.cards.reduce((sum, card) => sum + card.processes.count, 0)
source.close()

console.log(`${cards} cards, ${processes} processes on them`)
printTable([
  ['', 'ms a card'],
  ['a look, all processes included', rounded(look)],
  ['with the energy counter', rounded(seldom)],
  ['counters of its units', rounded(activity)],
  ['one nvidia-smi, all cards', rounded(smi)],
  ['nvidia-smi ÷ a look', rounded(smi / (look * cards))],
])
verdict('a look at one card', look, mostMilliseconds, ' ms')
