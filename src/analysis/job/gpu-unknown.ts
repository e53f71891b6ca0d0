import { gpuMeasured, gpuReason, partRead } from '../../model/gpu-usage.ts'
import { isLowerBound } from '../../model/measured.ts'
import type { AttemptRecord } from '../../model/record.ts'

/** What is not known of the GPUs of a job, for which it may have waited. */
export interface GpuUnknown {
  readonly gpu: 'its GPU' | 'its GPUs' | 'a GPU'
  readonly sentence: string
}

/** A longer reason is left to `show`. */
const longestReason = 80

/** Undefined where it had no card and asked for none, and where all is known of what those did for it. */
export function gpuUnknown({
  usage,
  requirements,
}: Pick<AttemptRecord, 'usage' | 'requirements'>): GpuUnknown | undefined {
  const cards = gpuMeasured(usage, 'gpuCards')
  const use = gpuMeasured(usage, 'gpuUtilizationPercentMean')
  // A driver that cannot be read names no card; one that was asked for may be there all the same.
  if (cards === undefined)
    return requirements.gpus && (use?.value ?? null) === null ? wholly(gpuReason(usage)) : undefined
  if (cards.value === 0) return undefined
  if (cards.value === null) return wholly(cards.why)
  const gpu = cards.value === 1 ? 'its GPU' : 'its GPUs'
  if (use === undefined || use.value === null)
    return { gpu, sentence: `What ${gpu} did is not known${because(use?.why)}.` }
  const part = partRead(use)
  if (part !== null)
    return { gpu, sentence: `What ${gpu} did is known for a part of the time alone (${part}).` }
  const its = cards.value === 1 ? 'Its GPU' : 'Its GPUs'
  return isLowerBound(use)
    ? { gpu, sentence: `${its} may have done more than was seen.` }
    : undefined
}

const wholly = (why: string): GpuUnknown => ({
  gpu: 'a GPU',
  sentence: `Whether it used a GPU is not known${because(why)}.`,
})

const because = (why: string | undefined): string =>
  why === undefined || why.length > longestReason ? '' : `: ${why}`
