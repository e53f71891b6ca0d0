import { amountColumns, peakColumns } from '../node-schema.ts'

type Figure = number | null

/** What the rows of a time add up to: amounts are added, and of peaks the highest is kept. */
export class Sums {
  spanMs = 0
  readonly amounts: Figure[] = amountColumns.map(() => null)
  readonly peaks: Figure[] = peakColumns.map(() => null)

  add(spanMs: number, amounts: readonly Figure[], peaks: readonly Figure[]): void {
    this.spanMs += spanMs
    addFigures(this.amounts, amounts)
    for (const [at, value] of peaks.entries())
      if (value !== null) this.peaks[at] = Math.max(this.peaks[at] ?? value, value)
  }

  get isEmpty(): boolean {
    return this.amounts.every((amount) => amount === null || amount === 0)
  }
}

/** What neither measured stays unmeasured. */
export function addFigures(into: Figure[], more: readonly Figure[]): void {
  for (const [at, value] of more.entries()) if (value !== null) into[at] = (into[at] ?? 0) + value
}

/** Of a key, made where it is new. */
export function sumsOf<K>(map: Map<K, Sums>, key: K): Sums {
  const known = map.get(key)
  if (known !== undefined) return known
  const made = new Sums()
  map.set(key, made)
  return made
}
