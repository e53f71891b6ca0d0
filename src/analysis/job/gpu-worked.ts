import type { VerdictKind } from './bound-by.ts'

/**
 * Whether a GPU worked for a job. `cards`: how many did on average; null where that is not known. Then its verdict tells,
 * which speaks of a GPU where one worked.
 */
export const gpuWorked = (verdict: VerdictKind, cards: number | null): boolean =>
  cards === null ? verdict.startsWith('gpu') && verdict !== 'gpu-idle' : cards > 0
