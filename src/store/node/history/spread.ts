import { hourMs } from '../buckets.ts'

export interface HourPart {
  readonly atMs: number
  readonly spanMs: number
  readonly amount: number | null
}

/** A whole number evenly over the hours between two moments; the parts add up to it exactly. */
export function spreadOverHours(
  amount: number | null,
  startMs: number,
  endMs: number,
): readonly HourPart[] {
  const firstHour = Math.floor(startMs / hourMs) * hourMs
  if (endMs <= startMs) return [{ atMs: firstHour, spanMs: 0, amount }]
  const upTo = (ms: number): number =>
    amount === null ? 0 : Math.round(amount * ((ms - startMs) / (endMs - startMs)))
  const parts: HourPart[] = []
  for (let atMs = firstHour; atMs < endMs; atMs += hourMs) {
    const [from, to] = [Math.max(atMs, startMs), Math.min(atMs + hourMs, endMs)]
    const own = amount === null ? null : upTo(to) - upTo(from)
    parts.push({ atMs, spanMs: to - from, amount: own })
  }
  return parts
}
