import { gpuMeasured, partRead } from '../../model/gpu-usage.ts'
import { isLowerBound } from '../../model/measured.ts'
import type { Usage } from '../../model/usage.ts'

/** What is not known of the GPUs of a job, for which it may have waited. */
export interface GpuUnknown {
  readonly gpu: 'its GPU' | 'its GPUs' | 'a GPU'
  readonly sentence: string
}

/** A longer reason is left to `show`. */
const longestReason = 80

/** Undefined where it had no card, and where all is known of what those did for it. */
export function gpuUnknown(usage: Usage): GpuUnknown | undefined {
  const cards = gpuMeasured(usage, 'gpuCards')
  const use = gpuMeasured(usage, 'gpuUtilizationPercentMean')
  if (cards === undefined || cards.value === 0) return undefined
  if (cards.value === null)
    return { gpu: 'a GPU', sentence: `Whether it used a GPU is not known${because(cards.why)}.` }
  const gpu = cards.value === 1 ? 'its GPU' : 'its GPUs'
  if (use === undefined || use.value === null)
    return { gpu, sentence: `What ${gpu} did is not known${because(use?.why)}.` }
  const part = partRead(use)
  if (part !== null)
    return { gpu, sentence: `What ${gpu} did is known for a part of the time alone (${part}).` }
  return isLowerBound(use) ? { gpu, sentence: `How much ${gpu} did is a lower bound.` } : undefined
}

const because = (why: string | undefined): string =>
  why === undefined || why.length > longestReason ? '' : `: ${why}`
