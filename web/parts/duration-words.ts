import { briefSeconds } from '../../src/render/units/brief-figures.ts'
import { notMeasured } from '../../src/render/units/figures.ts'

/** `12 s`, `≥ 12 s` where its end was not seen, `–` where nothing is known. */
export function durationWords(seconds: number | null, lowerBounds: readonly string[]): string {
  if (seconds === null) return notMeasured
  return `${lowerBounds.includes('duration_seconds') ? '≥ ' : ''}${briefSeconds(seconds)}`
}
