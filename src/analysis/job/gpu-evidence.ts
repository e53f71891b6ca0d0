import {
  cardsLeftOut,
  gpuFigure,
  gpuMeasured,
  partRead,
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
  readonly shared: number | null
  readonly powerThrottled: Throttled
  readonly heatThrottled: Throttled
  /** Share of the fastest clock. */
  readonly clock: number | null
  /** Null on cards older than Hopper. */
  readonly units: UnitShares
  readonly pcieBytesPerSecond: number | null
  readonly nvlinkBytesPerSecond: number | null
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

/** Why cards are not in a figure, for each of them. */
export type LeftOut = readonly string[]

/** Shares in use while the job held cards. */
export interface UnitShares {
  readonly sm: number | null
  readonly tensor: number | null
  readonly dram: number | null
  /** The most used of the other arithmetic units. */
  readonly arithmetic: number | null
  readonly leftOut: LeftOut
  /** What they are of: that of the job, or where cards are left out, the time in which it held the others. */
  readonly time: string
  /** What they are to be held against: how much these cards worked, for whomever. */
  readonly cardBusy: Range
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
  const worked = workedFor(usage, held)
  if (worked === undefined) return undefined
  const cards = figure('gpuCards') ?? 0
  const untouched = figure('gpuCardsUntouched')
  const used = cards - (untouched ?? 0)
  const time = heldTime(held, isLowerBound(heldSeconds), used, seconds)
  const throttled = (key: GpuKey): Throttled => {
    const told = gpuMeasured(usage, key)
    return { ...shareOf(told, held), leftOut: cardsLeftOut(told) }
  }
  const sharedSeconds = figure('gpuSharedSeconds')
  const cores = figure('gpuHeldCoresMean') ?? busyCores
  return {
    cards,
    untouched,
    time,
    worked,
    heldBusy: percentShare(usage, 'gpuHeldUtilizationPercentMean'),
    shared: sharedSeconds === null ? null : sharedSeconds / held,
    powerThrottled: throttled('gpuPowerThrottledSeconds'),
    heatThrottled: throttled('gpuHeatThrottledSeconds'),
    clock: percentShare(usage, 'gpuClockPercentMean'),
    units: unitShares(usage, worked, { time, used }),
    pcieBytesPerSecond: figure('gpuPcieBytesPerSecondMean'),
    nvlinkBytesPerSecond: figure('gpuNvlinkBytesPerSecondMean'),
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

/** Shares of the time in which it held cards. */
function workedFor(usage: Usage, held: number): Range | undefined {
  const busySeconds = gpuMeasured(usage, 'gpuBusySeconds')
  if (busySeconds === undefined || busySeconds.value === null) {
    const isPart = cardsLeftOut(gpuMeasured(usage, 'gpuSmActivePercentMean')).length > 0
    const sm = percentShare(usage, 'gpuSmActivePercentMean')
    return sm === null || isPart ? undefined : { least: sm, most: sm }
  }
  const least = Math.min(1, busySeconds.value / held)
  if (!isLowerBound(busySeconds)) return { least, most: least }
  // A mean of a part of the time says nothing of the rest.
  const isWhole = partRead(gpuMeasured(usage, 'gpuHeldUtilizationPercentMean')) === null
  const heldBusy = isWhole ? percentShare(usage, 'gpuHeldUtilizationPercentMean') : null
  return { least, most: Math.max(least, heldBusy ?? 1) }
}

const arithmeticKeys = [
  'gpuFp64PercentMean',
  'gpuFp32PercentMean',
  'gpuFp16PercentMean',
  'gpuIntegerPercentMean',
] as const
const unitKeys = [
  'gpuSmActivePercentMean',
  'gpuTensorPercentMean',
  'gpuDramPercentMean',
  'gpuPcieBytesPerSecondMean',
  'gpuNvlinkBytesPerSecondMean',
  ...arithmeticKeys,
] as const

/** `used`: on so many cards processes of the job were seen. */
function unitShares(
  usage: Usage,
  worked: Range,
  { time, used }: { readonly time: string; readonly used: number },
): UnitShares {
  const share = (key: GpuKey): number | null => percentShare(usage, key)
  const arithmetic = arithmeticKeys.map(share).filter((value) => value !== null)
  const [leftOut = []] = unitKeys
    .map((key) => cardsLeftOut(gpuMeasured(usage, key)))
    .toSorted((one, other) => other.length - one.length)
  const isAll = leftOut.length === 0
  return {
    sm: share('gpuSmActivePercentMean'),
    tensor: share('gpuTensorPercentMean'),
    dram: share('gpuDramPercentMean'),
    arithmetic: arithmetic.length === 0 ? null : Math.max(...arithmetic),
    leftOut,
    time: isAll
      ? time
      : `the time that the job held the ${used - leftOut.length > 1 ? 'cards' : 'card'}`,
    // How much all cards worked does not tell it of some.
    cardBusy: isAll
      ? cardBusy(worked, share('gpuHeldUtilizationPercentMean'))
      : { least: 0, most: 1 },
  }
}

function cardBusy({ least, most }: Range, heldBusy: number | null): Range {
  if (heldBusy === null) return { least, most }
  const busy = Math.max(least, heldBusy)
  return { least: busy, most: busy }
}

/** What its shares are of, in words. */
function heldTime(held: number, isBound: boolean, cards: number, seconds: number): string {
  const each = held / cards
  if (each >= gpuPolicy.mostlyHeldShare * seconds) return 'the time'
  const time = `the ${roughSeconds(each)} ${isBound ? 'in which the job was seen to hold' : 'that the job held'}`
  return cards === 1 ? `${time} it` : `${time} a card, on average`
}
