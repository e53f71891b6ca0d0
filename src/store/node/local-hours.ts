/** From when on (seconds since 1970) local time is so far ahead of UTC. */
export interface OffsetStretch {
  readonly from: number
  readonly offsetSeconds: number
}

/** As SQL: the offset at `at_ms`. A year has three stretches at most, so no table of hours is needed. */
export function offsetExpression(stretches: readonly OffsetStretch[]): string {
  const [first, ...later] = stretches
  if (first === undefined) return '0'
  const cases = later
    .toReversed()
    .map(
      ({ from, offsetSeconds }) => `WHEN at_ms >= ${Math.round(from * 1e3)} THEN ${offsetSeconds}`,
    )
  return cases.length === 0
    ? String(first.offsetSeconds)
    : `CASE ${cases.join(' ')} ELSE ${first.offsetSeconds} END`
}
