import { cardBasis, type CardKey } from '../../../model/gpu-usage.ts'
import {
  atLeast,
  isLowerBound,
  measured,
  unmeasured,
  type Measured,
} from '../../../model/measured.ts'
import type { CardUse } from './card-use.ts'
import { energyGaps, energyOf, knownSeconds, untoldEnergyOf } from './energy-figures.ts'
import {
  boundOf,
  meanOf,
  memoryFigure,
  sleepOf,
  untoldProcesses,
  untoldWorkOf,
} from './told-figure.ts'
import { cardGaps, ownGaps, workGaps, type GapsOf } from './unread-time.ts'

/** The figures of one card, each with the card's name in its basis. */
export function ofCard(use: CardUse, durationSeconds: number): Record<string, Measured> {
  const { card } = use
  const { oddities } = card
  const sleep = sleepOf(use)
  const basis = basisOf(use)
  /** `untold`: why it is not known, where the card itself said what cannot be. */
  const known = (value: number, untold: string | undefined, figure: Figure): Measured => {
    const [gap] = cardGaps(use)
    const why = untold ?? sleep ?? (gap === undefined ? undefined : `it ${gap.why}`)
    return Number.isNaN(value) && why !== undefined ? unmeasured(why) : figure(value, basis)
  }
  const peak = (value: number, untold?: string, gapsOf = cardGaps): Measured =>
    known(value, untold, boundOf([use], gapsOf))
  const mean = (value: number, untold?: string, gapsOf = cardGaps): Measured =>
    known(value, untold, meanOf([use], durationSeconds, gapsOf))
  const figures: Record<CardKey, Measured> = {
    UtilizationPercentMean: mean(use.utilization.mean, oddities.utilizationPercent, workGaps),
    UtilizationPercentPeak: peak(use.utilizationPeak, oddities.utilizationPercent, workGaps),
    MemoryUtilizationPercentMean: mean(
      use.memoryUtilization.mean,
      oddities.memoryUtilizationPercent,
    ),
    MemoryUsedPeakBytes: peak(use.memoryUsedPeak, oddities.memoryUsedBytes),
    MemoryTotalBytes: known(card.memoryTotalBytes, oddities.memoryTotalBytes, measured),
    OwnMemoryPeakBytes: ownMemory(use, basis),
    BusySeconds: known(
      use.own.sum / 100,
      oddities.utilizationPercent,
      boundOf([use], ownGaps, untoldWorkOf([use])),
    ),
    TemperaturePeakCelsius: peak(use.temperaturePeak, oddities.temperatureCelsius),
    ...drawn(use, durationSeconds, known),
    PowerWattsPeak: powerPeak(use, durationSeconds, (watts, untold) => peak(watts, untold)),
    EccErrors: peak(use.eccEnd - use.eccStart, oddities.eccErrors),
  }
  return Object.fromEntries(
    Object.entries(figures).map(([key, figure]) => [`gpu${card.number}${key}`, figure]),
  )
}

type Figure = (value: number, basis: string) => Measured

function basisOf(use: CardUse): string {
  const { identity, number } = use.card
  const named = cardBasis({ ...identity, index: number }, identity.source)
  const sleep = sleepOf(use)
  return sleep === null ? named : `${named}; ${sleep}`
}

function ownMemory(use: CardUse, basis: string): Measured {
  const bytes = use.isTouched ? use.ownMemoryPeak : use.isGiven ? 0 : Number.NaN
  const odd = use.card.oddities.processMemoryBytes
  const untold = untoldProcesses([use])
  if (untold !== undefined) return untold
  return Number.isNaN(bytes) && odd !== undefined && use.ownMemoryLoss === null
    ? unmeasured(odd)
    : memoryFigure([use], bytes, basis)
}

/** By its counter it may have drawn more than any look saw. */
function powerPeak(
  use: CardUse,
  durationSeconds: number,
  peak: (watts: number, untold: string | undefined) => Measured,
): Measured {
  const seen = peak(use.powerPeak, use.card.oddities.powerWatts)
  const mean = energyOf(use, durationSeconds) / knownSeconds(use, durationSeconds)
  return seen.value !== null && mean > seen.value ? atLeast(mean, basisOf(use)) : seen
}

/** What it drew while it slept is not told. */
function drawn(
  use: CardUse,
  durationSeconds: number,
  known: (value: number, untold: string | undefined, figure: Figure) => Measured,
): Record<'PowerWattsMean' | 'EnergyJoules', Measured> {
  const ofPackage = use.card.isInCpuPackage
    ? '; its power is that of the CPU package, or part of it'
    : ''
  const untold = untoldEnergyOf(use, durationSeconds)
  const gapsOf: GapsOf = () => energyGaps(use, durationSeconds)
  const joules = energyOf(use, durationSeconds)
  const told = (value: number, figure: Figure): Measured =>
    known(value, untold, (some, basis) => {
      const whole = figure(some, `${basis}${ofPackage}`)
      const isBound = whole.value === null || isLowerBound(whole)
      return sleepOf(use) === null || isBound ? whole : atLeast(whole.value, whole.basis)
    })
  return {
    PowerWattsMean: told(
      joules / knownSeconds(use, durationSeconds),
      meanOf([use], durationSeconds, gapsOf),
    ),
    EnergyJoules: told(joules, boundOf([use], gapsOf)),
  }
}
