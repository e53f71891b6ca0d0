import { count } from '../../model/count.ts'
import { gpuFigure, gpuReason, partRead, type GpuKey } from '../../model/gpu-usage.ts'
import type { AttemptRecord } from '../../model/record.ts'
import { furtherFigures } from '../../model/usage.ts'
import { formatBytes, formatCount, formatPercent } from '../units/figures.ts'
import { inWords, joined, nothingMeasured, type Say } from './summary-words.ts'

/** null where it had no card, and asked for none. */
export function gpuLine({ usage, requirements }: AttemptRecord): string | null {
  const cards = gpuFigure(usage, 'gpuCards')
  if (!cards) {
    if (!requirements.gpus) return null
    return cards === 0
      ? `none of the ${requirements.gpus} requested was used`
      : `${nothingMeasured}: ${gpuReason(usage)}`
  }
  const figures = new Map(furtherFigures(usage))
  const gpu = (key: GpuKey, say: Say): string | null => inWords(figures.get(key), key, say)
  const part = partRead(figures.get('gpuUtilizationPercentMean'))
  const read = part === null ? '' : `, ${part}`
  return joined([
    gpu(
      'gpuUtilizationPercentMean',
      (bound, percent) => `${bound}${formatPercent(percent)} of ${count(cards, 'card')}${read}`,
    ),
    gpu('gpuUtilizationPercentPeak', (bound, percent) => `peak ${bound}${formatPercent(percent)}`),
    gpu('gpuMemoryPeakBytes', (bound, bytes) => `${bound}${formatBytes(bytes)} peak`),
    gpu('gpuEnergyJoules', (bound, joules) => `${bound}${formatCount(Math.round(joules))} J`),
    gpu('gpuCardsUntouched', (_bound, untouched) =>
      untouched === 0 ? null : `${untouched} never used`,
    ),
  ])
}
