import type { GpuCard } from '../../sensors/gpu/gpu-card.ts'

/** What of a card is one process's. */
export interface CardPart {
  /** How much of the card it used, 1 is all of it; NaN where that is not told. */
  readonly busy: number
  /** Work of the time before the last look that was told only now. */
  readonly lateSeconds: number
  /** Of the card's power, from 0 to 1. */
  readonly power: number
}

/** Of each process on a card, in their order. */
export const cardParts = (card: GpuCard): readonly CardPart[] =>
  card.processes.listsAll ? sharesOfCard(card) : ownWork(card)

/** All processes of the card are there, and share in what the card tells of itself. */
function sharesOfCard({ processes, utilizationPercent }: GpuCard): CardPart[] {
  const { count, tellsUtilization } = processes
  const shares = processes.utilizationPercent.slice(0, count).map((share) => share || 0)
  const told = sum(shares)
  return shares.map((share) => {
    // Where the shares are not told, or all of them are 0 on a busy card, they are taken to be equal.
    const power = tellsUtilization && told > 0 ? share / told : 1 / count
    return { busy: (power * utilizationPercent) / 100, lateSeconds: 0, power }
  })
}

/**
 * Each process tells what it did by itself, but for those of AMD's other driver: they have equal parts of what the card did
 * beyond that. Who had worked before it was first asked tells nothing of it.
 */
function ownWork({ processes, utilizationPercent }: GpuCard): CardPart[] {
  const { count, pids, untoldPids, lateSeconds, lateBusySeconds } = processes
  const own = processes.utilizationPercent.slice(0, count)
  const told = sum(own.filter((percent) => !Number.isNaN(percent)))
  const silent = own.filter((percent) => Number.isNaN(percent)).length
  const rest = untoldPids.size > 0 ? Number.NaN : Math.max(0, utilizationPercent - told) / silent
  const percents = own.map((percent, at) => {
    if (untoldPids.has(pids[at] ?? 0)) return Number.NaN
    return Number.isNaN(percent) ? rest : percent
  })
  const all = sum(percents)
  return percents.map((percent, at) => ({
    busy: percent / 100,
    lateSeconds: lateSeconds > 0 ? (lateBusySeconds.get(pids[at] ?? 0) ?? 0) : 0,
    power: all > 0 ? percent / all : 1 / count,
  }))
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)
