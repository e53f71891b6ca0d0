import { count } from '../../model/count.ts'
import { formatBytes } from '../../model/bytes.ts'
import { gpuFigure, gpuMeasured, partRead, type GpuKey } from '../../model/gpu-usage.ts'
import { isLowerBound } from '../../model/measured.ts'
import { roughCores, roughSeconds, roughShare } from '../../model/rough-figures.ts'
import type { Usage } from '../../model/usage.ts'
import { gpuPolicy } from '../policy.ts'

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

/** What the rules look at; null is "not measured". */
interface GpuEvidence {
  readonly cards: number
  readonly untouched: number | null
  /** `the time`, or the part of it in which the job held cards: what shares are of. */
  readonly time: string
  /** Shares of the time in which the job held cards: how much they worked for it at least, and at most. */
  readonly busy: number
  readonly mostBusy: number
  /** The same for whomever they worked; null where the cards do not tell it. */
  readonly heldBusy: number | null
  /** What shares of their units are to be held against: these are of the whole cards, too. */
  readonly cardBusy: number
  /** How long others were on them; null where it is not told. */
  readonly shared: number | null
  readonly powerThrottled: Throttled
  readonly heatThrottled: Throttled
  /** Share of the fastest clock. */
  readonly clock: number | null
  /** Shares in use, while the job held cards; null on cards older than Hopper. */
  readonly sm: number | null
  readonly tensor: number | null
  readonly dram: number | null
  /** The most used of the other arithmetic units. */
  readonly arithmetic: number | null
  readonly pcieBytesPerSecond: number | null
  readonly nvlinkBytesPerSecond: number | null
  /** Of the job's other side: cores that it kept busy meanwhile; shares of the time that it waited for storage or a core. */
  readonly busyCores: number
  readonly storageWait: number
  readonly coreWait: number
}

/** Of the time in which the job held cards; more where these could not be read all the time. */
interface Throttled {
  readonly share: number
  readonly isBound: boolean
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
  const figure = (key: GpuKey): number | null => gpuFigure(usage, key)
  const cards = figure('gpuCards')
  if (!cards) return undefined
  const untouched = figure('gpuCardsUntouched')
  if (untouched !== null && untouched >= cards) return unused(cards)
  const heldSeconds = gpuMeasured(usage, 'gpuHeldSeconds')
  const held = heldSeconds?.value ?? 0
  if (heldSeconds === undefined || held < gpuPolicy.leastHeldShare * seconds) return undefined
  const busySeconds = gpuMeasured(usage, 'gpuBusySeconds')
  const share = (key: GpuKey): number | null => {
    const percent = figure(key)
    return percent === null ? null : Math.min(1, percent / 100)
  }
  const throttled = (key: GpuKey): Throttled => {
    const told = gpuMeasured(usage, key)
    const isBound = told !== undefined && isLowerBound(told)
    return { share: Math.min(1, (told?.value ?? 0) / held), isBound }
  }
  const units = [
    share('gpuFp64PercentMean'),
    share('gpuFp32PercentMean'),
    share('gpuFp16PercentMean'),
    share('gpuIntegerPercentMean'),
  ].filter((value) => value !== null)
  const heldBusy = share('gpuHeldUtilizationPercentMean')
  const isTold = busySeconds !== undefined && busySeconds.value !== null
  const worked = isTold ? Math.min(1, busySeconds.value / held) : share('gpuSmActivePercentMean')
  if (worked === null) return undefined
  const mayBeMore = isTold && isLowerBound(busySeconds)
  // A mean of a part of the time says nothing of the rest.
  const isWhole = partRead(gpuMeasured(usage, 'gpuHeldUtilizationPercentMean')) === null
  const mostBusy = mayBeMore ? Math.max(worked, (isWhole ? heldBusy : null) ?? 1) : worked
  const sharedSeconds = figure('gpuSharedSeconds')
  return judge({
    cards,
    untouched,
    time: heldTime(held, isLowerBound(heldSeconds), cards - (untouched ?? 0), seconds),
    busy: worked,
    mostBusy,
    heldBusy,
    cardBusy: Math.max(worked, heldBusy ?? mostBusy),
    shared: sharedSeconds === null ? null : sharedSeconds / held,
    powerThrottled: throttled('gpuPowerThrottledSeconds'),
    heatThrottled: throttled('gpuHeatThrottledSeconds'),
    clock: share('gpuClockPercentMean'),
    sm: share('gpuSmActivePercentMean'),
    tensor: share('gpuTensorPercentMean'),
    dram: share('gpuDramPercentMean'),
    arithmetic: units.length === 0 ? null : Math.max(...units),
    pcieBytesPerSecond: figure('gpuPcieBytesPerSecondMean'),
    nvlinkBytesPerSecond: figure('gpuNvlinkBytesPerSecondMean'),
    busyCores: figure('gpuHeldCoresMean') ?? busyCores,
    storageWait: Math.min(1, (usage.ioPressureSeconds.value ?? 0) / seconds),
    coreWait: Math.min(1, (usage.cpuPressureSeconds.value ?? 0) / seconds),
  })
}

/** What its shares are of, in words. */
function heldTime(held: number, isBound: boolean, cards: number, seconds: number): string {
  const each = held / cards
  if (each >= gpuPolicy.mostlyHeldShare * seconds) return 'the time'
  const time = `the ${roughSeconds(each)} ${isBound ? 'in which the job was seen to hold' : 'that the job held'}`
  return cards === 1 ? `${time} it` : `${time} a card, on average`
}

/** How much it worked for the job: `60 %`, or `60 to 80 %` where some may have been missed. */
function workedShare({ busy: least, mostBusy: most }: GpuEvidence): string {
  const [from, to] = [Math.floor(100 * least + 1e-9), Math.ceil(100 * most - 1e-9)]
  return most - least < 0.01 ? roughShare(least) : `${from} to ${to} %`
}

const throttledShare = ({ share, isBound }: Throttled): string =>
  `${isBound ? 'at least ' : ''}${roughShare(share)}`

type Rule = (evidence: GpuEvidence) => GpuVerdict | undefined

/** The first rule that applies speaks. */
const rules: readonly Rule[] = [
  tooHot,
  contended,
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
  return evidence.mostBusy < gpuPolicy.busyShare ? idle(evidence) : undefined
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
function tooHot({ heatThrottled, busy: worked, time }: GpuEvidence): GpuVerdict | undefined {
  if (heatThrottled.share < gpuPolicy.heatShare || worked < gpuPolicy.leastBusy) return undefined
  const sentence = `GPU throttled by heat: it ran slower ${throttledShare(heatThrottled)} of ${time} because it was hot.`
  return { kind: 'gpu-heat', sentence }
}

/** Others kept the card busy while the job wanted it. */
function contended(evidence: GpuEvidence): GpuVerdict | undefined {
  const { busy: worked, mostBusy, heldBusy, shared, time, busyCores } = evidence
  if (heldBusy === null || heldBusy < gpuPolicy.busyShare) return undefined
  if (shared === null || shared < gpuPolicy.leastSharedShare) return undefined
  if (mostBusy >= gpuPolicy.ownShare * heldBusy) return undefined
  const wantsIt = worked >= gpuPolicy.leastBusy && busyCores >= gpuPolicy.feedingCores
  if (worked < gpuPolicy.leastContendedShare && !wantsIt) return undefined
  const sentence = `GPU shared with others: it worked ${roughShare(heldBusy)} of ${time}, for this job ${workedShare(evidence)}.`
  return { kind: 'gpu-shared', sentence }
}

function tooLittlePower(evidence: GpuEvidence): GpuVerdict | undefined {
  const clock = clockForWantOfPower(evidence)
  if (clock === null) return undefined
  const sentence = `GPU throttled by its power limit: ${throttledShare(evidence.powerThrottled)} of ${evidence.time}, at ${roughShare(clock)} of its clock.`
  return { kind: 'gpu-power', sentence }
}

/** A card at full load touches its limit all the time: only a clock that suffers is worth telling. */
function clockForWantOfPower({ powerThrottled, clock, busy: worked }: GpuEvidence): number | null {
  if (powerThrottled.share < gpuPolicy.powerShare || worked < gpuPolicy.leastBusy) return null
  return clock !== null && clock <= gpuPolicy.throttledClockShare ? clock : null
}

/** Something ran, but on next to no multiprocessor: each kernel is too small or too short for the card. */
function tinyKernels({ sm, busy: worked, cardBusy, time }: GpuEvidence): GpuVerdict | undefined {
  if (sm === null || worked < gpuPolicy.leastBusy) return undefined
  if (sm >= gpuPolicy.smallKernelShare * cardBusy) return undefined
  const sentence = `GPU bound by kernel launches: a kernel ran ${roughShare(cardBusy)} of ${time}, but ${roughShare(sm)} of its multiprocessors had work. Many kernels are too small for the card.`
  return { kind: 'gpu-launches', sentence }
}

/**
 * Of the units that could be the limit, the one that is nearest to it for the time that the card worked. With more power it
 * would be as busy, and faster: that comes second.
 */
function busyUnits(evidence: GpuEvidence): GpuVerdict | undefined {
  const { tensor, dram, arithmetic, busy: worked, cardBusy, time } = evidence
  if (worked < gpuPolicy.busyShare) return undefined
  const units = [
    { kind: 'gpu-tensor', words: 'its tensor units', share: tensor, limit: gpuPolicy.tensorShare },
    { kind: 'gpu-memory', words: 'its memory bandwidth', share: dram, limit: gpuPolicy.dramShare },
    {
      kind: 'gpu-arithmetic',
      words: 'its arithmetic units',
      share: arithmetic,
      limit: gpuPolicy.arithmeticShare,
    },
  ] as const
  const nearest = units
    .map((unit) => ({ ...unit, reached: (unit.share ?? 0) / cardBusy / unit.limit }))
    .toSorted((one, other) => other.reached - one.reached)[0]
  if (nearest === undefined || nearest.reached < 1) return undefined
  const { kind, words, share } = nearest
  const rest = sharesInWords(units.filter((unit) => unit.kind !== kind))
  const others = rest === '' ? '' : ` (${rest})`
  const sentence = `GPU bound by ${words}: in use ${roughShare(share ?? 0)} of ${time}${others}; the card worked ${roughShare(cardBusy)}.`
  const clock = clockForWantOfPower(evidence)
  const slower = clock === null ? '' : ` Its power limit held its clock at ${roughShare(clock)}.`
  return { kind, sentence: `${sentence}${slower}` }
}

/** Of the units that are told of. */
const sharesInWords = (
  units: readonly { readonly words: string; readonly share: number | null }[],
): string =>
  units
    .flatMap(({ words, share }) => (share === null ? [] : `${words} ${roughShare(share)}`))
    .join(', ')

/** The card waits for what it is to work on. */
function waits(evidence: GpuEvidence): GpuVerdict | undefined {
  const { mostBusy, time, busyCores, storageWait, coreWait } = evidence
  if (mostBusy >= gpuPolicy.busyShare) return undefined
  const moved = transfers(evidence)
  if (moved !== undefined) return moved
  const meanwhile =
    storageWait >= gpuPolicy.storageShare
      ? `waited ${roughShare(storageWait)} of the time for storage`
      : coreWait >= gpuPolicy.coreShare
        ? `waited ${roughShare(coreWait)} of the time for a free core`
        : busyCores >= gpuPolicy.feedingCores
          ? `kept ${roughCores(busyCores)} cores busy`
          : null
  if (meanwhile === null) return undefined
  const sentence = `GPU waits for data: it worked ${workedShare(evidence)} of ${time}, while the job ${meanwhile}.`
  return { kind: 'gpu-data-loading', sentence }
}

function transfers(evidence: GpuEvidence): GpuVerdict | undefined {
  const { pcieBytesPerSecond: pcie, nvlinkBytesPerSecond: nvlink, time } = evidence
  const ways = [
    { way: 'PCIe', bytes: pcie ?? 0, limit: gpuPolicy.pcieBytesPerSecond },
    { way: 'NVLink', bytes: nvlink ?? 0, limit: gpuPolicy.nvlinkBytesPerSecond },
  ]
  const most = ways.toSorted((one, other) => other.bytes / other.limit - one.bytes / one.limit)[0]
  if (most === undefined || most.bytes < most.limit) return undefined
  const sentence = `GPU bound by transfers: ${formatBytes(most.bytes)}/s over ${most.way}, while it worked ${workedShare(evidence)} of ${time}.`
  return { kind: 'gpu-transfers', sentence }
}

/** It works most of the time, and nothing tells what limits it. */
function busy(evidence: GpuEvidence): GpuVerdict | undefined {
  const { busy: worked, sm, tensor, dram, time } = evidence
  if (worked < gpuPolicy.busyShare) return undefined
  const units = sharesInWords([
    { words: 'multiprocessors', share: sm },
    { words: 'tensor units', share: tensor },
    { words: 'memory bandwidth', share: dram },
  ])
  const why =
    sm === null ? 'what its units did for the job is not told' : `no unit stands out: ${units}`
  return {
    kind: 'gpu',
    sentence: `GPU-bound: it worked ${workedShare(evidence)} of ${time}; ${why}.`,
  }
}

function idle(evidence: GpuEvidence): GpuVerdict {
  const { busyCores, time } = evidence
  const sentence = `GPU idle: held, but at work ${workedShare(evidence)} of ${time}; the job kept ${roughCores(busyCores)} cores busy.`
  return { kind: 'gpu-idle', sentence: `${sentence}${alsoUnused(evidence)}` }
}
