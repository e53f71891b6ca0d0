import { energyIsOfPackage, secondsInWords, type GpuKey } from '../../../model/gpu-usage.ts'
import { unmeasured, type Measured } from '../../../model/measured.ts'
import { mostJoulesIn } from '../../../sensors/gpu/plausible-card.ts'
import type { CardUse } from './card-use.ts'
import { boundOf, meanOf, oddityOf, sharesUntold, sleepsOf, sum } from './told-figure.ts'
import { cardGaps, powerGaps, type Gap, type GapsOf } from './unread-time.ts'

/** Cards of a job, and how long it ran. */
interface CardsDrawing {
  readonly uses: readonly CardUse[]
  readonly durationSeconds: number
}

/** Energy of a CPU package is kept apart: the counters of the CPUs have it too, and whoever adds both would count it twice. */
export function energyFigures(
  used: CardsDrawing,
  source: string,
): Partial<Record<GpuKey, Measured>> {
  const { durationSeconds } = used
  const inPackage = used.uses.filter(({ card }) => card.isInCpuPackage)
  if (inPackage.length === 0) return cardsEnergy(used.uses, durationSeconds, source)
  const { gpuEnergyJoules: ofPackage } = cardsEnergy(
    inPackage,
    durationSeconds,
    `${source}, power of the CPU package`,
  )
  const uses = used.uses.filter(({ card }) => !card.isInCpuPackage)
  const without = unmeasured(energyIsOfPackage)
  if (uses.length === 0)
    return {
      gpuEnergyJoules: without,
      gpuPackageEnergyJoules: ofPackage,
      gpuPowerWattsMean: without,
    }
  const left = inPackage.map(
    ({ card }) => `card ${card.number} is part of the CPU package, and left out`,
  )
  return {
    ...cardsEnergy(uses, durationSeconds, source, left),
    gpuPackageEnergyJoules: ofPackage,
  }
}

/** Of a card that others use too, the job's part. */
function cardsEnergy(
  uses: readonly CardUse[],
  durationSeconds: number,
  source: string,
  remarks: readonly string[] = [],
): Record<'gpuEnergyJoules' | 'gpuPowerWattsMean', Measured> {
  if (uses.some(({ isUndivided }) => isUndivided)) {
    const why = unmeasured(sharesUntold)
    return { gpuEnergyJoules: why, gpuPowerWattsMean: why }
  }
  if (uses.some((use) => isDivided(use) && use.power.area === 0)) {
    const why = unmeasured(powerUntold)
    return { gpuEnergyJoules: why, gpuPowerWattsMean: why }
  }
  const how = uses.some((use) => use.isShared)
    ? 'of a shared card its part while it held it: what work took by the shares of work, idle draw by processes'
    : uses.some(isInTurns)
      ? 'whole cards while it held them'
      : 'whole cards'
  const basis = [`${source}, ${how}`, ...remarks].join('; ')
  const untold = uses.flatMap((use) => untoldEnergyOf(use, durationSeconds) ?? [])
  const missing = [...sleepsOf(uses), ...new Set(untold)]
  const gapsOf: GapsOf = (use) => energyGaps(use, durationSeconds)
  const isPart = uses.some((use) => gapsOf(use).length > 0)
  return {
    gpuEnergyJoules: boundOf(
      uses,
      gapsOf,
      missing,
    )(sum(uses.map((use) => ownEnergyOf(use, durationSeconds))), basis),
    gpuPowerWattsMean: meanOf(
      uses,
      durationSeconds,
      gapsOf,
      missing,
    )(
      sum(
        uses.map((use) => ownEnergyOf(use, durationSeconds) / knownSeconds(use, durationSeconds)),
      ),
      `${basis}; energy over ${isPart ? 'the time in which it was read' : 'its duration'}`,
    ),
  }
}

/** A counter tells what was drawn while nobody looked, if it was read before that and after. */
export function energyGaps(use: CardUse, durationSeconds: number): readonly Gap[] {
  const { uncountedSeconds } = use
  if (!isCounted(use, durationSeconds)) return powerGaps(use)
  if (!isBack(use)) return cardGaps(use)
  const why = `was first read after ${secondsInWords(uncountedSeconds)}`
  return uncountedSeconds > 0 ? [{ seconds: uncountedSeconds, why }] : []
}

/** The time that its energy is of. */
export function knownSeconds(use: CardUse, durationSeconds: number): number {
  if (energyGaps(use, durationSeconds).length === 0) return durationSeconds
  const { power, asleepSeconds, readUntilSeconds, uncountedSeconds } = use
  if (!isCounted(use, durationSeconds)) return power.seconds + asleepSeconds
  return (isBack(use) ? durationSeconds : readUntilSeconds) - uncountedSeconds
}

/** It was read at the end. */
const isBack = ({ card }: CardUse): boolean => card.failure === null && !card.isLeftAlone

/** Nobody gave it to the job, and others had it before or after. */
const isInTurns = ({ isGiven, isTouched, wasOfOthers }: CardUse): boolean =>
  isTouched && !isGiven && wasOfOthers

/** Only a part of what it drew was for the job. */
const isDivided = (use: CardUse): boolean => use.isShared || isInTurns(use)

const powerUntold =
  "the card was not this job's alone, and does not tell its power, by which its energy is divided"

/** What it drew for the job. The counter is the whole card's, and read seldom: power at the looks says how it is divided. */
function ownEnergyOf(use: CardUse, durationSeconds: number): number {
  const { power, ownPower } = use
  const energy = energyOf(use, durationSeconds)
  if (!isDivided(use)) return energy
  // The last look stands for what it drew before its processes ended, and may have come after that.
  return energy * Math.min(1, ownPower.area / power.area)
}

/** By its own counter; else by the power at all looks. */
export const energyOf = (use: CardUse, durationSeconds: number): number =>
  isCounted(use, durationSeconds) ? countedJoules(use) : use.power.sum

const countedJoules = ({ card, energyStart }: CardUse): number =>
  card.energyJoules + card.joulesSince - energyStart

/** A counter that stands still tells nothing: every card draws power. Nor does one that was set back. */
function isCounted(use: CardUse, durationSeconds: number): boolean {
  const joules = countedJoules(use)
  if (use.energyFellBack) return false
  if (!(use.card.energyJoules > use.energyCounterStart)) return false
  return joules >= 0 && joules <= mostJoulesIn(durationSeconds)
}

/** Why nothing tells what a card drew; undefined where something does, and where it slept, which is a reason of its own. */
export function untoldEnergyOf(use: CardUse, durationSeconds: number): string | undefined {
  const { card, asleepSeconds } = use
  if (asleepSeconds > 0 || !Number.isNaN(energyOf(use, durationSeconds))) return undefined
  return (
    oddityOf(card, 'powerWatts', 'energyJoules') ??
    (Number.isNaN(card.energyJoules)
      ? 'the card tells neither its power nor its energy'
      : 'the energy counter of the card stands still, and its power is not told')
  )
}
