import { briefBytes } from '../../src/render/units/brief-figures.ts'
import { notMeasured } from '../../src/render/units/figures.ts'
import { lowerBoundWords } from '../../src/render/units/usage-figure.ts'

/** `peak 301 MB`, `peak ≥ 301 MB` where more may have been there; null where it was not measured. */
export function peakMemoryWords(
  bytes: number | null,
  lowerBounds: readonly string[],
): string | null {
  if (bytes === null) return null
  return `peak ${lowerBounds.includes('memory_peak_bytes') ? '≥ ' : ''}${briefBytes(bytes)}`
}

/** A figure, and under it how much of the request it is. */
export function ShareFigure({
  used,
  of,
  words,
  isLowerBound,
}: {
  readonly used: number | null
  readonly of: number | null
  readonly words: (value: number, isLowerBound?: boolean) => string
  readonly isLowerBound: boolean
}) {
  if (used === null) return <span class="quiet">{notMeasured}</span>
  const figure = words(used, isLowerBound)
  const text = `${isLowerBound ? '≥ ' : ''}${figure}`
  const title = isLowerBound ? `${lowerBoundWords}${figure}` : undefined
  if (of === null || of === 0) return <span title={title}>{text}</span>
  const share = (100 * used) / of
  return (
    <span
      class={share > 100 ? 'share over' : 'share'}
      style={{ '--part': `${Math.min(100, share)}%` }}
      title={title}
    >
      {text} <small>of {words(of)}</small>
    </span>
  )
}
