import { scalingRuns, type ScalingRuns } from '../../analysis/compare/scaling-runs.ts'
import { scaling, type Scaling } from '../../analysis/compare/scaling.ts'
import type { JobRecord } from '../../model/record.ts'

export interface ScalingReport {
  readonly records: readonly JobRecord[]
  readonly chosen: ScalingRuns
  readonly scaling: Scaling
}

/** Whether a job will scale, by runs of it; `param` names what they differ in, if that is not their CPUs. */
export function scalingReport(
  records: readonly JobRecord[],
  param: string | undefined,
): ScalingReport {
  const chosen = scalingRuns(records, param)
  return { records, chosen, scaling: scaling(chosen.runs) }
}
