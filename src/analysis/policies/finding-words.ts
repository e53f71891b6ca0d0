import { formatBytes } from '../../model/bytes.ts'
import { fixedKeeping } from '../../model/fixed-keeping.ts'
import type { Policy, PolicyCondition } from '../../model/policy.ts'
import { timeParts } from '../../model/time-parts.ts'
import { isFigureName, policyFigures, type Figures, type FigureUnit } from './figure-list.ts'

const short = (value: number): string => fixedKeeping(value, 1).replace(/\.0$/, '')

/** `2h 30m`, `45s`. */
export function shortDuration(seconds: number): string {
  if (seconds < 60) return `${short(seconds)} s`
  const { days, hours, minutes, seconds: rest } = timeParts(seconds)
  const parts = [
    ...(days > 0 ? [`${days}d`] : []),
    ...(hours > 0 ? [`${hours}h`] : []),
    ...(minutes > 0 ? [`${minutes}m`] : []),
    ...(days + hours === 0 && rest > 0 ? [`${rest}s`] : []),
  ]
  return parts.join(' ')
}

const written: Readonly<Record<FigureUnit, (value: number) => string>> = {
  share: (value) => `${short(100 * value)} %`,
  cores: short,
  bytes: (value) => formatBytes(value),
  'bytes/s': (value) => `${formatBytes(value)}/s`,
  seconds: shortDuration,
  hours: (value) => `${short(value)} h`,
  count: short,
}

const figureText = (figure: string, value: number): string =>
  isFigureName(figure) ? written[policyFigures[figure].unit](value) : short(value)

/** `cpu_of_node at least 10 %`. */
export const conditionText = ({ figure, is, threshold }: PolicyCondition): string =>
  `${figure} ${is} ${figureText(figure, threshold)}`

/** What was found, with the figures that it was judged by. */
export function findingText({ says, conditions }: Policy, figures: Figures): string {
  const found = conditions.flatMap((condition) => {
    const { figure, is, threshold } = condition
    const value = isFigureName(figure) ? (figures[figure] ?? null) : null
    if (value === null) return []
    return [`${figure} is ${figureText(figure, value)} (${is} ${figureText(figure, threshold)})`]
  })
  return `${says}: ${found.join(', ')}`
}
