import { nobodyListed, readFor } from '../../../model/gpu-usage.ts'
import { atLeast, measured, unmeasured, type Measured } from '../../../model/measured.ts'
import type { GpuFigure } from '../../../sensors/gpu/gpu-card.ts'
import type { CardUse } from './card-use.ts'
import { SpanMean } from './span-mean.ts'
import { ownGaps, type Gap, type GapsOf } from './unread-time.ts'

/** `card 0 was left alone for 6.0 s, so that it could fall asleep`. */
export const gapsIn = (uses: readonly CardUse[], gapsOf: GapsOf): string[] =>
  uses.flatMap((use) => gapsOf(use).map(({ why }) => `card ${use.card.number} ${why}`))

/**
 * A sum or a peak: a lower bound where a card was not read for some time, or where something else is missing from it. That
 * there was at least 0 of something says nothing.
 */
export function boundOf(
  uses: readonly CardUse[],
  gapsOf: GapsOf,
  missing: readonly string[] = [],
): (value: number, basis: string) => Measured {
  const words = [...gapsIn(uses, gapsOf), ...missing]
  const [first] = words
  if (first === undefined) return measured
  return (value, basis) =>
    value > 0 ? atLeast(value, [basis, ...words].join('; ')) : unmeasured(missing[0] ?? first)
}

/**
 * A mean over the time in which cards were read: what they did in the rest may have been more or less, so that this is no bound
 * of the mean over all of it. It is one of the mean over that time where something is missing from it.
 */
export function meanOf(
  uses: readonly CardUse[],
  durationSeconds: number,
  gapsOf: GapsOf,
  missing: readonly string[] = [],
): (value: number, basis: string) => Measured {
  const parts = uses.flatMap((use) => partOf(use, gapsOf(use), durationSeconds) ?? [])
  const none = missing[0] ?? gapsIn(uses, gapsOf)[0]
  return (value, basis) => {
    if (none !== undefined && Number.isNaN(value)) return unmeasured(none)
    const words = [basis, ...parts, ...missing].join('; ')
    if (missing.length === 0) return measured(value, words)
    return value > 0 ? atLeast(value, words) : unmeasured(none ?? '')
  }
}

/** `card 0 was read for 12 of 20 s: it could not be read after 12 s: the driver went away`; null where it always was. */
function partOf({ card }: CardUse, gaps: readonly Gap[], durationSeconds: number): string | null {
  const seconds = gaps.reduce((all, gap) => all + gap.seconds, 0)
  if (!(seconds > 0)) return null
  const why = gaps.map((gap) => `it ${gap.why}`).join(', and ')
  return `card ${card.number} ${readFor(durationSeconds - seconds, durationSeconds)}: ${why}`
}

/** What processes of the job held; a lower bound where that of some is not told. */
export function memoryFigure(uses: readonly CardUse[], bytes: number, basis: string): Measured {
  const losses = new Set(uses.flatMap(({ ownMemoryLoss }) => ownMemoryLoss ?? []))
  return boundOf(uses, ownGaps, [...losses])(bytes, basis)
}

/** Why nobody knows what the processes on one of them do; undefined where that is told. */
export function untoldProcesses(uses: readonly CardUse[]): Measured | undefined {
  const [why] = uses.flatMap(
    ({ card, isTouched, unlisted }) =>
      (card.failure === null ? card.processes.loss : null) ?? (isTouched ? null : unlisted) ?? [],
  )
  return why === undefined ? undefined : unmeasured(`processes on a card are not told: ${why}`)
}

export const sharesUntold = 'the card was shared, and its driver does not tell the shares of work'

const uncounted = 'a process had worked on the card before it was first asked'

/** Why it is not known all the time what cards did for the job. */
export function untoldWorkOf(uses: readonly CardUse[]): string[] {
  const untold = uses.filter(
    ({ untoldSeconds, doubtedSeconds }) => untoldSeconds > 0 || doubtedSeconds > 0,
  )
  return [
    ...new Set(
      untold.map(({ doubtedSeconds, wasUncounted, isShared, card }) => {
        if (doubtedSeconds > 0) return nobodyListed
        if (wasUncounted) return uncounted
        if (isShared) return sharesUntold
        return card.oddities.utilizationPercent ?? 'the card does not tell how much it works'
      }),
    ),
  ]
}

/** A card that sleeps is not read, which some figures are missing for. */
export const sleepOf = ({ asleepSeconds }: CardUse): string | null =>
  asleepSeconds > 0 ? `asleep for ${asleepSeconds.toFixed(0)} s, and not woken to be read` : null

export const sleepsOf = (uses: readonly CardUse[]): string[] =>
  uses.flatMap((use) => {
    const sleep = sleepOf(use)
    return sleep === null ? [] : [`card ${use.card.number}: ${sleep}`]
  })

/** What a card told of these figures and cannot be. */
export const oddityOf = (
  { oddities }: CardUse['card'],
  ...figures: GpuFigure[]
): string | undefined => figures.map((figure) => oddities[figure]).find((why) => why !== undefined)

/** Of those that are told; NaN where none is. */
export function sum(values: readonly number[]): number {
  const told = values.filter((value) => !Number.isNaN(value))
  return told.length === 0 ? Number.NaN : told.reduce((total, value) => total + value, 0)
}

/** One mean of all cards, by how long each speaks. */
export function together(spans: readonly SpanMean[]): number {
  const all = new SpanMean()
  for (const { mean, seconds } of spans) all.add(mean, seconds)
  return all.mean
}
