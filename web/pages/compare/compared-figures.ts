import { certainValue, type Measured } from '../../../src/model/measured.ts'
import { isDurationBound } from '../../../src/model/outcome.ts'
import type { RecordJson } from '../../../src/render/record/record-json.ts'
import { formatSeconds, notMeasured } from '../../../src/render/units/figures.ts'
import { boundWords, durationBound } from '../../../src/render/units/usage-figure.ts'
import { formatUsage, groupsOf } from '../../../src/render/units/usage-labels.ts'
import { usageOf } from '../../record-usage.ts'

export interface ComparedFigure {
  readonly label: string
  readonly a: string
  readonly b: string
  /** null where one of them is missing, is 0, or may have been more. */
  readonly changePercent: number | null
}

/** All figures that at least one of two records has. */
export function comparedFigures(a: RecordJson, b: RecordJson): ComparedFigure[] {
  const [left, right] = [usageOf(a), usageOf(b)]
  const figures = groupsOf([left, right]).flatMap(([group, labels]) =>
    Object.entries(labels).flatMap(([key, label]): ComparedFigure[] => {
      const [one, other] = [figureOf(left, key), figureOf(right, key)]
      if (one.value === null && other.value === null) return []
      return [
        {
          label: `${group}, ${label}`,
          a: words(key, one),
          b: words(key, other),
          changePercent: change(certainValue(one), certainValue(other)),
        },
      ]
    }),
  )
  return [durations(a, b), ...figures]
}

const durations = (a: RecordJson, b: RecordJson): ComparedFigure => ({
  label: 'Duration',
  a: duration(a),
  b: duration(b),
  changePercent: change(certainDuration(a), certainDuration(b)),
})

const duration = ({ status, duration_seconds: seconds }: RecordJson): string =>
  seconds === null ? notMeasured : `${durationBound(status)}${formatSeconds(seconds)}`

const certainDuration = ({ status, duration_seconds: seconds }: RecordJson): number | null =>
  isDurationBound(status) ? null : seconds

const figureOf = (usage: object, key: string): Measured =>
  (usage as Readonly<Record<string, Measured>>)[key] ?? { value: null, why: '' }

const words = (key: string, figure: Measured): string =>
  figure.value === null ? notMeasured : `${boundWords(figure)}${formatUsage(key, figure.value)}`

const change = (a: number | null, b: number | null): number | null =>
  a === null || b === null || a === 0 ? null : (100 * (b - a)) / a
