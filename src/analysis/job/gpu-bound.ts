import { count } from '../../model/count.ts'
import { formatBytes } from '../../model/bytes.ts'
import { gpuFigure } from '../../model/gpu-usage.ts'
import { roughShare } from '../../model/rough-figures.ts'
import type { Usage } from '../../model/usage.ts'
import { gpuPolicy } from '../policy.ts'
import {
  gpuEvidence,
  type GpuEvidence,
  type LeftOut,
  type Link,
  type Unit,
} from './gpu-evidence.ts'
import { besides, knownCores, knownShare, rangeInWords, workInWords } from './gpu-words.ts'

export type GpuVerdictKind =
  | 'gpu-tensor'
  | 'gpu-arithmetic'
  | 'gpu-memory'
  | 'gpu-launches'
  | 'gpu-data-loading'
  | 'gpu-transfers'
  | 'gpu-power'
  | 'gpu-heat'
  | 'gpu-shared'
  | 'gpu-idle'
  | 'gpu'

export interface GpuVerdict {
  readonly kind: GpuVerdictKind
  readonly sentence: string
}

/**
 * What the cards of a job were bound by; undefined where it had none, held them for too little of its time to speak of it,
 * or nothing told how much they worked for it.
 */
export function gpuBoundBy(
  usage: Usage,
  seconds: number,
  busyCores: number,
): GpuVerdict | undefined {
  const cards = gpuFigure(usage, 'gpuCards')
  if (!cards) return undefined
  const untouched = gpuFigure(usage, 'gpuCardsUntouched')
  if (untouched !== null && untouched >= cards) return unused(cards)
  const evidence = gpuEvidence(usage, seconds, busyCores)
  return evidence === undefined ? undefined : judge(evidence)
}

type Rule = (evidence: GpuEvidence) => GpuVerdict | undefined

/** The first rule that applies speaks. */
const rules: readonly Rule[] = [
  tooHot,
  contended,
  busyForWhomever,
  busyUnits,
  tooLittlePower,
  tinyKernels,
  waits,
  busy,
]

/** The verdict of the first rule, with a word on cards that were never used. */
function judge(evidence: GpuEvidence): GpuVerdict | undefined {
  for (const rule of rules) {
    const verdict = rule(evidence)
    if (verdict !== undefined)
      return { ...verdict, sentence: `${verdict.sentence}${alsoUnused(evidence)}` }
  }
  // It may have worked more than is known of.
  return evidence.worked.most < gpuPolicy.busyShare ? idle(evidence) : undefined
}

const unused = (cards: number): GpuVerdict => ({
  kind: 'gpu-idle',
  sentence: `Held ${count(cards, 'GPU')} and used none: no process of it was ever seen on ${cards === 1 ? 'it' : 'them'}.`,
})

const alsoUnused = ({ cards, untouched }: GpuEvidence): string =>
  untouched
    ? ` Of its ${cards} GPUs ${untouched} ${untouched === 1 ? 'was' : 'were'} never used.`
    : ''

/** A card that did nothing was not slowed down. */
function tooHot(evidence: GpuEvidence): GpuVerdict | undefined {
  const { heatThrottled, worked, time } = evidence
  if (heatThrottled.value < gpuPolicy.heatShare || worked.least < gpuPolicy.leastBusy)
    return undefined
  const sentence = `GPU throttled by heat: it ran slower ${knownShare(heatThrottled)} of ${time} because it was hot.`
  return { kind: 'gpu-heat', sentence: `${sentence}${besides(evidence, heatThrottled.leftOut)}` }
}

/** Others kept the card busy while the job wanted it. */
function contended({
  worked,
  heldBusy,
  shared,
  time,
  busyCores,
}: GpuEvidence): GpuVerdict | undefined {
  if (heldBusy === null || heldBusy < gpuPolicy.busyShare) return undefined
  if (shared === null || shared.value < gpuPolicy.leastSharedShare) return undefined
  if (worked.most >= gpuPolicy.ownShare * heldBusy) return undefined
  const wantsIt = worked.least >= gpuPolicy.leastBusy && busyCores.value >= gpuPolicy.feedingCores
  if (worked.least < gpuPolicy.leastContendedShare && !wantsIt) return undefined
  const sentence = `GPU shared with others: it worked ${roughShare(heldBusy)} of ${time}, for this job ${rangeInWords(worked)}.`
  return { kind: 'gpu-shared', sentence }
}

/** Drivers of AMD do not list the processes of others, nor tell whose all of the work is: the job may not have kept it waiting. */
function busyForWhomever({ worked, heldBusy, shared, time }: GpuEvidence): GpuVerdict | undefined {
  if (heldBusy === null || heldBusy < gpuPolicy.busyShare) return undefined
  if (worked.most >= gpuPolicy.ownShare * heldBusy) return undefined
  if (shared !== null && !shared.isBound) return undefined
  const sentence = `GPU busy: it worked ${roughShare(heldBusy)} of ${time}. ${rangeInWords(worked)} is known to be for this job; whose the rest was is not told.`
  return { kind: 'gpu', sentence }
}

function tooLittlePower(evidence: GpuEvidence): GpuVerdict | undefined {
  const { powerThrottled, time } = evidence
  const clock = clockForWantOfPower(evidence)
  if (clock === null) return undefined
  const sentence = `GPU throttled by its power limit: ${knownShare(powerThrottled)} of ${time}, at ${roughShare(clock)} of its clock.`
  return { kind: 'gpu-power', sentence: `${sentence}${besides(evidence, powerThrottled.leftOut)}` }
}

/** A card at full load touches its limit all the time: only a clock that suffers is worth telling. */
function clockForWantOfPower({ powerThrottled, clock, worked }: GpuEvidence): number | null {
  if (powerThrottled.value < gpuPolicy.powerShare || worked.least < gpuPolicy.leastBusy) return null
  return clock !== null && clock <= gpuPolicy.throttledClockShare ? clock : null
}

/** Something ran, but on next to no multiprocessor: each kernel is too small or too short for the card. */
function tinyKernels({ units, worked }: GpuEvidence): GpuVerdict | undefined {
  const { share, cardBusy, time } = units.sm
  if (share === null || worked.least < gpuPolicy.leastBusy) return undefined
  if (share >= gpuPolicy.smallKernelShare * cardBusy.least) return undefined
  const sentence = `GPU bound by kernel launches: a kernel ran ${rangeInWords(cardBusy)} of ${time}, but ${roughShare(share)} of its multiprocessors had work. Many kernels are too small for the card.`
  return { kind: 'gpu-launches', sentence }
}

/**
 * Of the units that could be the limit, the one that is nearest to it for the time that the card worked. With more power it
 * would be as busy, and faster: that comes second.
 */
function busyUnits(evidence: GpuEvidence): GpuVerdict | undefined {
  const { tensor, dram, arithmetic } = evidence.units
  if (evidence.worked.least < gpuPolicy.busyShare) return undefined
  const units = [
    { kind: 'gpu-tensor', words: 'its tensor units', limit: gpuPolicy.tensorShare, ...tensor },
    { kind: 'gpu-memory', words: 'its memory bandwidth', limit: gpuPolicy.dramShare, ...dram },
    {
      kind: 'gpu-arithmetic',
      words: 'its arithmetic units',
      limit: gpuPolicy.arithmeticShare,
      ...arithmetic,
    },
  ] as const
  const nearest = units
    .map((unit) => ({ ...unit, reached: (unit.share ?? 0) / unit.cardBusy.most / unit.limit }))
    .toSorted((one, other) => other.reached - one.reached)[0]
  if (nearest === undefined || nearest.reached < 1) return undefined
  const { kind, words, share, time, cardBusy, leftOut } = nearest
  const rest = sharesInWords(
    nearest,
    units.filter((unit) => unit.kind !== kind),
  )
  const others = rest === '' ? '' : ` (${rest})`
  const card = leftOut.length === 0 ? `; the card worked ${rangeInWords(cardBusy)}` : ''
  const sentence = `GPU bound by ${words}: in use ${roughShare(share ?? 0)} of ${time}${others}${card}.`
  const clock = clockForWantOfPower(evidence)
  const slower = clock === null ? '' : ` Its power limit held its clock at ${roughShare(clock)}.`
  return { kind, sentence: `${sentence}${slower}${besides(evidence, leftOut)}` }
}

const numbersOf = (leftOut: LeftOut): string => leftOut.map(({ card }) => card).join(' ')

/** Of the units that are told of, those that are of the same cards as this one. */
const sharesInWords = (
  { leftOut }: Unit,
  units: readonly (Unit & { readonly words: string })[],
): string =>
  units
    .filter((unit) => numbersOf(unit.leftOut) === numbersOf(leftOut))
    .flatMap(({ words, share }) => (share === null ? [] : `${words} ${roughShare(share)}`))
    .join(', ')

/** The card waits for what it is to work on. */
function waits(evidence: GpuEvidence): GpuVerdict | undefined {
  const { worked, busyCores, storageWait, coreWait } = evidence
  if (worked.most >= gpuPolicy.busyShare) return undefined
  const moved = transfers(evidence)
  if (moved !== undefined) return moved
  const meanwhile =
    storageWait.value >= gpuPolicy.storageShare
      ? `waited ${knownShare(storageWait)} of the time for storage`
      : coreWait.value >= gpuPolicy.coreShare
        ? `waited ${knownShare(coreWait)} of the time for a free core`
        : busyCores.value >= gpuPolicy.feedingCores
          ? knownCores(busyCores)
          : null
  if (meanwhile === null) return undefined
  const sentence = `GPU waits for data: it worked ${workInWords(evidence)}, while the job ${meanwhile}.`
  return { kind: 'gpu-data-loading', sentence }
}

function transfers(evidence: GpuEvidence): GpuVerdict | undefined {
  const { pcie, nvlink } = evidence
  const reached = ({ bytesPerSecond }: Link, limit: number): number => (bytesPerSecond ?? 0) / limit
  const overPcie = reached(pcie, gpuPolicy.pcieBytesPerSecond)
  const overNvlink = reached(nvlink, gpuPolicy.nvlinkBytesPerSecond)
  if (Math.max(overPcie, overNvlink) < 1) return undefined
  const [way, { bytesPerSecond, leftOut }] =
    overNvlink > overPcie ? ['NVLink', nvlink] : ['PCIe', pcie]
  const sentence = `GPU bound by transfers: ${formatBytes(bytesPerSecond ?? 0)}/s over ${way}, while it worked ${workInWords(evidence)}.`
  return { kind: 'gpu-transfers', sentence: `${sentence}${besides(evidence, leftOut)}` }
}

/** It works most of the time, and nothing tells what limits it. */
function busy(evidence: GpuEvidence): GpuVerdict | undefined {
  const { worked, time } = evidence
  const { sm, tensor, dram } = evidence.units
  if (worked.least < gpuPolicy.busyShare) return undefined
  const units = sharesInWords(sm, [
    { words: 'multiprocessors', ...sm },
    { words: 'tensor units', ...tensor },
    { words: 'memory bandwidth', ...dram },
  ])
  const why =
    units === '' ? 'what its units did for the job is not told' : `no unit stands out: ${units}`
  const sentence = `GPU-bound: it worked ${rangeInWords(worked)} of ${time}; ${why}.`
  return { kind: 'gpu', sentence: `${sentence}${besides(evidence, sm.leftOut)}` }
}

function idle(evidence: GpuEvidence): GpuVerdict {
  const { busyCores } = evidence
  const sentence = `GPU idle: held, but at work ${workInWords(evidence)}; the job ${knownCores(busyCores)}.`
  return { kind: 'gpu-idle', sentence: `${sentence}${alsoUnused(evidence)}` }
}
