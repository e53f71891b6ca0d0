import type { LineDash, MarkerSymbol, PlotTrace } from '../../render/plot/figure.ts'
import { drawn } from '../dom.ts'
import { inTheme } from './theme.ts'

const dashes: Readonly<Record<LineDash, string>> = { solid: 'none', dash: '6 4', dot: '1.6 3' }

const marks: Readonly<Record<MarkerSymbol, string>> = {
  circle: 'M9.5 7a3.5 3.5 0 1 1 7 0a3.5 3.5 0 1 1-7 0z',
  square: 'M10 4h6v6h-6z',
  diamond: 'M13 2.5l4.5 4.5-4.5 4.5-4.5-4.5z',
  'triangle-up': 'M13 3l4 7h-8z',
  x: 'M9.5 5l1.5-1.5 2 2 2-2 1.5 1.5-2 2 2 2-1.5 1.5-2-2-2 2-1.5-1.5 2-2z',
  star: 'M13 2l1.4 3.4 3.6.2-2.8 2.3 1 3.6-3.2-2-3.2 2 1-3.6-2.8-2.3 3.6-.2z',
}

/** The line, bar or mark as the plot draws it. */
export function sample({ type, line, marker, mode }: PlotTrace): SVGSVGElement {
  const picture = drawn('svg', {
    width: 26,
    height: 14,
    viewBox: '0 0 26 14',
    'aria-hidden': 'true',
  })
  const fill = inTheme(marker?.color ?? '')
  if (type === 'bar') picture.append(drawn('rect', { x: 6, y: 1, width: 14, height: 12, fill }))
  else if (mode === 'markers') {
    const stroke = marker?.line?.color ?? ''
    picture.append(drawn('path', { d: 'M2 7h22', stroke, 'stroke-width': 2.5 }))
  } else {
    const look = { stroke: inTheme(line?.color ?? ''), 'stroke-width': 2.4 }
    const dash = { 'stroke-dasharray': dashes[line?.dash ?? 'solid'] }
    picture.append(drawn('path', { d: 'M1 7h24', ...look, ...dash }))
  }
  const symbol = marker?.symbol
  if (symbol !== undefined && symbol !== 'line-ew')
    picture.append(drawn('path', { d: marks[symbol], fill }))
  return picture
}
