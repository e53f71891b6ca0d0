import type { SeenRound } from '../../model/seen-round.ts'

/** Cores of the whole host that were busy; null where that is not known. */
export const nodeCoresOf = ({ nodeCpuSeconds, nodeSeconds }: SeenRound): number | null =>
  nodeCpuSeconds === null || !nodeSeconds ? null : nodeCpuSeconds / nodeSeconds
