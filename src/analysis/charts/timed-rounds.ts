/** What covers a stretch of time that ended at a moment, in seconds since 1970. */
export interface Round {
  readonly to: number
  readonly seconds: number
}

/** A hole of less is a matter of rounding; buckets that were looked at in part are no hole. */
const leastGapSeconds = 2
const gapFactor = 1.5

/**
 * Rounds as columns from a moment on. A round stands where it ended. Where nobody looked between two of them, there is a moment
 * without a figure: a gap is a gap, never a line through it.
 */
export class TimedRounds<T extends Round> {
  readonly times: Float64Array
  readonly #rounds: readonly (T | null)[]

  constructor(rounds: readonly T[], startedAt: number, stepSeconds: number | null) {
    const rows: { readonly at: number; readonly round: T | null }[] = []
    let before: T | undefined
    for (const round of rounds) {
      if (before !== undefined && isGap(before, round, stepSeconds))
        rows.push({ at: (before.to + round.to) / 2, round: null })
      rows.push({ at: round.to, round })
      before = round
    }
    this.times = Float64Array.from(rows, ({ at }) => at - startedAt)
    this.#rounds = rows.map(({ round }) => round)
  }

  column(of: (round: T) => number | null): Float64Array {
    return Float64Array.from(this.#rounds, (round) =>
      round === null ? Number.NaN : (of(round) ?? Number.NaN),
    )
  }
}

/** Buckets follow each other by their length; rounds by what they cover. */
const isGap = (before: Round, round: Round, stepSeconds: number | null): boolean =>
  stepSeconds === null
    ? round.to - round.seconds - before.to > leastGapSeconds
    : round.to - before.to > gapFactor * stepSeconds
