import { gigabyte } from '../../../model/bytes.ts'
import { hourSeconds } from '../../../model/time-parts.ts'
import type { Recommendation, RecommendedRequest } from '../../../analysis/sizing/recommendation.ts'
import type { SizingAdvice } from '../../../analysis/sizing/sizing-advice.ts'
import type { Savings } from '../../../analysis/sizing/sizing-savings.ts'
import { roundKeeping } from '../../units/figures.ts'
import { amountWords, changeWords, confidenceWords, reasonWords } from './words.ts'

/** One recommended figure as scripts read it: the words of the table, and the numbers behind them. */
export interface SizingAdviceJson {
  readonly requirement: string
  readonly jobs: number
  readonly resource_type: string
  readonly requested: string
  readonly recommended: string
  readonly change: string
  readonly reason: string
  readonly confidence: string
  readonly attempts: number
  readonly unit: string
  readonly requested_value: number | null
  readonly recommended_value: number | null
  readonly least_used_value: number | null
  readonly most_used_value: number | null
}

export function adviceRows({ requests }: Pick<Recommendation, 'requests'>): SizingAdviceJson[] {
  return requests.flatMap((request) =>
    [request.advice.memory, request.advice.cpus, request.advice.runtime].map((advice) =>
      adviceJson(request, advice),
    ),
  )
}

function adviceJson(
  { name, jobCount }: RecommendedRequest,
  advice: SizingAdvice,
): SizingAdviceJson {
  const rounded = (value: number | null): number | null =>
    value === null ? null : roundKeeping(value, 6)
  return {
    requirement: name,
    jobs: jobCount,
    resource_type: advice.resourceType,
    requested: amountWords(advice.unit, advice.requested),
    recommended: amountWords(advice.unit, advice.recommended),
    change: changeWords(advice),
    reason: reasonWords(advice),
    confidence: confidenceWords(advice),
    attempts: advice.attempts,
    unit: advice.unit,
    requested_value: rounded(advice.requested),
    recommended_value: rounded(advice.recommended),
    least_used_value: rounded(advice.least),
    most_used_value: rounded(advice.most),
  }
}

export function recommendationJson(recommendation: Recommendation): object {
  const { workflowId, runs, attempts, savings, jobsWithoutRequest } = recommendation
  return {
    workflow_id: workflowId,
    runs,
    attempts,
    jobs_without_request: jobsWithoutRequest,
    recommendations: adviceRows(recommendation),
    ...savingsJson(savings),
  }
}

/** Negative where the recommended requests ask for more. */
export function savingsJson({ coreSeconds, byteSeconds }: Savings): {
  readonly saved_core_hours: number
  readonly saved_gb_hours: number
} {
  return {
    saved_core_hours: roundKeeping(coreSeconds / hourSeconds, 6),
    saved_gb_hours: roundKeeping(byteSeconds / gigabyte / hourSeconds, 6),
  }
}
