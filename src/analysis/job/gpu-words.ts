import { roughCores, roughShare } from '../../model/rough-figures.ts'
import { gpuPolicy } from '../policy.ts'
import type { GpuEvidence, Known, LeftOut } from './gpu-evidence.ts'

/** `60 %`, or `60 to 80 %` where some may have been missed. */
export function rangeInWords({ least, most }: GpuEvidence['worked']): string {
  const [from, to] = [Math.floor(100 * least + 1e-9), Math.ceil(100 * most - 1e-9)]
  return most - least < 0.01 ? roughShare(least) : `${from} to ${to} %`
}

/** The same of the time; where the cards did more than that, it says for whom. */
export function workInWords({ worked, heldBusy, time }: GpuEvidence): string {
  const isRestOfOthers = heldBusy !== null && worked.most < gpuPolicy.ownShare * heldBusy
  return `${isRestOfOthers ? 'for this job ' : ''}${rangeInWords(worked)} of ${time}`
}

export const knownShare = ({ value, isBound }: Known): string =>
  `${isBound ? 'at least ' : ''}${roughShare(value)}`

export const knownCores = ({ value, isBound }: Known): string =>
  `kept ${roughCores(value)} cores busy${isBound ? ', as far as it was seen' : ''}`

/** A word on cards that a verdict is not about. */
export function besides({ cards, untouched }: GpuEvidence, leftOut: LeftOut): string {
  if (leftOut.length === 0) return ''
  const reasons = [...new Set(leftOut.map(({ why }) => why))]
  const without = reasons.map((why) => `${cardsFor(why, leftOut)} (${why})`)
  const told = cards - (untouched ?? 0) - leftOut.length
  return ` This is about ${told} of its ${cards} GPUs, without ${inWords(without)}.`
}

/** `card 1`, `cards 0 and 2`. */
function cardsFor(why: string, leftOut: LeftOut): string {
  const numbers = leftOut.filter((card) => card.why === why).map(({ card }) => String(card))
  return `${numbers.length === 1 ? 'card' : 'cards'} ${inWords(numbers)}`
}

/** `0, 1 and 2`. */
const inWords = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), ...words.slice(-1)].filter((part) => part !== '').join(' and ')
