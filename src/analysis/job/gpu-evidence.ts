import {
  cardsLeftOut,
  gpuFigure,
  gpuMeasured,
  nobodyListed,
  partRead,
  type CardLeftOut,
  type GpuKey,
} from '../../model/gpu-usage.ts'
import { isLowerBound, type Measured } from '../../model/measured.ts'
import { roughSeconds } from '../../model/rough-figures.ts'
import type { Usage } from '../../model/usage.ts'
import { gpuPolicy } from '../policy.ts'

/** What the rules look at; null is "not measured". */
export interface GpuEvidence {
  readonly cards: number
  readonly untouched: number | null
  /** `the time`, or the part of it in which the job held cards: what shares are of. */
  readonly time: string
  /** Share of the time in which the job held cards: how much they worked for it. */
  readonly worked: Range
  /** The same for whomever they worked; null where the cards do not tell it. */
  readonly heldBusy: number | null
  /** How long others were on them; null where it is not told. */
  readonly shared: Known | null
  readonly powerThrottled: Throttled
  readonly heatThrottled: Throttled
  /** Share of the fastest clock. */
  readonly clock: number | null
  readonly units: Units
  readonly pcie: Link
  readonly nvlink: Link
  /** Of the job's other side: cores that it kept busy meanwhile; shares of the time that it waited for storage or a core. */
  readonly busyCores: Known
  readonly storageWait: Known
  readonly coreWait: Known
}

interface Range {
  readonly least: number
  readonly most: number
}

/** `isBound`: it may be more. */
export interface Known {
  readonly value: number
  readonly isBound: boolean
}

/** Share of the time in which the job held cards. */
export interface Throttled extends Known {
  readonly leftOut: LeftOut
}

/** Cards that are not in a figure. */
export type LeftOut = readonly CardLeftOut[]

export interface Units {
  readonly sm: Unit
  readonly tensor: Unit
  readonly dram: Unit
  /** The most used of the other arithmetic units. */
  readonly arithmetic: Unit
}

/** How much of a unit was in use while the job held cards. Each may leave out other cards. */
export interface Unit {
  /** Null on cards older than Hopper. */
  readonly share: number | null
  readonly leftOut: LeftOut
  /** What it is of: that of the job, or where cards are left out, the time in which it held the others. */
  readonly time: string
  /** What it is to be held against: how much these cards worked, for whomever. */
  readonly cardBusy: Range
}

export interface Link {
  readonly bytesPerSecond: number | null
  readonly leftOut: LeftOut
}

/** Undefined where a job held its cards for too little of its time, or nothing tells how much they worked for it. */
export function gpuEvidence(
  usage: Usage,
  seconds: number,
  busyCores: number,
): GpuEvidence | undefined {
  const figure = (key: GpuKey): number | null => gpuFigure(usage, key)
  const heldSeconds = gpuMeasured(usage, 'gpuHeldSeconds')
  const held = heldSeconds?.value ?? 0
  if (heldSeconds === undefined || held < gpuPolicy.leastHeldShare * seconds) return undefined
  const cards = figure('gpuCards') ?? 0
  const untouched = figure('gpuCardsUntouched')
  const used = cards - (untouched ?? 0)
  const worked = workedFor(usage, { least: held, most: mostHeld(heldSeconds, used * seconds) })
  if (worked === undefined) return undefined
  const time = heldTime(heldSeconds, used, seconds)
  const throttled = (key: GpuKey): Throttled => {
    const told = gpuMeasured(usage, key)
    return { ...shareOf(told, held), leftOut: cardsLeftOut(told) }
  }
  const link = (key: GpuKey): Link => ({
    bytesPerSecond: figure(key),
    leftOut: cardsLeftOut(gpuMeasured(usage, key)),
  })
  const sharedSeconds = gpuMeasured(usage, 'gpuSharedSeconds')
  const cores = figure('gpuHeldCoresMean') ?? busyCores
  return {
    cards,
    untouched,
    time,
    worked,
    heldBusy: percentShare(usage, 'gpuHeldUtilizationPercentMean'),
    shared: typeof sharedSeconds?.value === 'number' ? shareOf(sharedSeconds, held) : null,
    powerThrottled: throttled('gpuPowerThrottledSeconds'),
    heatThrottled: throttled('gpuHeatThrottledSeconds'),
    clock: percentShare(usage, 'gpuClockPercentMean'),
    units: unitsOf(usage, worked, { time, used }),
    pcie: link('gpuPcieBytesPerSecondMean'),
    nvlink: link('gpuNvlinkBytesPerSecondMean'),
    busyCores: { value: cores, isBound: isLowerBound(usage.cpuTotalSeconds) },
    storageWait: shareOf(usage.ioPressureSeconds, seconds),
    coreWait: shareOf(usage.cpuPressureSeconds, seconds),
  }
}

function percentShare(usage: Usage, key: GpuKey): number | null {
  const percent = gpuFigure(usage, key)
  return percent === null ? null : Math.min(1, percent / 100)
}

const shareOf = (told: Measured | undefined, seconds: number): Known => ({
  value: Math.min(1, (told?.value ?? 0) / seconds),
  isBound: told !== undefined && isLowerBound(told),
})

const isUnlisted = (heldSeconds: Measured): boolean =>
  heldSeconds.value !== null && heldSeconds.basis.includes(nobodyListed)

/** A card is seen to be held only while it works, where its driver lists nobody: the job may have held it all the time. */
const mostHeld = (heldSeconds: Measured, most: number): number =>
  isUnlisted(heldSeconds) ? Math.max(most, heldSeconds.value ?? 0) : (heldSeconds.value ?? 0)

/** Shares of the time in which it held cards. */
function workedFor(usage: Usage, held: Range): Range | undefined {
  const busySeconds = gpuMeasured(usage, 'gpuBusySeconds')
  if (busySeconds === undefined || busySeconds.value === null) {
    // Multiprocessors that others may have used say nothing of the job.
    if (gpuFigure(usage, 'gpuSharedSeconds') !== 0) return undefined
    const isPart = cardsLeftOut(gpuMeasured(usage, 'gpuSmActivePercentMean')).length > 0
    const sm = percentShare(usage, 'gpuSmActivePercentMean')
    return sm === null || isPart ? undefined : { least: sm, most: sm }
  }
  const least = Math.min(1, busySeconds.value / held.most)
  const most = Math.min(1, busySeconds.value / held.least)
  if (!isLowerBound(busySeconds)) return { least, most }
  // A mean of a part of the time says nothing of the rest.
  const isWhole = partRead(gpuMeasured(usage, 'gpuHeldUtilizationPercentMean')) === null
  const heldBusy = isWhole ? percentShare(usage, 'gpuHeldUtilizationPercentMean') : null
  return { least, most: Math.max(most, heldBusy ?? 1) }
}

const arithmeticKeys = [
  'gpuFp64PercentMean',
  'gpuFp32PercentMean',
  'gpuFp16PercentMean',
  'gpuIntegerPercentMean',
] as const

/** `used`: on so many cards processes of the job were seen. */
function unitsOf(
  usage: Usage,
  worked: Range,
  { time, used }: { readonly time: string; readonly used: number },
): Units {
  const allBusy = cardBusy(worked, percentShare(usage, 'gpuHeldUtilizationPercentMean'))
  const unit = (key: GpuKey): Unit => {
    const share = percentShare(usage, key)
    const leftOut = cardsLeftOut(gpuMeasured(usage, key))
    if (leftOut.length === 0) return { share, leftOut, time, cardBusy: allBusy }
    const ofOthers = `the time that the job held the ${used - leftOut.length > 1 ? 'cards' : 'card'}`
    // How much all cards worked does not tell it of some.
    return { share, leftOut, time: ofOthers, cardBusy: { least: 0, most: 1 } }
  }
  const [first, ...others] = arithmeticKeys
  return {
    sm: unit('gpuSmActivePercentMean'),
    tensor: unit('gpuTensorPercentMean'),
    dram: unit('gpuDramPercentMean'),
    arithmetic: others
      .map(unit)
      .reduce((most, other) => (inUse(other) > inUse(most) ? other : most), unit(first)),
  }
}

/** In the time that the cards worked, at least; what is told comes before what is not. */
const inUse = ({ share, cardBusy: { most } }: Unit): number => (share ?? -1) / most

function cardBusy({ least, most }: Range, heldBusy: number | null): Range {
  if (heldBusy === null) return { least, most }
  const busy = Math.max(least, heldBusy)
  return { least: busy, most: busy }
}

/** What its shares are of, in words. */
function heldTime(heldSeconds: Measured, cards: number, seconds: number): string {
  const each = (heldSeconds.value ?? 0) / cards
  if (each >= gpuPolicy.mostlyHeldShare * seconds) return 'the time'
  const time = isUnlisted(heldSeconds)
    ? 'the time that the job held'
    : `the ${roughSeconds(each)} ${isLowerBound(heldSeconds) ? 'in which the job was seen to hold' : 'that the job held'}`
  return cards === 1 ? `${time} it` : `${time} a card, on average`
}
